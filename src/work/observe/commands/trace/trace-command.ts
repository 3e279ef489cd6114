import { CHANGING } from "./changed-places.ts";
import { WATCHED } from "./effect-reader.ts";
import { SOCKETS } from "./trace-sockets.ts";

/** How much of it `strace` can do here. */
export interface TraceWay {
  readonly options: readonly string[];
  /** It shows what calls do, not only which programs are started. */
  readonly seesEffects: boolean;
}

const STARTS = ["execve", "execveat", "clone", "clone3", "fork", "vfork"];

/**
 * Stopped only at what is traced, which is faster, or at every call of the system. A ring of `io_uring` would do anything without a
 * call: such a process is told that this system has none, as in most containers, and every program that uses one does without.
 */
export const WAYS: readonly TraceWay[] = [true, false].flatMap((seesEffects) =>
  [["--seccomp-bpf"], []].map((way) => {
    const effects = [
      "-y",
      "--quiet=attach",
      "--pidns-translation", // in a container a fork gives other numbers than strace has
      ...calls([...STARTS, ...CHANGING, ...SOCKETS, ...WATCHED]),
      "-e",
      "inject=?io_uring_setup:error=ENOSYS",
    ];
    return { options: [...way, ...(seesEffects ? effects : ["-q", ...calls(STARTS)])], seesEffects };
  }),
);

/** Not every machine has all of them: those with a question mark may be missing. */
function calls(names: readonly string[]): readonly string[] {
  return ["-e", `trace=${[...new Set(names)].map((name) => `?${name}`).join(",")}`];
}

/** Signals that end nobody, and come often. Those that may end a process are told: else its end would not be told either. */
const HARMLESS = ["SIGCHLD", "SIGURG", "SIGWINCH", "SIGCONT"];

export type TraceCommand = readonly [strace: string, ...options: string[]];

/** How `strace` is asked: with times, in one file, from a process beside the agent's tree. */
export function traceCommand(strace: string, { options }: TraceWay, file: string): TraceCommand {
  return [strace, "-D", "-f", ...options, "-ttt", "-s", "1024", "-e", `signal=!${HARMLESS.join(",")}`, "-o", file, "--"];
}
