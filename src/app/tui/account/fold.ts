import { wrap } from "../../../pure/base/index.ts";

export interface Folded {
  readonly rows: readonly string[];
  /** Lines of the text that the rows leave out, wholly or in part. */
  readonly more: number;
}

/** Any text as at most `limit` printable rows. The rest is only counted: 16 MB take milliseconds. */
export function fold(text: string, room: number, limit: number): Folded {
  const end = text.trimEnd().length;
  const most = 4 * room * limit; // enough of a line, except for stacks of accents
  const rows: string[] = [];
  for (let at = firstLine(text); at < end; ) {
    const left = limit - rows.length;
    if (left === 0) return { rows, more: countLines(text, at, end) };
    const stop = lineEnd(text, at, end);
    const wrapped = wrap(text.slice(at, Math.min(stop, at + most)).replace(/\r$/, ""), room);
    rows.push(...wrapped.slice(0, left));
    if (wrapped.length > left || stop - at > most) return { rows, more: 1 + countLines(text, stop + 1, end) };
    at = stop + 1;
  }
  return { rows, more: 0 };
}

function firstLine(text: string): number {
  const first = text.search(/\S/);
  return first <= 0 ? 0 : text.lastIndexOf("\n", first - 1) + 1;
}

function lineEnd(text: string, at: number, end: number): number {
  const newline = text.indexOf("\n", at);
  return newline < 0 || newline > end ? end : newline;
}

function countLines(text: string, from: number, end: number): number {
  if (from >= end) return 0;
  let lines = 1;
  for (let at = text.indexOf("\n", from); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
