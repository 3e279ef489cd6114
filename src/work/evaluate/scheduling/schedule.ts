import { setTimeout as pause } from "node:timers/promises";
import type { StartProblem, TrialClass } from "../../../pure/verdicts/index.ts";
import { type CaptureResult, classOf, type LostAttempt, type TrialExecutor, type TrialSpec } from "../trial/index.ts";
import type { Limits } from "./limits.ts";

export interface ScheduleOptions {
  readonly limits: Limits;
  /** How many times to repeat a lost trial. Default: 0. */
  readonly retries?: number;
  /** The first wait before a repeat; doubled each time. Default: two seconds. */
  readonly backoffMs?: number;
  /** What was spent before the first attempt. Default: 0. */
  readonly spentUsd?: number;
  /** Starts no attempt once this is spent. Running attempts finish, so the total can exceed it. */
  readonly maxCostUsd?: number;
  readonly signal?: AbortSignal;
  /** Called before every attempt, counted from 1. */
  readonly onAttempt?: (spec: TrialSpec, number: number) => void;
}

export interface Scheduled {
  readonly costUsd: number;
  /** Why some trials did not run. */
  readonly stopped?: "cost" | "canceled" | "not-started";
  /** The agents that never reached a model, several times in a row for the same reason, and got no more trials. */
  readonly stuck?: readonly Stuck[];
}

export interface Stuck {
  readonly agent: string;
  readonly problem: StartProblem;
  /** What the agent printed. */
  readonly message: string | null;
}

/** After this many trials in a row that did not start, all for the same reason, the agent gets no more. */
const MOST_NOT_STARTED = 3;

const LONGEST_PAUSE_MS = 5 * 60_000;

/**
 * Executes the trials of every agent in parallel, within the limits, and calls `accept` once per trial with the result that counts.
 * Takes specs one by one, so that a million need no memory. If a provider reports too many requests, only that agent pauses. If an agent
 * never gets to start, only that agent stops. If the executor rejects, the running trials stop without a result, and this rejects too.
 */
export async function schedule(
  queues: ReadonlyMap<string, Iterator<TrialSpec>>,
  execute: TrialExecutor,
  accept: (spec: TrialSpec, result: CaptureResult) => void,
  options: ScheduleOptions,
): Promise<Scheduled> {
  const { limits, retries = 0, backoffMs = 2000, maxCostUsd = Number.POSITIVE_INFINITY } = options;
  const failure = new AbortController();
  const signal = AbortSignal.any([failure.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const lanes = [...queues].map(([agent, specs]) => ({ agent, specs, running: 0, isDry: false, pausedUntil: 0, strikes: 0 }));
  const unstarted = new Map<string, { problem: StartProblem; times: number }>();
  const stuck = new Map<string, Stuck>();
  const perAgent = new Map(Object.entries(limits.perAgent ?? {}));
  type Lane = (typeof lanes)[number];
  const under = new Set<Promise<void>>();
  let costUsd = options.spentUsd ?? 0;
  let turn = 0;
  let isCut = false;

  const isOpen = (lane: Lane) =>
    !lane.isDry &&
    !stuck.has(lane.agent) &&
    lane.running < (perAgent.get(lane.agent) ?? limits.total) &&
    performance.now() >= lane.pausedUntil;

  /** The next trial; the agents take turns. */
  function next(): { lane: Lane; spec: TrialSpec } | undefined {
    for (let tried = 0; tried < lanes.length; tried++) {
      const lane = lanes[turn++ % lanes.length];
      if (lane === undefined || !isOpen(lane)) continue;
      const { done, value } = lane.specs.next();
      if (!done) return { lane, spec: value };
      lane.isDry = true;
    }
    return undefined;
  }

  async function run(lane: Lane, spec: TrialSpec): Promise<void> {
    const lost: LostAttempt[] = [];
    for (let number = 1; ; number++) {
      options.onAttempt?.(spec, number);
      const result = await execute(spec, signal);
      isCut ||= signal.aborted; // its result does not count
      costUsd += costOf(result) + (result.judging === undefined ? 0 : costOf(result.judging));
      const verdict = classOf(result);
      const isLimited = verdict.class === "lost_to_provider" && (result.errors ?? []).some((message) => RATE_LIMIT.test(message));
      lane.strikes = isLimited ? lane.strikes + 1 : 0;
      const wait = Math.min(LONGEST_PAUSE_MS, backoffMs * 2 ** Math.max(number - 1, lane.strikes - 1));
      if (isLimited) lane.pausedUntil = Math.max(lane.pausedUntil, performance.now() + wait);
      const isRepeated = isLost(result, verdict.class) && number <= retries && !isOver();
      if (isRepeated) await rest(wait, signal);
      if (failure.signal.aborted) return;
      notice(lane.agent, result, verdict.startProblem);
      if (!isRepeated || isOver()) return accept(spec, lost.length === 0 ? result : { ...result, lost });
      lost.push({ runs: result.runs, status: result.status, reason: result.errors?.at(-1) ?? null });
    }
  }

  /** Counts the trials in a row that did not start for the same reason. */
  function notice(agent: string, { errors }: CaptureResult, problem: StartProblem | undefined): void {
    if (problem === undefined) return void unstarted.delete(agent);
    const before = unstarted.get(agent);
    const times = before?.problem === problem ? before.times + 1 : 1;
    unstarted.set(agent, { problem, times });
    if (times >= MOST_NOT_STARTED && !stuck.has(agent)) stuck.set(agent, { agent, problem, message: errors?.at(-1) ?? null });
  }

  const isOver = () => signal.aborted || costUsd >= maxCostUsd;

  while (!isOver()) {
    const found = under.size < limits.total ? next() : undefined;
    if (found !== undefined) {
      const { lane, spec } = found;
      lane.running++;
      const task: Promise<void> = run(lane, spec)
        .catch((error: unknown) => failure.abort(error))
        .finally(() => {
          lane.running--;
          under.delete(task);
        });
      under.add(task);
      continue;
    }
    const paused = lanes.filter((lane) => !lane.isDry && !stuck.has(lane.agent) && lane.pausedUntil > performance.now());
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
  failure.signal.throwIfAborted();
  const isDone = lanes.every((lane) => lane.isDry || lane.specs.next().done === true);
  if (isDone && !isCut) return { costUsd };
  const isSpent = !signal.aborted && costUsd >= maxCostUsd;
  return {
    costUsd,
    stopped: signal.aborted ? "canceled" : isSpent ? "cost" : "not-started",
    ...(stuck.size > 0 && { stuck: [...stuck.values()] }),
  };
}

function costOf({ cost, partialCost }: Pick<CaptureResult, "cost" | "partialCost">): number {
  return cost ?? partialCost?.costUsd ?? 0;
}

/** Lost to the model's provider or to the machine, so worth a repeat. A trial that was asked to stop is not. */
function isLost({ status }: CaptureResult, kind: TrialClass): boolean {
  return kind === "lost_to_provider" || (kind === "lost_to_us" && status !== "canceled");
}

const RATE_LIMIT = /\b429\b|rate.?limit|too many requests|overloaded/i;

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => {}); // woken up early
}
