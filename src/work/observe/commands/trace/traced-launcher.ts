import type { Launcher } from "../../../../host/process/index.ts";
import type { TraceCommand } from "./trace-command.ts";

/** Launches every program under `strace`. strace is not its parent, so the process, its exit code and its signals are unchanged. */
export function tracedLauncher(inner: Launcher, [strace, ...options]: TraceCommand): Launcher {
  return {
    ...inner,
    id: inner.id === "local" ? "traced" : `traced ${inner.id}`,
    launch: (program) => inner.launch({ ...program, binary: strace, args: [...options, program.binary, ...program.args] }),
  };
}
