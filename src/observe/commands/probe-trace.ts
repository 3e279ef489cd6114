import { spawnSync } from "node:child_process";

/** Tried in this order: stopped only at what is traced, which is faster; stopped at every call of the system. */
const WAYS: readonly (readonly string[])[] = [["--seccomp-bpf"], []];

/** Which options `strace` takes here; undefined where it may not trace at all, as in many containers: it would not start the agent either. */
export function probeTrace(strace: string): readonly string[] | undefined {
  return WAYS.find((way) => {
    const { status } = spawnSync(strace, ["-D", "-f", ...way, "-o", "/dev/null", "--", "/bin/sh", "-c", "exit 7"], {
      stdio: "ignore",
      timeout: 10_000,
    });
    return status === 7;
  });
}
