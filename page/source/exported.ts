import { blockOf } from "./block-of.ts";
import { exportedRun } from "./exported-run.ts";
import type { RunSource } from "./run-source.ts";

let run: RunSource | undefined;

/** The run in this file, if the page is an exported file. */
export function exported(): RunSource | undefined {
  if (run === undefined && blockOf("log") !== undefined) run = exportedRun();
  return run;
}
