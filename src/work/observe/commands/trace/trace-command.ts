import { STARTING } from "./known-parts.ts";
import { UNTRACED } from "./system-calls.ts";

/** What `strace` can do on this machine. */
export interface TraceWay {
  readonly options: readonly string[];
  /** It shows the effects of calls, not only program starts. */
  readonly seesEffects: boolean;
}

/**
 * Stops a process only at traced calls, which is faster, or at every system call. Traces every call but a few
 * harmless ones, so that an unknown call is seen. An `io_uring` could do anything without a call, so
 * processes see a system without it, as in most containers; every program that uses it works without.
 */
export const WAYS: readonly TraceWay[] = [true, false].flatMap((seesEffects) =>
  [["--seccomp-bpf"], []].map((way) => {
    const effects = [
      "-y",
      "--quiet=attach",
      "--pidns-translation", // in a container a fork returns different process ids than strace sees
      ...calls("!", UNTRACED),
      "-e",
      "inject=?io_uring_setup:error=ENOSYS",
    ];
    return { options: [...way, ...(seesEffects ? effects : ["-q", ...calls("", STARTING)])], seesEffects };
  }),
);

/** A call with a question mark may be missing on this machine. */
function calls(not: "!" | "", names: readonly string[]): readonly string[] {
  return ["-e", `trace=${not}${names.map((name) => `?${name}`).join(",")}`];
}

/** Frequent signals that end no process. Signals that may end a process are traced: otherwise its end would be missing too. */
const HARMLESS = ["SIGCHLD", "SIGURG", "SIGWINCH", "SIGCONT"];

export type TraceCommand = readonly [strace: string, ...options: string[]];

/** The strace command line: with times, to its stderr, from a process outside the agent's tree that signals do not end. */
export function traceCommand(strace: string, { options }: TraceWay): TraceCommand {
  return [strace, "-D", "-f", "-I", "3", ...options, "-ttt", "-s", "1024", "-e", `signal=!${HARMLESS.join(",")}`, "--"];
}
