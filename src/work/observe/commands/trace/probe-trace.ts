import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { type TraceWay, traceCommand, WAYS } from "./trace-command.ts";

/** In strace's own messages: a filter that compares bits, and lets calls pass that are newer than strace. */
const LETS_PASS = /BPF_JSET/;

/**
 * Finds out what `strace` can do here, with a test file. Undefined if it may not trace at all, as in many containers; then it would not
 * start the agent either. To see effects it must show a process's current directory, which older versions do not.
 */
export function probeTrace(strace: string, file: string): TraceWay | undefined {
  return WAYS.find((way) => {
    const [program, ...args] = [...traceCommand(strace, way, file), "/bin/sh", "-c", ": < /dev/null; exit 7"];
    try {
      const { status, stderr } = spawnSync(program, ["-d", ...args], {
        stdio: ["ignore", "ignore", "pipe"],
        encoding: "latin1",
        timeout: 10_000,
      });
      if (status !== 7) return false;
      return !way.seesEffects || (!LETS_PASS.test(stderr) && readFileSync(file, "latin1").includes("AT_FDCWD</"));
    } catch {
      return false; // it wrote nothing
    } finally {
      rmSync(file, { force: true });
    }
  });
}
