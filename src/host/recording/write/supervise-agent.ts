import { closeSync, openSync, readSync } from "node:fs";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import type { ExitRecord, Stop } from "../../../pure/events/index.ts";
import type { LaunchExit, Launched } from "../../process/index.ts";
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
}

export interface Ended {
  readonly exit: ExitRecord;
  /** How many processes the agent left behind; they were killed. */
  readonly leftovers: number | null;
  /** Why it could not even be started. */
  readonly unstarted?: HarnessError;
}

const UNSEEN: LaunchExit = { exitCode: null, signal: null };

export function superviseAgent(open: OpenDirectory, plan: RunPlan, clock: Clock, graceMs: number = GRACE_MS): Supervision {
  let agent: Launched | undefined;
  let stopped: Stop | undefined;
  let farewell: Milestones["farewell"] = () => undefined;
  let begunAt = clock.startedAt;
  let isHurried = false;
  let isOver = false;

  function end(running: Launched, reason: Stop): void {
    if (isHurried) return void running.finish();
    const goodbye = farewell(reason);
    if (goodbye === undefined) terminate(running);
    else void goodbye.then(() => terminate(running));
  }

  function terminate(running: Launched): void {
    if (isOver) return;
    running.signal("SIGTERM");
    const grace = setTimeout(() => void running.finish(), graceMs);
    void running.exited.then(() => clearTimeout(grace));
  }

  async function start(before: Milestones["before"]): Promise<Launched | undefined> {
    try {
      if (stopped === undefined) await before();
      begunAt = clock.now();
      if (stopped !== undefined) return undefined;
      const { launcher, binary, args, cwd, env } = plan;
      return await launcher.launch({ binary, args, cwd, env, cookie: open.manifest.cookie, stdio: open.stdio });
    } finally {
      closeAgentDescriptors(open);
    }
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
    },
    hurry() {
      isHurried = true;
      void agent?.finish();
    },
    async run(on) {
      try {
        farewell = on.farewell;
        agent = await start(on.before);
        if (agent === undefined) return ended(UNSEEN, null);
        on.started(agent);
        if (stopped !== undefined) end(agent, stopped); // it was stopped while it was starting
        const exit = await agent.exited;
        isOver = true;
        on.exited();
        const { exit: record, unstarted } = ended(exit, null, agent.unstarted?.(exit, headOf(open.paths.stderr)));
        return { exit: record, unstarted, leftovers: await agent.finish() };
      } catch (error) {
        await agent?.finish().catch(() => null); // nothing may run unrecorded, whatever failed
        const reason = errorWords(error);
        const cause = error instanceof HarnessError ? error : new HarnessError("start", `Cannot start ${plan.binary}: ${reason}.`);
        return ended(UNSEEN, null, cause);
      } finally {
        isOver = true;
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
