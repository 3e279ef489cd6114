import { describe, expect, test } from "vitest";
import { type SeededRandom, seededRandom } from "../../../src/pure/statistics/seeded-random.ts";
import { coverageOf, stoppingRule } from "../../../src/pure/statistics/stopping-rule.ts";
import type { Journal } from "../../../src/work/evaluate/results/journal.ts";
import type { ResultFile } from "../../../src/work/evaluate/results/result-file.ts";
import { trialsPlan } from "../../../src/work/evaluate/scheduling/trials-plan.ts";
import type { CaptureResult, TrialResult } from "../../../src/work/evaluate/trial/result.ts";
import type { CaseTask, TrialSpec } from "../../../src/work/evaluate/trial/trial-spec.ts";

/** `trials --until-precise`: the interval reported after an early stop covers the true rate as often as it claims. */

const SIMULATIONS = 2000;
const RATES = [0.01, 0.05, 0.1, 0.25, 0.36, 0.5, 0.8, 0.95];

describe("--until-precise 0.1 --max-k 50, with the plan that runs the trials", () => {
  test.each([1, 4])("%d in parallel: covers every rate in at least 93 % of 2,000 evaluations", (width) => {
    const simulate = simulation(width);
    for (const rate of RATES) {
      const random = seededRandom(`stopping ${rate} ${width}`);
      let [covered, trials] = [0, 0];
      for (let run = 0; run < SIMULATIONS; run++) {
        const { statistics, k } = simulate(random, rate, `${rate} ${run}`);
        trials += k;
        const interval = statistics?.passRateInterval;
        if (interval && interval.low <= rate && rate <= interval.high) covered++;
      }
      expect(covered / SIMULATIONS, `${rate}`).toBeGreaterThanOrEqual(0.93);
      if (rate === 0.01) expect(trials / SIMULATIONS).toBeLessThan(35); // it stopped early
    }
  });
});

test.each([
  [0.05, 50],
  [0.1, 50],
  [0.2, 50],
  [0.3, 20],
])("half-width %d, at most %d trials: every rate is covered as claimed, unlike with plain Wilson", (width, most) => {
  const options = { width, fewest: 5, most };
  const { z } = stoppingRule(options);
  let [worst, plain] = [1, 1];
  for (let rate = 0.005; rate < 1; rate += 0.005) {
    worst = Math.min(worst, coverageOf(rate, options, z));
    plain = Math.min(plain, coverageOf(rate, options, 1.96));
  }
  expect(worst).toBeGreaterThanOrEqual(0.95 - 1e-9);
  expect(plain).toBeLessThan(0.93);
});

/** Runs the trials of cases, several in parallel, ending in any order. */
function simulation(width: number): (random: SeededRandom, rate: number, id: string) => TrialResult {
  const written = new Map<string, TrialResult>();
  const out: ResultFile = {
    evaluation: undefined,
    finished: [],
    open: [],
    reopen: () => "",
    begin: () => {},
    append(line) {
      const { id } = line as TrialResult;
      written.set(id, line as TrialResult);
    },
    close: async () => {},
  };
  const journal: Journal = {
    entriesOf: () => [],
    append: () => {},
    prove: async () => {},
    keep: () => {},
    remove: () => {},
    close: () => {},
  };
  const plan = trialsPlan(out, journal, { k: 50, isGraded: true, untilPrecise: 0.1 });
  const entrant = { label: "a", agent: "a", settings: {}, configuration: "x" };
  return (random, rate, id) => {
    const task: CaseTask = { case: { id, input: "Go.", metadata: {} }, caseHash: "h", entrant, home: "private" };
    const running: number[] = [];
    for (;;) {
      while (running.length < width) {
        const next = plan.next(task);
        if (next === undefined) break;
        running.push(next);
      }
      const [ended] = running.splice(random.below(running.length), 1);
      if (ended === undefined) throw new Error("nothing runs, and nothing was written");
      plan.accept({ ...task, trialNum: ended } satisfies TrialSpec, resultOf(random.next() < rate));
      const line = written.get(id);
      if (line !== undefined) return line;
    }
  };
}

function resultOf(pass: boolean): CaptureResult {
  const result = {
    output: "",
    trajectory: [],
    timing: { start: 0, end: 1 },
    toolErrors: false,
    score: { pass, score: Number(pass) },
    status: "completed",
  };
  return result as unknown as CaptureResult;
}
