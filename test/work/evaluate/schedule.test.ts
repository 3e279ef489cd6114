import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parseLimits } from "../../../src/work/evaluate/scheduling/limits.ts";
import { type Attempt, type Job, schedule } from "../../../src/work/evaluate/scheduling/schedule.ts";

/** Which trials run when: limits, retries, pauses, costs. */

const fine: Attempt = { isInfrastructure: false, isRateLimited: false, costUsd: null };
const lost: Attempt = { ...fine, isInfrastructure: true };

interface Seen {
  readonly accepted: { agent: string; name: string; attempts: number }[];
  readonly most: Map<string, number>;
}

function jobs(
  agent: string,
  count: number,
  seen: Seen,
  work: (name: string, attempt: number) => Promise<Attempt> | Attempt,
): Iterator<Job> {
  let running = 0;
  const make = function* () {
    for (let index = 0; index < count; index++) {
      const name = `${agent}-${index}`;
      let attempts = 0;
      yield {
        agent,
        async attempt(number: number) {
          attempts = number;
          running++;
          seen.most.set(agent, Math.max(seen.most.get(agent) ?? 0, running));
          await pause(1);
          try {
            return await work(name, number);
          } finally {
            running--;
          }
        },
        accept: () => void seen.accepted.push({ agent, name, attempts }),
      };
    }
  };
  return make();
}

const fresh = (): Seen => ({ accepted: [], most: new Map() });

describe("limits", () => {
  test("as they are written", () => {
    expect(parseLimits("8")).toEqual({ total: 8, perAgent: new Map() });
    expect(parseLimits("claude=4,codex=8")).toEqual({
      total: 12,
      perAgent: new Map([
        ["claude", 4],
        ["codex", 8],
      ]),
    });
    expect(parseLimits("6,claude=2")).toEqual({ total: 6, perAgent: new Map([["claude", 2]]) });
    for (const wrong of ["", "0", "-1", "1.5", "claude", "claude=", "a=b", "99999"])
      expect(() => parseLimits(wrong)).toThrow("`concurrency` takes");
  });

  test("no more at once than allowed, every job once", async () => {
    const seen = fresh();
    const queues = new Map(["a", "b"].map((agent) => [agent, jobs(agent, 40, seen, () => fine)]));
    expect(await schedule(queues, { limits: { total: 5, perAgent: new Map([["a", 2]]) } })).toEqual({ costUsd: 0 });
    expect(new Set(seen.accepted.map(({ name }) => name)).size).toBe(80);
    expect(seen.accepted).toHaveLength(80);
    expect(seen.most.get("a")).toBeLessThanOrEqual(2);
    expect(seen.most.get("b")).toBeLessThanOrEqual(5);
  });
});

describe("what was lost", () => {
  test("is tried again that often, and then accepted as it is", async () => {
    const seen = fresh();
    const queues = new Map([["a", jobs("a", 3, seen, (name, number) => (name === "a-1" || number < 2 ? lost : fine))]]);
    await schedule(queues, { limits: { total: 3, perAgent: new Map() }, retries: 2, backoffMs: 1 });
    expect(seen.accepted.sort((x, y) => (x.name < y.name ? -1 : 1)).map(({ attempts }) => attempts)).toEqual([2, 3, 2]);
  });

  test("an agent that is asked to slow down pauses alone", async () => {
    const seen = fresh();
    const order: string[] = [];
    const limited = { ...lost, isRateLimited: true };
    const queues = new Map([
      ["slow", jobs("slow", 2, seen, (name, number) => (order.push(name) > 0 && number === 1 && name === "slow-0" ? limited : fine))],
      ["quick", jobs("quick", 10, seen, (name) => (order.push(name) > 0 ? fine : lost))],
    ]);
    await schedule(queues, { limits: { total: 2, perAgent: new Map([["slow", 1]]) }, retries: 1, backoffMs: 300 });
    expect(seen.accepted).toHaveLength(12);
    expect(order.lastIndexOf("quick-9")).toBeLessThan(order.indexOf("slow-1"));
  });
});

describe("the end", () => {
  test("nothing is started once the money is spent", async () => {
    const seen = fresh();
    const queues = new Map([["a", jobs("a", 100, seen, () => ({ ...fine, costUsd: 1 }))]]);
    expect(await schedule(queues, { limits: { total: 1, perAgent: new Map() }, maxCostUsd: 3 })).toEqual({ costUsd: 3, stopped: "cost" });
    expect(seen.accepted).toHaveLength(3);
  });

  test("a cancel waits for what runs, and starts nothing more", async () => {
    const seen = fresh();
    const stop = new AbortController();
    const queues = new Map([
      [
        "a",
        jobs("a", 100, seen, (name) => {
          if (name === "a-4") stop.abort();
          return fine;
        }),
      ],
    ]);
    expect(await schedule(queues, { limits: { total: 1, perAgent: new Map() }, signal: stop.signal })).toMatchObject({
      stopped: "canceled",
    });
    expect(seen.accepted).toHaveLength(5);
  });

  test("no job at all", async () => {
    expect(await schedule(new Map(), { limits: { total: 1, perAgent: new Map() } })).toEqual({ costUsd: 0 });
  });
});
