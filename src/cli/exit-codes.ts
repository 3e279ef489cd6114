export const OK = 0;
export const USAGE = 2;
export const INTERNAL = 70;
export const OUTPUT = 74;
export const PIPE_CLOSED = 141;

/** What each exit code means: shown by `--help`, repeated in docs/cli.md. */
export const exitCodes: readonly (readonly [number, string])[] = [
  [OK, "done; for derive: the input was derived, however the agent's run went"],
  [USAGE, "wrong usage, or an input that cannot be read"],
  [INTERNAL, "an error in harness itself (HARNESS_DEBUG=1 shows where)"],
  [OUTPUT, "the output could not be written: disk full, read-only"],
  [PIPE_CLOSED, "the reader of our output closed the pipe"],
];
