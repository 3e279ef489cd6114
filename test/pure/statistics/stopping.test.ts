import { describe, expect, test } from "vitest";
import { type SeededRandom, seededRandom } from "../../../src/pure/statistics/seeded-random.ts";
import { coverageOf, stoppingRule } from "../../../src/pure/statistics/stopping-rule.ts";
import type { Journal } from "../../../src/work/evaluate/results/journal.ts";
import type { ResultFile } from "../../../src/work/evaluate/results/result-file.ts";
import type { TrialAttempt } from "../../../src/work/evaluate/running/execute-trial.ts";
import { trialsPlan } from "../../../src/work/evaluate/scheduling/trials-plan.ts";
import type { CaptureLine, TrialLine } from "../../../src/work/evaluate/trial/result-line.ts";
import type { Entrant } from "../../../src/work/evaluate/trial/trial-spec.ts";

/** `trials --until-precise`: what is reported after stopping early covers the true rate as often as it says. */

const SIMULATIONS = 2000;
const RATES = [0.01, 0.05, 0.1, 0.25, 0.36, 0.5, 0.8, 0.95];

describe("--until-precise 0.1 --max-k 50, by the plan that runs the trials", () => {
  test.each([1, 4])("%d at once: covers every rate in at least 93 % of 2,000 evaluations", (width) => {
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
      if (rate === 0.01) expect(trials / SIMULATIONS).toBeLessThan(35); // it did stop
    }
  });
});

test.each([
  [0.05, 50],
  [0.1, 50],
  [0.2, 50],
  [0.3, 20],
])("half as wide as %d, at most %d: no rate is covered less than claimed, which plain Wilson does not reach", (width, most) => {
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

/** Cases whose trials are run so many at once, and end in any order. */
function simulation(width: number): (random: SeededRandom, rate: number, id: string) => TrialLine {
  const written = new Map<string, TrialLine>();
  const out: ResultFile = {
    finished: [],
    begin: () => {},
    append(line) {
      const { id } = line as TrialLine;
      written.set(id, line as TrialLine);
    },
    close: async () => {},
  };
  const journal: Journal = { entriesOf: () => [], append: () => {}, remove: () => {}, close: () => {} };
  const plan = trialsPlan(out, journal, { k: 50, isGraded: true, untilPrecise: 0.1 });
  const entrant = { label: "a", options: {}, configuration: "x" } as unknown as Entrant;
  return (random, rate, id) => {
    const row = { id, input: "Go.", metadata: {} };
    const running: number[] = [];
    for (;;) {
      while (running.length < width) {
        const next = plan.next(row, "h", entrant);
        if (next === undefined) break;
        running.push(next);
      }
      const [ended] = running.splice(random.below(running.length), 1);
      if (ended === undefined) throw new Error("nothing runs, and nothing was written");
      plan.accept(row, "h", entrant, ended, attempt(random.next() < rate));
      const line = written.get(id);
      if (line !== undefined) return line;
    }
  };
}

function attempt(pass: boolean): TrialAttempt {
  const line = {
    output: "",
    trajectory: [],
    timing: { start: 0, end: 1 },
    toolErrors: false,
    score: { pass, score: Number(pass) },
    status: "completed",
  };
  return { line: line as unknown as CaptureLine, isInfrastructure: false, isRateLimited: false, costUsd: null };
}
