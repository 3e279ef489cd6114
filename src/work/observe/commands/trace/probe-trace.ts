import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { type TraceWay, traceCommand, WAYS } from "./trace-command.ts";

/**
 * Finds out what `strace` can do here, with a test file. Undefined if it may not trace at all, as in many containers; then it would not
 * start the agent either. To see effects it must show a process's current directory, which older versions do not.
 */
export function probeTrace(strace: string, file: string): TraceWay | undefined {
  return WAYS.find((way) => {
    const [program, ...args] = [...traceCommand(strace, way, file), "/bin/sh", "-c", ": < /dev/null; exit 7"];
    try {
      const { status } = spawnSync(program, args, { stdio: "ignore", timeout: 10_000 });
      return status === 7 && (!way.seesEffects || readFileSync(file, "latin1").includes("AT_FDCWD</"));
    } catch {
      return false; // it wrote nothing
    } finally {
      rmSync(file, { force: true });
    }
  });
}
