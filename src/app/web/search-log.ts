import { setImmediate as nextTurn } from "node:timers/promises";
import { parseObject } from "../../pure/base/index.ts";
import { holdsText } from "../../pure/timeline/index.ts";
import type { LogFiles } from "./log-files.ts";

/** Continue at this event; null if everything so far was searched. */
export interface Found {
  readonly seqs: readonly number[];
  readonly next: number | null;
  /** How many events, from the first on, were searched. */
  readonly looked: number;
}

const AT_A_TIME = 256;
const BLOCK_BYTES = 1024 * 1024;
const MOST_HITS = 2000;
const BUDGET_MS = 250;
const TURN_MS = 12;

/** The events from `from` on that contain this text in a value, ignoring case. Lets other requests in, and stops after a time limit. */
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
    // Most blocks do not contain the text at all; only the others are split into lines.
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

/** At least one line, and at most as many as fit into a block. */
function blockAt(files: LogFiles, at: number): { readonly offset: number; readonly lengths: readonly number[] } {
  const { offset, lengths } = files.place(at, Math.min(at + AT_A_TIME, files.count));
  let bytes = 0;
  const end = lengths.findIndex((length, i) => {
    bytes += length + 1;
    return i > 0 && bytes > BLOCK_BYTES;
  });
  return { offset, lengths: end === -1 ? lengths : lengths.slice(0, end) };
}

/** Whether bytes contain a text as JSON spells it. ASCII text is compared as latin1, which is four times as fast. */
function writtenIn(text: string): (bytes: Buffer) => boolean {
  const written = JSON.stringify(text).slice(1, -1).toLowerCase();
  const encoding = /^[\u0020-\u007e]*$/.test(written) ? "latin1" : "utf8";
  return (bytes) => bytes.toString(encoding).toLowerCase().includes(written);
}
