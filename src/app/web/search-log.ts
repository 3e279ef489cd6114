import { setImmediate as nextTurn } from "node:timers/promises";
import { parseObject } from "../../pure/base/index.ts";
import { holdsText } from "../../pure/timeline/index.ts";
import type { LogFiles } from "./log-files.ts";

/** Where to go on; null: everything was looked at that is there. */
export interface Found {
  readonly seqs: readonly number[];
  readonly next: number | null;
  /** Events that were looked at, from the beginning on. */
  readonly looked: number;
}

const AT_A_TIME = 256;
const BLOCK_BYTES = 1024 * 1024;
const MOST_HITS = 2000;
const BUDGET_MS = 250;
const TURN_MS = 12;

/** The events, from `from` on, that hold this text in one of their values, in either case. Gives up the turn, and after a while the search. */
export async function searchLog(files: LogFiles, text: string, from: number): Promise<Found> {
  const wanted = text.toLowerCase();
  const isWritten = writtenIn(text);
  const seqs: number[] = [];
  const begin = performance.now();
  let turn = begin;
  let at = from - 1;
  while (at < files.count) {
    const { offset, lengths } = blockAt(files, at);
    const block = files.bytes(
      offset,
      lengths.reduce((sum, length) => sum + length + 1, 0),
    );
    // Most of a long run does not hold it: that is seen at once, without looking at its lines one by one.
    if (isWritten(block)) {
      let start = 0;
      for (const [i, length] of lengths.entries()) {
        const line = block.subarray(start, start + length);
        if (isWritten(line) && holdsText(parseObject(line.toString()), wanted)) seqs.push(at + i + 1);
        start += length + 1;
      }
    }
    at += lengths.length;
    const now = performance.now();
    if (at < files.count && (seqs.length >= MOST_HITS || now - begin > BUDGET_MS)) return { seqs, next: at + 1, looked: at };
    if (now - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
  return { seqs, next: null, looked: at };
}

/** Some lines that can be read at once: always one, and no more than have room. */
function blockAt(files: LogFiles, at: number): { readonly offset: number; readonly lengths: readonly number[] } {
  const { offset, lengths } = files.place(at, Math.min(at + AT_A_TIME, files.count));
  let bytes = 0;
  const end = lengths.findIndex((length, i) => {
    bytes += length + 1;
    return i > 0 && bytes > BLOCK_BYTES;
  });
  return { offset, lengths: end === -1 ? lengths : lengths.slice(0, end) };
}

/** Whether bytes hold a text as it stands in a line. Letters that are one byte each are compared four times as fast. */
function writtenIn(text: string): (bytes: Buffer) => boolean {
  const written = JSON.stringify(text).slice(1, -1).toLowerCase();
  const encoding = /^[\u0020-\u007e]*$/.test(written) ? "latin1" : "utf8";
  return (bytes) => bytes.toString(encoding).toLowerCase().includes(written);
}
