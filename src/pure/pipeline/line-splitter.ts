import { base64, nothing, type Translator } from "../base/index.ts";
import type { Line } from "../events/index.ts";

/** A longer line is complete on disk and reported, but not decoded. */
export const LINE_CAP = 16 * 1024 * 1024;

/** How many bytes of an oversize line, or of a line that is not text, are shown. */
const HEAD = 256;
const BASE64_CAP = 48 * 1024;

/** The first buffer for an unfinished line, and the size above which it shrinks again: late, because long lines come in a row. */
const SMALL = 64 * 1024;
const LARGE = 1024 * 1024;

const NO_BYTES = new Uint8Array();

/** Decodes bytes, replacing invalid sequences. A parameter, because the fastest decoder differs between Node and browsers. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string;

/** Receives the bytes of each line. They are valid only during the call. */
export interface LineTap {
  /** Part of an unfinished line. */
  piece(bytes: Uint8Array): void;
  /** A finished line with the bytes that were not passed as pieces: usually all of them. */
  line(line: Line, rest: Uint8Array): void;
}

/**
 * Splits bytes at 0x0A only: U+2028, U+2029, NEL and a lone CR occur inside JSON strings and progress bars.
 *
 * Any chunking of the same bytes gives the same lines. The caller may reuse a chunk after `push` returns. Linear time; beyond the cap only
 * the head of a line is kept, so memory is bounded.
 */
export function lineSplitter(decode: Decode, cap: number = LINE_CAP, tap?: LineTap): Translator<Uint8Array, Line> {
  const head = Math.min(cap, HEAD);
  let lineStart = 0; // offset of the current line in the stream
  let pending = new Uint8Array(SMALL); // the part of the current line from earlier chunks
  let held = 0; // the length of that part, kept or not

  function hold(chunk: Uint8Array, from: number, to: number): void {
    const length = held + to - from;
    if (length <= cap) {
      if (length > pending.length) pending = grown(pending, held, length);
      pending.set(chunk.subarray(from, to), held);
    } else if (held < head) {
      pending.set(chunk.subarray(from, from + head - held), held); // too long to decode: keep the beginning
    }
    held = length;
    tap?.piece(chunk.subarray(from, to));
  }

  function finish(terminated: boolean): Line {
    const line =
      held > cap
        ? { offset: lineStart, length: held, text: decode(pending, 0, head), terminated, oversize: true }
        : textLine(pending, 0, held, terminated);
    if (pending.length > LARGE && held < pending.length / 4) pending = new Uint8Array(SMALL);
    lineStart += held + (terminated ? 1 : 0);
    held = 0;
    tap?.line(line, NO_BYTES);
    return line;
  }

  function textLine(bytes: Uint8Array, start: number, end: number, terminated: boolean): Line {
    const text = decode(bytes, start, end);
    const line = { offset: lineStart, length: end - start, text, terminated, oversize: false };
    if (!text.includes("\uFFFD") || isUtf8(bytes, start, end, text)) return line;
    return { ...line, base64: base64(bytes, start, Math.min(end, start + BASE64_CAP)) };
  }

  return {
    push(chunk) {
      let end = chunk.indexOf(0x0a);
      if (end < 0) {
        if (chunk.length > 0) hold(chunk, 0, chunk.length);
        return nothing;
      }
      const lines: Line[] = [];
      let start = 0;
      if (held > 0) {
        hold(chunk, 0, end);
        lines.push(finish(true));
        start = end + 1;
        end = chunk.indexOf(0x0a, start);
      }
      while (end >= 0) {
        if (end - start > cap) {
          hold(chunk, start, end);
          lines.push(finish(true));
        } else {
          const line = textLine(chunk, start, end, true);
          lines.push(line);
          lineStart += end - start + 1;
          tap?.line(line, chunk.subarray(start, end));
        }
        start = end + 1;
        end = chunk.indexOf(0x0a, start);
      }
      if (start < chunk.length) hold(chunk, start, chunk.length);
      return lines;
    },
    end() {
      return held > 0 ? [finish(false)] : nothing;
    },
  };
}

/** At least doubles the buffer, so that a line of many chunks is copied only a few times. */
function grown(bytes: Uint8Array, kept: number, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length));
  larger.set(bytes.subarray(0, kept));
  return larger;
}

/** U+FFFD in the text is either a replacement or really in the bytes (EF BF BD): compares the two counts. */
function isUtf8(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  const line = bytes.subarray(start, end);
  let written = 0;
  for (let at = line.indexOf(0xef); at >= 0; at = line.indexOf(0xef, at + 1)) {
    if (line[at + 1] === 0xbf && line[at + 2] === 0xbd) written++;
  }
  let read = 0;
  for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) read++;
  return read === written;
}
