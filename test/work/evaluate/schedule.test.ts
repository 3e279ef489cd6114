import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parseLimits } from "../../../src/app/cli/options/limits.ts";
import { type ScheduleOptions, schedule } from "../../../src/work/evaluate/scheduling/schedule.ts";
import type { CaptureResult } from "../../../src/work/evaluate/trial/result.ts";
import type { TrialExecutor, TrialSpec } from "../../../src/work/evaluate/trial/trial-spec.ts";

/** Which trials run when: limits, retries, pauses, costs. The scheduler knows only a trial's spec and its result. */

type Ended = Pick<CaptureResult, "status" | "cost"> & { readonly errors?: string[] };

const fine: Ended = { status: "completed", cost: null };
const lost: Ended = { status: "infrastructure", cost: null };

interface Seen {
  readonly accepted: { agent: string; name: string; attempts: number; lost: number }[];
  readonly most: Map<string, number>;
}

function* specs(agent: string, count: number): Generator<TrialSpec> {
  for (let index = 0; index < count; index++) {
    const row = { id: `${agent}-${index}`, input: "Go.", metadata: {} };
    const entrant = { label: agent, agent, settings: {}, configuration: "c" };
    yield { entrant, case: row, caseHash: "h", trialNum: 1, home: "private" };
  }
}

/** Schedules a number of trials per agent, each with the given work. */
function run(
  counts: Readonly<Record<string, number>>,
  seen: Seen,
  work: (name: string, attempt: number) => Promise<Ended> | Ended,
  options: ScheduleOptions,
): ReturnType<typeof schedule> {
  const running = new Map<string, number>();
  const attempts = new Map<string, number>();
  const execute: TrialExecutor = async ({ entrant: { agent }, case: { id } }) => {
    attempts.set(id, (attempts.get(id) ?? 0) + 1);
    const now = (running.get(agent) ?? 0) + 1;
    running.set(agent, now);
    seen.most.set(agent, Math.max(seen.most.get(agent) ?? 0, now));
    await pause(1);
    try {
      return { runs: [id], ...(await work(id, attempts.get(id) ?? 0)) } as unknown as CaptureResult;
    } finally {
      running.set(agent, (running.get(agent) ?? 0) - 1);
    }
  };
  return schedule(
    new Map(Object.entries(counts).map(([agent, count]) => [agent, specs(agent, count)])),
    execute,
    ({ entrant: { agent }, case: { id } }, { lost = [] }) =>
      void seen.accepted.push({ agent, name: id, attempts: attempts.get(id) ?? 0, lost: lost.length }),
    options,
  );
}

const fresh = (): Seen => ({ accepted: [], most: new Map() });

describe("limits", () => {
  test("as they are written", () => {
    expect(parseLimits("8")).toEqual({ total: 8, perAgent: {} });
    expect(parseLimits("claude=4,codex=8")).toEqual({
      total: 12,
      perAgent: { claude: 4, codex: 8 },
    });
    expect(parseLimits("6,claude=2")).toEqual({ total: 6, perAgent: { claude: 2 } });
    for (const wrong of ["", "0", "-1", "1.5", "claude", "claude=", "a=b", "99999"])
      expect(() => parseLimits(wrong)).toThrow("Invalid value for -j");
  });

  test("no more in parallel than allowed, every job once", async () => {
    const seen = fresh();
    expect(await run({ a: 40, b: 40 }, seen, () => fine, { limits: { total: 5, perAgent: { a: 2 } } })).toEqual({ costUsd: 0 });
    expect(new Set(seen.accepted.map(({ name }) => name)).size).toBe(80);
    expect(seen.accepted).toHaveLength(80);
    expect(seen.most.get("a")).toBeLessThanOrEqual(2);
    expect(seen.most.get("b")).toBeLessThanOrEqual(5);
  });
});

describe("a lost trial", () => {
  test("is repeated up to the limit, then accepted unchanged", async () => {
    const seen = fresh();
    const work = (name: string, number: number) => (name === "a-1" || number < 2 ? lost : fine);
    await run({ a: 3 }, seen, work, { limits: { total: 3 }, retries: 2, backoffMs: 1 });
    const accepted = seen.accepted.sort((x, y) => (x.name < y.name ? -1 : 1));
    expect(accepted.map(({ attempts }) => attempts)).toEqual([2, 3, 2]);
    expect(accepted.map((trial) => trial.lost)).toEqual([1, 2, 1]);
  });

  test("pauses only the agent that was asked to slow down", async () => {
    const seen = fresh();
    const order: string[] = [];
    const work = (name: string, number: number) => {
      order.push(name);
      return number === 1 && name === "slow-0" ? { ...lost, errors: ["429 Too Many Requests"] } : fine;
    };
    await run({ slow: 2, quick: 10 }, seen, work, { limits: { total: 2, perAgent: { slow: 1 } }, retries: 1, backoffMs: 300 });
    expect(seen.accepted).toHaveLength(12);
    expect(order.lastIndexOf("quick-9")).toBeLessThan(order.indexOf("slow-1"));
  });
});

describe("the end", () => {
  test("starts nothing once the money is spent", async () => {
    const seen = fresh();
    const end = await run({ a: 100 }, seen, () => ({ ...fine, cost: 1 }), { limits: { total: 1 }, maxCostUsd: 3 });
    expect(end).toEqual({ costUsd: 3, stopped: "cost" });
    expect(seen.accepted).toHaveLength(3);
  });

  test("canceling waits for running trials and starts no more", async () => {
    const seen = fresh();
    const stop = new AbortController();
    const work = (name: string) => {
      if (name === "a-4") stop.abort();
      return fine;
    };
    expect(await run({ a: 100 }, seen, work, { limits: { total: 1 }, signal: stop.signal })).toMatchObject({ stopped: "canceled" });
    expect(seen.accepted).toHaveLength(5);
  });

  test("no job at all", async () => {
    expect(await run({}, fresh(), () => fine, { limits: { total: 1 } })).toEqual({ costUsd: 0 });
  });

  test("an executor that rejects stops the running trials, without results, and everything else", async () => {
    const seen = fresh();
    const work = (name: string) => {
      if (name === "a-4") throw new Error("no such machine");
      return fine;
    };
    await expect(run({ a: 100 }, seen, work, { limits: { total: 2 } })).rejects.toThrow("no such machine");
    expect(seen.accepted.length).toBeLessThan(6);
  });
});
