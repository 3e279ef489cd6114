import { parseObject } from "../../pure/base/index.ts";
import { clipEvent, WHOLE } from "../../pure/timeline/index.ts";
import type { LogFiles } from "./log-files.ts";

/** The most events in one response. */
export const MOST_EVENTS = 600;

/** `1-50,99` → pairs of first and last; undefined if the text is not a list of ranges, or asks for too many. */
export function rangesOf(text: string): readonly (readonly [number, number])[] | undefined {
  let count = 0;
  const ranges: [number, number][] = [];
  for (const part of text.split(",")) {
    const [, first, last = first] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? [];
    const range: [number, number] = [Number(first), Number(last)];
    count += range[1] - range[0] + 1;
    if (!(range[0] >= 1 && range[1] >= range[0] && count <= MOST_EVENTS)) return undefined;
    ranges.push(range);
  }
  return ranges;
}

/** The events of these ranges that exist, as lines of the `log` view. */
export function eventLines(files: LogFiles, ranges: readonly (readonly [number, number])[]): Buffer {
  return Buffer.concat(ranges.flatMap(([first, last]) => linesOf(files, first - 1, last)));
}

/** The most bytes of complete events in one response. A single event may be longer. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Complete events from `first` to `last`, as many as fit into one response. */
export function wholeLines(files: LogFiles, first: number, last: number): Buffer {
  if (first > files.count) return Buffer.alloc(0);
  const { offset, lengths } = files.place(first - 1, last);
  let bytes = 0;
  for (const length of lengths) {
    if (bytes > 0 && bytes + length + 1 > MOST_BYTES) break;
    bytes += length + 1;
  }
  return files.bytes(offset, bytes);
}

export function eventLine(files: LogFiles, seq: number): Buffer | undefined {
  const { offset, lengths } = files.place(seq - 1, seq);
  return lengths[0] === undefined ? undefined : files.bytes(offset, lengths[0] + 1);
}

function linesOf(files: LogFiles, from: number, to: number): readonly Buffer[] {
  if (from >= files.count) return [];
  const { offset, lengths } = files.place(from, to);
  const lines: Buffer[] = [];
  let at = offset;
  let run = 0; // bytes of unchanged lines, read in one go
  const take = () => {
    if (run > 0) lines.push(files.bytes(at - run, run));
    run = 0;
  };
  for (const length of lengths) {
    if (length > WHOLE) {
      take();
      lines.push(shortened(files.bytes(at, length)));
    } else run += length + 1;
    at += length + 1;
  }
  take();
  return lines;
}

function shortened(line: Buffer): Buffer {
  return Buffer.from(`${JSON.stringify(clipEvent(parseObject(line.toString()) ?? {}, line.length))}
`);
}
