import { base64 } from "./base64.ts";
import type { Line } from "./record.ts";
import { nothing, type Translator } from "./translator.ts";

/** A line longer than this is kept whole on disk and reported, not decoded. */
export const LINE_CAP = 16 * 1024 * 1024;

/** How much of an oversize line, or of bytes that are not text, is shown. */
const HEAD = 256;
const BASE64_CAP = 48 * 1024;

/** Bytes to text, invalid sequences replaced. Given from outside: the fastest decoder differs between Node and a browser. */
export type Decode = (bytes: Uint8Array, start: number, end: number) => string;

/**
 * Splits bytes at 0x0A and nowhere else: U+2028, U+2029, NEL and a lone CR occur inside JSON strings and progress bars.
 *
 * Any chunking of the same bytes gives the same lines. A chunk may be reused by its owner after `push` returns.
 * Linear: a line spread over many chunks is joined once; past the cap only its head is kept, so memory stays bounded.
 */
export function lineSplitter(decode: Decode, cap: number = LINE_CAP): Translator<Uint8Array, Line> {
  const head = Math.min(cap, HEAD);
  let lineStart = 0; // offset of the current line in the stream
  let parts: Uint8Array[] = []; // copies of its earlier pieces
  let held = 0; // bytes of the current line seen so far, kept or not
  let oversize = false;

  function hold(chunk: Uint8Array, from: number, to: number): void {
    held += to - from;
    if (oversize) return;
    parts.push(new Uint8Array(chunk.subarray(from, to)));
    if (held <= cap) return;
    oversize = true;
    parts = [join(parts, head)];
  }

  function finish(terminated: boolean): Line {
    const bytes = join(parts, oversize ? head : held);
    const line = oversize ? oversizeLine(bytes, terminated) : textLine(bytes, 0, held, terminated);
    lineStart += held + (terminated ? 1 : 0);
    parts = [];
    held = 0;
    oversize = false;
    return line;
  }

  function oversizeLine(beginning: Uint8Array, terminated: boolean): Line {
    return { offset: lineStart, length: held, text: decode(beginning, 0, beginning.length), terminated, oversize: true };
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
          lines.push(textLine(chunk, start, end, true));
          lineStart += end - start + 1;
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

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const first = parts[0];
  if (parts.length === 1 && first !== undefined) return first.length > length ? first.slice(0, length) : first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    const room = length - at;
    if (room <= 0) break;
    whole.set(part.length > room ? part.subarray(0, room) : part, at);
    at += Math.min(part.length, room);
  }
  return whole;
}

/** The decoder replaced something, or the agent really wrote U+FFFD (EF BF BD): as many of one as of the other. */
function isUtf8(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  let written = 0;
  for (let at = bytes.indexOf(0xef, start); at >= 0 && at + 2 < end; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) written++;
  }
  let read = 0;
  for (let at = text.indexOf("\uFFFD"); at >= 0; at = text.indexOf("\uFFFD", at + 1)) read++;
  return read === written;
}
