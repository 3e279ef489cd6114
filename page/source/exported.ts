import { blockOf } from "./block-of.ts";
import { exportedRun } from "./exported-run.ts";
import type { RunSource } from "./run-source.ts";

/** Where the page is a file that holds one run: that run. */
export const exported: RunSource | undefined = blockOf("log") === undefined ? undefined : exportedRun();
