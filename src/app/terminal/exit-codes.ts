import type { HarnessErrorCode } from "../../pure/base/index.ts";
import type { RunStatus } from "../../pure/events/index.ts";

export const OK = 0;
export const FAILED = 1;
export const USAGE = 2;
const LOCKED = 3;
export const INTERNAL = 70;
const OUTPUT = 74;
const TIMED_OUT = 124;
export const PIPE_CLOSED = 141;

/** What each exit code means: shown by `--help`, repeated in docs/cli.md. */
export const exitCodes: readonly (readonly [number | string, string])[] = [
  [OK, "done; for run: the agent completed its task; for derive: the input was derived, however the agent's run went"],
  [FAILED, "for run: failed, blocked, crashed, or its model's API was down (the status says which); for a check: it does not hold"],
  [USAGE, "wrong usage, an input that cannot be read, or an agent that cannot be started"],
  [LOCKED, "another process is writing this run; it is named"],
  [INTERNAL, "an error in harness itself (HARNESS_DEBUG=1 shows where)"],
  [OUTPUT, "the output or the log could not be written: disk full, read-only"],
  [TIMED_OUT, "the agent ran past --timeout, or was silent past --idle-timeout"],
  ["129, 130, 143", "ended by SIGHUP, SIGINT, SIGTERM; the run is canceled and sealed"],
  [PIPE_CLOSED, "the reader of our output closed the pipe"],
];

/** For what could not be done. */
export const errorExitCodes: Readonly<Record<HarnessErrorCode, number>> = {
  usage: USAGE,
  input: USAGE,
  start: USAGE,
  locked: LOCKED,
  output: OUTPUT,
  log: OUTPUT,
};

/** For what became of a run. */
export function statusExitCode(status: RunStatus | null): number {
  if (status === "completed") return OK;
  return status === "timed_out" || status === "hung" ? TIMED_OUT : FAILED;
}
