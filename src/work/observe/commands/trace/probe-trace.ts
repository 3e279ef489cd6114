import { spawnSync } from "node:child_process";
import { type TraceWay, traceCommand, WAYS } from "./trace-command.ts";

/** In strace's own messages: a filter that compares bits, and lets calls pass that are newer than strace. */
const LETS_PASS = /BPF_JSET/;

/**
 * Finds out what `strace` can do here, with a test program. Undefined if it may not trace at all, as in many containers; then it would not
 * start the agent either. To see effects it must show a process's current directory, which older versions do not.
 */
export function probeTrace(strace: string): TraceWay | undefined {
  return WAYS.find((way) => {
    const [program, ...args] = [...traceCommand(strace, way), "/bin/sh", "-c", ": < /dev/null; exit 7"];
    const { status, stderr } = spawnSync(program, ["-d", ...args], {
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "latin1",
      timeout: 10_000,
      maxBuffer: 64 * 1024 * 1024,
    });
    return status === 7 && (!way.seesEffects || (!LETS_PASS.test(stderr) && stderr.includes("AT_FDCWD</")));
  });
}
