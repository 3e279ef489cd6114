import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";

/** The variable that every process of a run carries. A harness inside an agent gives its own agents another value. */
export const COOKIE = "HARNESS_RUN_COOKIE";

/**
 * Ends all that carries the cookie, again and again until nothing does (a process may fork while we look), then its own
 * process group, itself included. $1 is `NAME=value`. Without /proc only the group is ended.
 */
const SWEEP = `n=0 found=0
while pids=$(grep -lsF "$1" /proc/[0-9]*/environ) && [ $n -lt 50 ]; do
  for p in $pids; do p=\${p#/proc/}; kill -KILL "\${p%/environ}" && found=$((found+1)); done
  n=$((n+1))
done 2>/dev/null
echo $found >&3
kill -KILL 0`;

/**
 * Waits for the end of the control pipe, whose other end only the recorder holds: it ends when the recorder asks, and when
 * the recorder dies, however it dies. It stays in the agent's process group, so that the group's number cannot become
 * somebody else's, and is deaf to the signals the group is sent. It does not carry the cookie itself.
 */
const WATCH = `read -r _ <&3
${SWEEP}`;

/**
 * Starts the watcher as nobody's child, then becomes the agent, so that exit code and signal are the agent's own. $1 is
 * the watcher's script, the rest the agent's command. The signals are ignored while the watcher is born, not later.
 */
const GUARD = `watch=$1; shift
trap '' TERM INT HUP
( ( cookie=$${COOKIE}; unset ${COOKIE}; exec /bin/sh -c "$watch" harness-watch "${COOKIE}=$cookie" </dev/null >/dev/null 2>&1 ) & )
trap - TERM INT HUP
exec 3>&-
exec "$@"`;

/** The name under which the shell reports that it could not become the agent. */
export const GUARD_NAME = "harness-guard";

/** The agent's command behind a guardian: a new session without a terminal, with the control pipe as its fd 3. */
export function spawnGuarded(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly stdio: readonly [number | "ignore", number, number] },
): ChildProcess {
  const stdio: StdioOptions = [...options.stdio, "pipe"];
  return spawn("/bin/sh", ["-c", GUARD, GUARD_NAME, WATCH, ...command], { cwd: options.cwd, env: options.env, detached: true, stdio });
}

/** Ends whatever still carries this cookie: for a run whose guardian is gone as well. Resolves when nothing is left. */
export function sweep(cookie: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", `exec 3>/dev/null; ${SWEEP}`, "harness-sweep", `${COOKIE}=${cookie}`], {
      detached: true,
      stdio: "ignore",
    });
    child.on("error", () => resolve()); // no shell: nothing was started either
    child.on("exit", () => resolve());
  });
}
