import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { LaunchStdio } from "./launcher.ts";
import { processFile, processIds } from "./process-files.ts";

/** The variable that every process of a run carries. A harness inside an agent gives its own agents a different value. */
export const COOKIE = "HARNESS_RUN_COOKIE";

/**
 * Kills everything that carries the cookie, repeatedly until nothing does (a process may fork while we search), then its own process group,
 * including itself. $1 is `NAME=value`; $2 is the agent, which is killed but not counted. Without /proc, `ps` finds them; no Mac has run this yet. The exit
 * status of grep is ignored: it is 2 as soon as one process is unreadable, and one always is. The system's own grep comes first: a grep on
 * the agent's PATH may be a wrapper that logs its arguments, or the agent's own.
 */
const SWEEP = `listed() {
  ps -A -E -ww -o pid=,command= | while read -r p rest; do
    case $rest in *"harness-watch $1"*) ;; *"$1"*) echo "/proc/$p/environ" ;; esac
  done
}
PATH=/usr/bin:/bin:$PATH n=0 found=0 seen=" $2 "
while [ $n -lt 50 ]; do
  pids=$(if [ -d /proc/self ]; then grep -lsF "$1" /proc/[0-9]*/environ; else listed "$1"; fi)
  [ -n "$pids" ] || break
  for p in $pids; do
    p=\${p#/proc/} p=\${p%/environ}
    kill -KILL "$p"
    case $seen in *" $p "*) ;; *) seen="$seen$p " found=$((found+1)) ;; esac
  done
  n=$((n+1))
done 2>/dev/null
echo $found >&3
kill -KILL 0`;

/**
 * Waits for the end of the control pipe. Only the recorder holds the other end, so the pipe ends when the recorder asks, and when the
 * recorder dies in any way. The watcher stays in the agent's process group, so that the group's number cannot be reused, and ignores
 * signals sent to the group. It does not carry the cookie itself.
 */
const WATCH = `read -r _ <&3
${SWEEP}`;

/** Finds a watcher, which does not carry the cookie it watches. */
export const WATCH_NAME = "harness-watch";

/** Every signal that can be ignored and does not report a fault of the process itself. PIPE: a dead recorder does not read our answer. */
const DEAF_TO = "HUP INT QUIT PIPE ALRM TERM USR1 USR2 TSTP TTIN TTOU";

/**
 * Starts the watcher as an orphan, then becomes the agent, so that exit code and signal are the agent's own. $1 is the watcher's script,
 * the rest is the agent's command. The signals are ignored from before the watcher starts. If the watcher cannot be started, neither is the
 * agent.
 */
const GUARD = `watch=$1; shift
trap '' ${DEAF_TO}
( ( cookie=$${COOKIE}; unset ${COOKIE}; exec /bin/sh -c "$watch" ${WATCH_NAME} "${COOKIE}=$cookie" $$ </dev/null >/dev/null 2>&1 4>&- 6>&- ) & ) || exit
trap - ${DEAF_TO}
exec 3>&-
exec "$@"`;

/** The name under which the shell reports that it could not become the agent. */
export const GUARD_NAME = "harness-guard";

interface Sockets {
  readonly hasReport?: boolean;
  readonly hasChannel?: boolean;
}

/** The descriptor of the channel. */
const CHANNEL = 6;

/** Our end of the channel, if the program has one. */
export function channelOf({ stdio }: ChildProcess): Duplex | undefined {
  return (stdio as readonly unknown[])[CHANNEL] as Duplex | undefined;
}

/**
 * Spawns the agent's command behind a guardian: in a new session without a terminal, with the control pipe as fd 3. With `hasReport`, the
 * command also gets a socket as fd 4, and with `hasChannel` one as fd 6.
 */
export function spawnGuarded(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly stdio: LaunchStdio } & Sockets,
): ChildProcess {
  const report = options.hasReport === true ? "pipe" : "ignore";
  const more = options.hasChannel === true ? ([report, "ignore", "pipe"] as const) : options.hasReport === true ? ([report] as const) : [];
  const stdio: StdioOptions = [...options.stdio, "pipe", ...more];
  return spawn("/bin/sh", ["-c", GUARD, GUARD_NAME, WATCH, ...command], { cwd: options.cwd, env: options.env, detached: true, stdio });
}

/** How many times we search again, and how long the killed processes have to exit in between. */
const ROUNDS = 100;
const PAUSE_MS = 10;

/**
 * Kills everything that still carries this cookie, for a run that has lost its recorder and perhaps its watcher. A stopped watcher is woken
 * up, because only the watcher can kill the group. Resolves when nothing is left.
 */
export async function sweep(cookie: string): Promise<void> {
  const mark = `${COOKIE}=${cookie}`;
  for (let round = 1; round <= ROUNDS; round++) {
    const carriers = processesWith("environ", mark);
    const watchers = processesWith("cmdline", `${WATCH_NAME}\0${mark}\0`);
    if (carriers.length + watchers.length === 0) return;
    for (const pid of watchers) signal(pid, round < ROUNDS / 2 ? "SIGCONT" : "SIGKILL");
    for (const pid of carriers) signal(pid, "SIGKILL");
    await pause(PAUSE_MS);
  }
}

function processesWith(file: "environ" | "cmdline", text: string): readonly number[] {
  return processIds().filter((pid) => pid !== process.pid && processFile(pid, file).includes(text));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
