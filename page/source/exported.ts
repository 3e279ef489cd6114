import { blockOf } from "./block-of.ts";
import { exportedRun } from "./exported-run.ts";
import type { RunSource } from "./run-source.ts";

let run: RunSource | undefined;

/** Where the page is a file that holds one run: that run. */
export function exported(): RunSource | undefined {
  if (run === undefined && blockOf("log") !== undefined) run = exportedRun();
  return run;
}
