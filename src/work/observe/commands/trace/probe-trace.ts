import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { type TraceWay, traceCommand, WAYS } from "./trace-command.ts";

/**
 * What `strace` can do here, tried with a file it may write; undefined where it may not trace at all, as in many containers: it would not
 * start the agent either. Who sees what calls do must show where a process stands, which older ones do not.
 */
export function probeTrace(strace: string, file: string): TraceWay | undefined {
  return WAYS.find((way) => {
    const [program, ...args] = [...traceCommand(strace, way, file), "/bin/sh", "-c", ": < /dev/null; exit 7"];
    try {
      const { status } = spawnSync(program, args, { stdio: "ignore", timeout: 10_000 });
      return status === 7 && (!way.seesEffects || readFileSync(file, "latin1").includes("AT_FDCWD</"));
    } catch {
      return false; // it has written nothing
    } finally {
      rmSync(file, { force: true });
    }
  });
}
