import { expect } from "vitest";
import type { Evaluated, Place } from "./place.ts";

/** Fails, edits what is on disk, and kills the evaluator; once. */
export function saboteur(deed: string): string {
  return `echo no; [ -e "$PLACE/done" ] && exit; [ -e "$PLACE/first" ] || { touch "$PLACE/first"; exit; }
    touch "$PLACE/done"; ${deed}; kill -9 $PPID; sleep 5`;
}

/** An evaluation that the saboteur kills, and the call that continues it. Without walls: in them it sees neither process nor results. */
export async function killed(here: Place, deed: string, rows: readonly object[], ...more: readonly string[]): Promise<Evaluated> {
  const options = ["-g", "exact", "--isolate", "none", ...more];
  const first = await here.evaluate(saboteur(deed), rows, ...options);
  expect(first.code).not.toBe(0);
  return here.evaluate(saboteur(deed), rows, ...options, "--append");
}
