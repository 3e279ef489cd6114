import { kindNumber } from "../../src/pure/timeline/index.ts";
import type { Columns } from "../timeline/index.ts";

/** Runs up to this many events are drawn completely. Longer ones are drawn in windows, smaller if events are long. */
const WHOLE = 20_000;
const WINDOW = 5000;
const LEAST = 500;
const MOST_BYTES = 32 * 1024 * 1024;
/** The most open calls and subagents that are carried into a window. */
const MOST_OPEN = 200;

export interface GraphWindow {
  readonly first: number;
  readonly last: number;
}

/** The window that contains this event; `bytes` is the size of the agent's output. */
export function windowAround(seq: number, count: number, bytes: number): GraphWindow {
  if (count <= WHOLE && bytes <= MOST_BYTES) return { first: 1, last: count };
  const fitting = Math.floor((MOST_BYTES * count) / Math.max(1, bytes) / LEAST) * LEAST;
  const size = Math.max(LEAST, Math.min(WINDOW, fitting));
  const first = Math.floor((Math.max(1, Math.min(seq, count)) - 1) / size) * size + 1;
  return { first, last: Math.min(count, first + size - 1) };
}

const START = kindNumber("run-start");
const SESSION = kindNumber("session");
const CALL = kindNumber("tool-start");
const SUBAGENT = kindNumber("subagent-start");

/** The events that a window needs in front: the start of the run, and the calls and subagents that are open where it begins. */
export function openBefore({ kind, endOf }: Columns, first: number): readonly number[] {
  const begun: number[] = [];
  const open: number[] = [];
  for (let i = 0; i < first - 1; i++) {
    const own = kind[i];
    if (own === START || (own === SESSION && begun.length < 2)) begun.push(i + 1);
    const end = endOf[i] ?? 0;
    if ((own === CALL || own === SUBAGENT) && (end === 0 || end >= first)) open.push(i + 1);
  }
  return [...begun.slice(0, 2), ...open.slice(-MOST_OPEN)];
}
