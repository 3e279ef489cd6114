import { setTimeout as pause } from "node:timers/promises";
import type { Limits } from "./limits.ts";

/** One trial, from its first attempt to its accepted result. */
export interface Job {
  readonly agent: string;
  /** One attempt. Never rejects: what goes wrong is a result. */
  attempt(number: number, signal: AbortSignal): Promise<Attempt>;
  /** Called once, with the attempt that counts. */
  accept(attempt: Attempt): void;
}

export interface Attempt {
  /** Lost to the model's provider or to the machine: worth another try. */
  readonly isInfrastructure: boolean;
  /** The provider asked for fewer requests. */
  readonly isRateLimited: boolean;
  readonly costUsd: number | null;
}

export interface ScheduleOptions {
  readonly limits: Limits;
  /** How often an attempt that was lost is repeated. Default: never. */
  readonly retries?: number;
  /** The first wait before another attempt; doubled each time. Default: two seconds. */
  readonly backoffMs?: number;
  /** No attempt is started once this is spent. Attempts under way are finished, so it can be exceeded by them. */
  readonly maxCostUsd?: number;
  readonly signal?: AbortSignal;
}

export interface Scheduled {
  readonly costUsd: number;
  /** Why not every job was run. */
  readonly stopped?: "cost" | "canceled";
}

const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Runs the jobs of every agent, as many at once as the limits allow. Jobs are taken one by one, so that a million of them need no
 * room. An agent whose provider says that there were too many requests is paused, and nobody else is.
 */
export async function schedule(queues: ReadonlyMap<string, Iterator<Job>>, options: ScheduleOptions): Promise<Scheduled> {
  const { limits, retries = 0, backoffMs = 2000, maxCostUsd = Number.POSITIVE_INFINITY, signal = new AbortController().signal } = options;
  const lanes = [...queues].map(([agent, jobs]) => ({ agent, jobs, running: 0, isDry: false, pausedUntil: 0, strikes: 0 }));
  type Lane = (typeof lanes)[number];
  const under = new Set<Promise<void>>();
  let costUsd = 0;
  let turn = 0;

  const isOpen = (lane: Lane) =>
    !lane.isDry && lane.running < (limits.perAgent.get(lane.agent) ?? limits.total) && performance.now() >= lane.pausedUntil;

  /** The next job, agents taking turns. */
  function next(): { lane: Lane; job: Job } | undefined {
    for (let tried = 0; tried < lanes.length; tried++) {
      const lane = lanes[turn++ % lanes.length];
      if (lane === undefined || !isOpen(lane)) continue;
      const { done, value } = lane.jobs.next();
      if (!done) return { lane, job: value };
      lane.isDry = true;
    }
    return undefined;
  }

  async function run(lane: Lane, job: Job): Promise<void> {
    for (let number = 1; ; number++) {
      const attempt = await job.attempt(number, signal);
      costUsd += attempt.costUsd ?? 0;
      lane.strikes = attempt.isRateLimited ? lane.strikes + 1 : 0;
      const wait = Math.min(LONGEST_PAUSE_MS, backoffMs * 2 ** Math.max(number - 1, lane.strikes - 1));
      if (attempt.isRateLimited) lane.pausedUntil = Math.max(lane.pausedUntil, performance.now() + wait);
      if (!attempt.isInfrastructure || number > retries || isOver()) return job.accept(attempt);
      await rest(wait, signal);
      if (isOver()) return job.accept(attempt);
    }
  }

  const isOver = () => signal.aborted || costUsd >= maxCostUsd;

  while (!isOver()) {
    const found = under.size < limits.total ? next() : undefined;
    if (found !== undefined) {
      const { lane, job } = found;
      lane.running++;
      const task: Promise<void> = run(lane, job).finally(() => {
        lane.running--;
        under.delete(task);
      });
      under.add(task);
      continue;
    }
    const paused = lanes.filter((lane) => !lane.isDry && lane.pausedUntil > performance.now());
    if (under.size === 0 && paused.length === 0) break;
    const wake = Math.min(...paused.map((lane) => lane.pausedUntil - performance.now()), LONGEST_PAUSE_MS);
    const nap = new AbortController();
    await Promise.race([
      ...under,
      ...(paused.length > 0 || under.size === 0 ? [rest(Math.max(1, wake), AbortSignal.any([signal, nap.signal]))] : []),
    ]);
    nap.abort();
  }
  await Promise.all(under);
  const isDone = lanes.every((lane) => lane.isDry || lane.jobs.next().done === true);
  return { costUsd, ...(isDone ? {} : { stopped: signal.aborted ? "canceled" : "cost" }) };
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {}); // woken up early
}
