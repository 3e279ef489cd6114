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

/** What each exit code means, for the help and the command reference. */
export const exitCodes: readonly (readonly [number | string, string])[] = [
  [OK, "success; run: the agent completed its task; derive: the input was converted, even if the agent failed"],
  [FAILED, "run: the agent failed, was blocked, crashed, or its model's API was down; check, verify: something is wrong"],
  [USAGE, "wrong usage, unreadable input, or an agent that cannot start"],
  [LOCKED, "another process is writing this run; the message names it"],
  [INTERNAL, "a bug in harness; HARNESS_DEBUG=1 shows the stack"],
  [OUTPUT, "the output or the log could not be written: disk full, read-only"],
  [TIMED_OUT, "the agent ran past --timeout, or was silent past --idle-timeout"],
  ["129, 130, 143", "stopped by SIGHUP, SIGINT, SIGTERM; the run is canceled and sealed"],
  [PIPE_CLOSED, "the reader of the output closed the pipe"],
];

export const errorExitCodes: Readonly<Record<HarnessErrorCode, number>> = {
  usage: USAGE,
  input: USAGE,
  start: USAGE,
  locked: LOCKED,
  output: OUTPUT,
  log: OUTPUT,
};

export function statusExitCode(status: RunStatus | null): number {
  if (status === "completed") return OK;
  return status === "timed_out" || status === "hung" ? TIMED_OUT : FAILED;
}
