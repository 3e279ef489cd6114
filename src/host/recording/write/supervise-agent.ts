import { closeSync, openSync, readSync } from "node:fs";
import { count, errorWords, fits, HarnessError, integer, isObject, leaf, nullable, object, text } from "../../../pure/base/index.ts";
import type { ExitRecord, FactBody, Stop } from "../../../pure/events/index.ts";
import type { Exceeded, LaunchExit, Launched } from "../../process/index.ts";
import type { Wiring } from "../../proxy/index.ts";
import type { Clock } from "./clock.ts";
import { closeAgentDescriptors, type OpenDirectory } from "./run-directory.ts";
import type { RunPlan } from "./run-plan.ts";

const GRACE_MS = 5000;

/** The agent's process, from its start until none of its processes is alive. */
export interface Supervision {
  /** Starts it, unless it was stopped before, and waits for its end. */
  run(on: Milestones): Promise<Ended>;
  /** Asks it to stop, and kills it after the grace period. The first reason counts; after the agent's own end none does. */
  stop(reason: Stop): void;
  /** Kills it immediately. */
  hurry(): void;
  readonly isStopped: boolean;
}

export interface Milestones {
  /** Runs before the agent is started. */
  readonly before: () => Promise<void>;
  readonly started: (agent: Launched) => void;
  /** The agent itself has exited. */
  readonly exited: () => void;
  /** Runs before the agent is signalled, to say goodbye. */
  readonly farewell: (reason: Stop) => Promise<void> | undefined;
  /** What the launcher noticed. */
  readonly reported: (fact: FactBody) => void;
  /** Sees the requests to the model. */
  readonly wire?: Wiring | undefined;
}

export interface Ended {
  readonly exit: ExitRecord;
  /** How many processes the agent left behind; they were killed. */
  readonly leftovers: number | null;
  /** Why it could not even be started. */
  readonly unstarted?: HarnessError;
  /** The limit that it, or a process it started, has exceeded. */
  readonly exceeded?: Exceeded;
}

/** A launcher that was asked to end its program may take this long; then the run ends without hearing from it. */
const HUNG_MS = 30_000;
/** The same after its `finish` has resolved. */
const LOST_MS = 1000;

const code = leaf<() => unknown>({}, (value) => typeof value === "function");
const promise = leaf<object>({}, (value) => isObject(value) && typeof value["then"] === "function");
const launched = object({ pid: count, exited: promise, signal: code, finish: code });
const launchExit = object({ exitCode: nullable(integer), signal: nullable(text) });

const GIVEN_UP = Symbol("given up");
const UNSEEN: LaunchExit = { exitCode: null, signal: null };

export function superviseAgent(open: OpenDirectory, plan: RunPlan, clock: Clock, graceMs: number = GRACE_MS): Supervision {
  let agent: Launched | undefined;
  let stopped: Stop | undefined;
  let farewell: Milestones["farewell"] = () => undefined;
  let begunAt = clock.startedAt;
  let isHurried = false;
  let isOver = false;
  const timers = new Set<NodeJS.Timeout>();
  let giveUp = () => {};
  const givenUp = new Promise<typeof GIVEN_UP>((resolve) => {
    giveUp = () => resolve(GIVEN_UP);
  });

  function after(ms: number, step: () => void): void {
    if (!isOver) timers.add(setTimeout(step, ms));
  }

  function end(running: Launched, reason: Stop): void {
    if (isHurried) return kill(running);
    const goodbye = farewell(reason);
    if (goodbye === undefined) terminate(running);
    else void goodbye.then(() => terminate(running));
  }

  function terminate(running: Launched): void {
    if (isOver) return;
    after(graceMs, () => kill(running));
    if (plan.agent.reportsOnInterrupt !== true) return ask(running, "SIGTERM");
    after(graceMs / 2, () => ask(running, "SIGTERM"));
    ask(running, "SIGINT");
  }

  function ask(running: Launched, signal: NodeJS.Signals): void {
    try {
      running.signal(signal);
    } catch {
      kill(running); // what cannot be asked is ended
    }
  }

  function kill(running: Launched): void {
    after(HUNG_MS, giveUp);
    const lost = () => after(LOST_MS, giveUp);
    running.finish().then(lost, lost);
  }

  /** Undefined if it was stopped before it ran. */
  async function start({ before, reported: report, wire }: Milestones): Promise<Launched | undefined> {
    const close = () => closeAgentDescriptors(open);
    try {
      if (stopped === undefined) await before();
    } catch (error) {
      close();
      throw error;
    }
    begunAt = clock.now();
    if (stopped !== undefined) {
      close();
      return;
    }
    const { launcher, binary, args, cwd, env } = plan;
    const { cookie } = open.manifest;
    const launch = async () => launcher.launch({ binary, args, cwd, env, cookie, stdio: open.stdio, report, ...(wire && { wire }) });
    const launching = launch();
    void launching.then(close, close); // not before: the numbers of the descriptors could mean other files by then
    const running = await Promise.race([launching, givenUp]);
    if (running === GIVEN_UP) {
      void launching.then((late) => late.finish()).catch(() => {});
      return undefined;
    }
    if (fits(launched, running)) return running;
    throw new HarnessError("start", `launch() of the launcher ${launcher.id} did not resolve with a running program.`, {
      option: "launcher",
    });
  }

  function ended(exit: LaunchExit, leftovers: number | null, unstarted?: HarnessError): Ended {
    const how = unstarted === undefined ? exit : UNSEEN; // it was not the agent that exited
    const cause = unstarted === undefined ? stopped : "not-started";
    const at = clock.now();
    const record: ExitRecord = { type: "exit", at, ...how, durationMs: at - begunAt, ...(cause && { stopped: cause }) };
    return { exit: record, leftovers, unstarted };
  }

  return {
    get isStopped() {
      return stopped !== undefined;
    },
    stop(reason) {
      if (isOver || stopped !== undefined) return;
      stopped = reason;
      if (agent !== undefined) end(agent, reason);
      else after(HUNG_MS, giveUp);
    },
    hurry() {
      isHurried = true;
      if (agent !== undefined) kill(agent);
    },
    async run(on) {
      try {
        farewell = on.farewell;
        agent = await start(on);
        if (agent === undefined) return ended(UNSEEN, null);
        on.started(agent);
        if (stopped !== undefined) end(agent, stopped); // it was stopped while it was starting
        const seen = await Promise.race([agent.exited, givenUp]);
        isOver = true;
        on.exited();
        if (seen === GIVEN_UP) return ended(UNSEEN, null);
        if (!fits(launchExit, seen))
          throw new HarnessError("start", `The launcher ${plan.launcher.id} reported an exit without an exit code and a signal.`);
        const exit = { exitCode: seen.exitCode, signal: seen.signal };
        const exceeded = agent.exceeded?.();
        if (exceeded?.limit !== undefined) stopped ??= exceeded.limit === "memory" ? "out-of-memory" : "over-limit";
        const { exit: record, unstarted } = ended(exit, null, agent.unstarted?.(exit, headOf(open.paths.stderr)));
        const left = await agent.finish();
        return { exit: record, unstarted, leftovers: fits(count, left) ? left : null, exceeded: exceeded ?? agent.exceeded?.() };
      } catch (error) {
        await Promise.resolve(agent?.finish()).catch(() => null); // nothing may run unrecorded, whatever failed
        const reason = errorWords(error);
        const cause = error instanceof HarnessError ? error : new HarnessError("start", `Cannot start ${plan.binary}: ${reason}.`);
        return ended(UNSEEN, null, cause);
      } finally {
        isOver = true;
        for (const timer of timers) clearTimeout(timer);
      }
    },
  };
}

function headOf(path: string): string {
  try {
    const fd = openSync(path, "r");
    const head = Buffer.alloc(1024);
    const count = readSync(fd, head, 0, head.length, 0);
    closeSync(fd);
    return head.toString("utf8", 0, count);
  } catch {
    return ""; // deleted by the agent, so it did run
  }
}
