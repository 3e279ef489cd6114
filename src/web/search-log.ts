import { setImmediate as nextTurn } from "node:timers/promises";
import { parseObject } from "../core/json.ts";
import { holdsText } from "../timeline/holds-text.ts";
import type { LogFiles } from "./log-files.ts";

/** Where to go on; null: everything was looked at that is there. */
export interface Found {
  readonly seqs: readonly number[];
  readonly next: number | null;
}

const AT_A_TIME = 256;
const MOST_HITS = 2000;
const BUDGET_MS = 250;
const TURN_MS = 12;

/** The events, from `from` on, that hold this text in one of their values, in either case. Gives up the turn, and after a while the search. */
export async function searchLog(files: LogFiles, text: string, from: number): Promise<Found> {
  const wanted = text.toLowerCase();
  const written = JSON.stringify(text).slice(1, -1).toLowerCase(); // as it stands in a line
  const seqs: number[] = [];
  const begin = performance.now();
  let turn = begin;
  let at = from - 1;
  while (at < files.count) {
    const { offset, lengths } = files.place(at, Math.min(at + AT_A_TIME, files.count));
    let start = offset;
    for (const length of lengths) {
      const line = files.bytes(start, length).toString();
      if (line.toLowerCase().includes(written) && holdsText(parseObject(line), wanted)) seqs.push(at + 1);
      start += length + 1;
      at++;
      if (seqs.length >= MOST_HITS || performance.now() - begin > BUDGET_MS) return { seqs, next: at + 1 };
      if (performance.now() - turn < TURN_MS) continue;
      await nextTurn();
      turn = performance.now();
    }
  }
  return { seqs, next: null };
}
