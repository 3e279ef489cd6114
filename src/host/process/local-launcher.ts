import type { ChildProcess } from "node:child_process";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf, errorWords, HarnessError } from "../../pure/base/index.ts";
import { checkStart } from "./check-start.ts";
import { failedStart } from "./failed-start.ts";
import { COOKIE, channelOf, spawnGuarded, sweep } from "./guardian.ts";
import type { Launch, LaunchExit, Launched, Launcher } from "./launcher.ts";
import { resourceMeter } from "./resource-meter.ts";
import { type Enclosure, inWalls, type Walled } from "./walled.ts";

/** How long the watcher may take to end the remaining processes. An agent can stop it for good, along with its whole group. */
const WATCHER_MS = 1500;

/** Starts programs on this machine, behind a guardian that ends them if we die. */
export const localLauncher: Launcher = { id: "local", launch: (program) => launch(program) };

/** Starts a program on this machine inside walls. */
export function launchWalled(program: Launch, walls: Enclosure): Promise<Launched> {
  return launch(program, walls);
}

async function launch(program: Launch, walls?: Enclosure): Promise<Launched> {
  const { binary, args, env, cookie, stdio, before = [], channel } = program;
  const cwd = walls?.cwd ?? program.cwd;
  checkStart({ cwd, args, env });
  const command = walls === undefined ? [binary, ...args] : walls.wrap(inWalls.command([binary, ...args], walls.hold));
  const hasChannel = channel === true && walls?.first === undefined;
  const options = { cwd, env: { ...(walls?.env ?? env), [COOKIE]: cookie }, stdio, hasReport: walls !== undefined, hasChannel };
  const child = await spawned(() => spawnGuarded([...before, ...command], options), binary, cwd);
  const pid = child.pid ?? 0;
  const walled: Walled | undefined = walls && inWalls.watch(pid, child.stdio[4] as Duplex, walls.first);
  const control = child.stdio[3] as Duplex;
  const channelled = channelOf(child);
  let reaped = false;
  let isWatched = true;
  let found: number | null = null;
  const reapedAs = new Promise<LaunchExit>((resolve) => {
    child.on("exit", (exitCode, signal) => {
      reaped = true;
      resolve({ exitCode, signal });
    });
  });
  const exited = walled === undefined ? reapedAs : walled.exited(reapedAs);
  const watcherGone = new Promise<void>((resolve) => {
    control.on("data", (answer: Buffer) => {
      found = Number.parseInt(answer.toString(), 10);
    });
    control.on("error", () => {}); // it was killed: `close` follows
    control.on("close", () => {
      isWatched = false;
      resolve();
    });
  });

  function toGroup(name: NodeJS.Signals): void {
    if (pid === 0 || (reaped && !isWatched)) return; // the group's number may belong to someone else by now
    try {
      process.kill(-pid, name);
    } catch {
      // The group is gone.
    }
  }

  async function finish(): Promise<number | null> {
    const left = walled?.leftovers();
    toGroup("SIGCONT");
    await walled?.end(reapedAs);
    control.end();
    await Promise.race([watcherGone, pause(WATCHER_MS, undefined, { ref: false })]);
    toGroup("SIGKILL");
    await watcherGone;
    if (found === null) await sweep(cookie); // the watcher did not answer
    if (!reaped) child.kill("SIGKILL");
    await reapedAs;
    await walled?.gone();
    await exited;
    return left ?? found;
  }

  let finished: Promise<number | null> | undefined;
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    ...(channelled && { channel: channelled }),
    exited,
    ...(walled && { leader: walled.leader }),
    signal(name) {
      if (walled !== undefined) return walled.signal(name);
      toGroup(name);
      toGroup("SIGCONT");
    },
    finish: () => (finished ??= finish()),
    unstarted: (exit, stderr) => walled?.unbuilt(stderr) ?? failedStart(binary, exit, stderr),
    measure: () => (walled === undefined ? resourceMeter(() => pid) : resourceMeter(walled.agent, walled.times)),
  };
}

/** Spawning fails either immediately or through an event. */
async function spawned(start: () => ChildProcess, binary: string, cwd: string): Promise<ChildProcess> {
  try {
    const child = start();
    await new Promise<void>((resolve, reject) => child.on("spawn", resolve).on("error", reject));
    return child;
  } catch (error) {
    checkStart({ cwd, args: [] }); // a missing directory looks like a missing program
    const code = codeOf(error);
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
