import type { ChildProcess } from "node:child_process";
import type { Duplex, Readable, Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { errorWords, HarnessError } from "../../pure/base/index.ts";
import { checkStart } from "./check-start.ts";
import { COOKIE, type GuardedStdio, spawnGuarded, sweep } from "./guardian.ts";

export interface Start {
  readonly binary: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Identifies the run's processes; put into their environment. */
  readonly cookie: string;
  /** The agent's own descriptors; the caller closes its copies after this returns. */
  readonly stdio: GuardedStdio;
}

export interface AgentExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A running agent and everything it started. */
export interface AgentProcess {
  readonly pid: number;
  /** Its standard input, where that is a pipe. */
  readonly stdin: Writable | null;
  /** Its standard output, where that is a pipe. */
  readonly stdout: Readable | null;
  /** When the agent itself has ended; what it left behind may still run. */
  readonly exited: Promise<AgentExit>;
  /** To the agent and all that stayed in its process group; what is stopped is woken up to hear it. */
  signal(name: NodeJS.Signals): void;
  /** Ends everything of the run that still runs; resolves when it is gone, with how many the agent left behind, if that is known. */
  finish(): Promise<number | null>;
}

/** How long the watcher may take to end what is left. An agent can stop it for good, with its whole group. */
const WATCHER_MS = 1500;

/** Starts the agent behind its guardian. Rejects with the true cause where it cannot be started. */
export async function startAgent({ binary, args, cwd, env, cookie, stdio }: Start): Promise<AgentProcess> {
  checkStart({ cwd, args, env });
  const child = await spawned(() => spawnGuarded([binary, ...args], { cwd, env: { ...env, [COOKIE]: cookie }, stdio }), binary, cwd);
  const pid = child.pid ?? 0;
  const control = child.stdio[3] as Duplex;
  let reaped = false;
  let isWatched = true;
  let found: number | null = null;
  const exited = new Promise<AgentExit>((resolve) => {
    child.on("exit", (exitCode, signal) => {
      reaped = true;
      resolve({ exitCode, signal });
    });
  });
  const watcherGone = new Promise<void>((resolve) => {
    control.on("data", (answer: Buffer) => {
      found = Number.parseInt(answer.toString(), 10);
    });
    control.on("error", () => {}); // it was killed: the close follows
    control.on("close", () => {
      isWatched = false;
      resolve();
    });
  });

  function toGroup(name: NodeJS.Signals): void {
    if (pid === 0 || (reaped && !isWatched)) return; // nobody pins the group's number any more: it may be a stranger's
    try {
      process.kill(-pid, name);
    } catch {
      // Nothing of the group is left.
    }
  }

  async function finish(): Promise<number | null> {
    toGroup("SIGCONT");
    control.end();
    await Promise.race([watcherGone, pause(WATCHER_MS, undefined, { ref: false })]);
    toGroup("SIGKILL");
    await watcherGone;
    if (found === null) await sweep(cookie); // the watcher did not come to it
    if (!reaped) child.kill("SIGKILL");
    await exited;
    return found;
  }

  let finished: Promise<number | null> | undefined;
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    signal(name) {
      toGroup(name);
      toGroup("SIGCONT");
    },
    finish: () => (finished ??= finish()),
  };
}

/** Spawning fails in two ways: at once, and by an event. */
async function spawned(start: () => ChildProcess, binary: string, cwd: string): Promise<ChildProcess> {
  try {
    const child = start();
    await new Promise<void>((resolve, reject) => child.on("spawn", resolve).on("error", reject));
    return child;
  } catch (error) {
    checkStart({ cwd, args: [] }); // a directory that has gone meanwhile looks like a program that is not there
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const why = reasons[code] ?? errorWords(error);
    throw new HarnessError("start", `Cannot start ${binary}: ${why}.`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  E2BIG: "its arguments and environment are larger than the system allows",
  EMFILE: "this process has too many files open",
  ENFILE: "the system has too many files open",
  EAGAIN: "the system allows no more processes",
  ENOMEM: "the system has no memory left for it",
  EACCES: "permission denied",
  ENOENT: "the system has no /bin/sh",
};
