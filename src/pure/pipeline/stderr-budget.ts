import type { RecordRef } from "../events/index.ts";

/** Lines of stderr that become warnings one by one, before a flood is only counted. */
export const STDERR_HEAD = 1000;
const STDERR_TAIL = 20;

export interface StderrLine {
  readonly text: string;
  readonly from: readonly RecordRef[];
}

/** Lets the first lines pass, then counts, and keeps the last few: 1 GB of stderr must not become 1 GB of events. */
export function stderrBudget() {
  let seen = 0;
  const last: StderrLine[] = [];

  return {
    /** True while the line may become an event now. */
    admits(line: StderrLine): boolean {
      if (++seen <= STDERR_HEAD) return true;
      last.push(line);
      if (last.length > STDERR_TAIL) last.shift();
      return false;
    },
    /** How many lines were only counted, and the last lines of all, which were held back. */
    rest(): { readonly skipped: number; readonly last: readonly StderrLine[] } {
      return { skipped: Math.max(0, seen - STDERR_HEAD - last.length), last };
    },
  };
}
