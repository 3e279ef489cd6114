import { base64, nothing, type Translator } from "../base/index.ts";
import type { Line } from "../events/index.ts";

/** A line longer than this is kept whole on disk and reported, not decoded. */
export const LINE_CAP = 16 * 1024 * 1024;

/** How much of an oversize line, or of bytes that are not text, is shown. */
const HEAD = 256;
const BASE64_CAP = 48 * 1024;

/** The room kept for an unfinished line, and how large it may be for a line that needs far less: long lines come in a row. */
const SMALL = 64 * 1024;
const LARGE = 1024 * 1024;

const NO_BYTES = new Uint8Array();

/** Bytes to text, invalid sequences replaced. Given from outside: the fastest decoder differs between Node and a browser. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string;

/** Sees what lines are made of, for whoever needs their bytes, which are valid only during the call. */
export interface LineTap {
  /** Of a line that has not come to its end. */
  piece(bytes: Uint8Array): void;
  /** With what of it was no piece: mostly all of it. */
  line(line: Line, rest: Uint8Array): void;
}

/**
 * Splits bytes at 0x0A and nowhere else: U+2028, U+2029, NEL and a lone CR occur inside JSON strings and progress bars.
 *
 * Any chunking of the same bytes gives the same lines. A chunk may be reused by its owner after `push` returns.
 * Linear; past the cap only the head of a line is kept, so memory stays bounded.
 */
export function lineSplitter(decode: Decode, cap: number = LINE_CAP, tap?: LineTap): Translator<Uint8Array, Line> {
  const head = Math.min(cap, HEAD);
  let lineStart = 0; // offset of the current line in the stream
  let pending = new Uint8Array(SMALL); // the current line, as far as earlier chunks held it
  let held = 0; // how many bytes of it were seen, kept or not

  function hold(chunk: Uint8Array, from: number, to: number): void {
    const length = held + to - from;
    if (length <= cap) {
      if (length > pending.length) pending = grown(pending, held, length);
      pending.set(chunk.subarray(from, to), held);
    } else if (held < head) {
      pending.set(chunk.subarray(from, from + head - held), held); // too long to be decoded: its beginning will do
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

/** Room for `length` bytes, at least twice the room there was, so that a line of many chunks is copied a few times at most. */
function grown(bytes: Uint8Array, kept: number, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length));
  larger.set(bytes.subarray(0, kept));
  return larger;
}

/** The decoder replaced something, or the agent really wrote U+FFFD (EF BF BD): as many of one as of the other. */
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
