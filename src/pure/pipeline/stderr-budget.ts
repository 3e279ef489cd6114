import type { RecordRef } from "../events/index.ts";

/** So many lines of stderr become warnings one by one; further lines are only counted. */
export const STDERR_HEAD = 1000;
const STDERR_TAIL = 20;

export interface StderrLine {
  readonly text: string;
  readonly from: readonly RecordRef[];
}

/** Passes the first lines, then counts, and keeps the last few: 1 GB of stderr must not become 1 GB of events. */
export function stderrBudget() {
  let seen = 0;
  const last: StderrLine[] = [];

  return {
    /** Whether the line may become an event now. */
    admits(line: StderrLine): boolean {
      if (++seen <= STDERR_HEAD) return true;
      last.push(line);
      if (last.length > STDERR_TAIL) last.shift();
      return false;
    },
    /** The number of lines that were only counted, and the last lines, which were held back. */
    rest(): { readonly skipped: number; readonly last: readonly StderrLine[] } {
      return { skipped: Math.max(0, seen - STDERR_HEAD - last.length), last };
    },
  };
}
