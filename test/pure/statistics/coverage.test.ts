import { describe, expect, test } from "vitest";
import { bootstrapMean } from "../../../src/pure/statistics/bootstrap.ts";
import { type SeededRandom, seededRandom } from "../../../src/pure/statistics/seeded-random.ts";
import { signFlipTest } from "../../../src/pure/statistics/sign-flip.ts";
import { wilson } from "../../../src/pure/statistics/wilson.ts";

/** Intervals that claim 95 % contain the truth in at least 93 % of 2,000 simulated evaluations; a test at 5 % errs no more often. */

const SIMULATIONS = 2000;

describe("intervals that claim 95 %", () => {
  // Averaged over rates: for a single rate every interval of whole counts swings around its level (Brown, Cai, DasGupta, 2001).
  test.each([3, 5, 10, 25, 100])("Wilson, in %d trials", (trials) => {
    const random = seededRandom(`wilson ${trials}`);
    let covered = 0;
    for (let run = 0; run < SIMULATIONS; run++) {
      const rate = random.next();
      const interval = wilson(passesOf(random, rate, trials), trials);
      if (interval !== null && interval.low <= rate && rate <= interval.high) covered++;
    }
    expect(covered / SIMULATIONS).toBeGreaterThanOrEqual(0.93);
  });

  test.each([
    [15, 5],
    [30, 1],
    [60, 3],
  ])("the difference of two agents over %d cases with %d trials each", (cases, trials) => {
    const random = seededRandom(`paired ${cases} ${trials}`);
    const truth = 0.1; // how much higher the second agent's rate is in every case
    let covered = 0;
    for (let run = 0; run < SIMULATIONS; run++) {
      const differences = Array.from({ length: cases }, () => {
        const difficulty = 0.1 + 0.7 * random.next(); // cases differ, their trials resemble each other
        return (passesOf(random, difficulty + truth, trials) - passesOf(random, difficulty, trials)) / trials;
      });
      const interval = bootstrapMean(differences, { seed: run, resamples: 500 });
      if (interval !== null && interval.low <= truth && truth <= interval.high) covered++;
    }
    expect(covered / SIMULATIONS).toBeGreaterThanOrEqual(0.93);
  });

  test("two equal agents are called different in at most 5 %, even if the trials of a case resemble each other", () => {
    const random = seededRandom("null");
    let found = 0;
    for (let run = 0; run < SIMULATIONS; run++) {
      const differences = Array.from({ length: 20 }, () => {
        const difficulty = random.next() < 0.5 ? 0.1 : 0.9;
        return passesOf(random, difficulty, 5) - passesOf(random, difficulty, 5);
      });
      if (signFlipTest(differences) <= 0.05) found++;
    }
    expect(found / SIMULATIONS).toBeLessThanOrEqual(0.06); // 5 % plus the noise of 2,000 simulations
  });
});

function passesOf(random: SeededRandom, rate: number, trials: number): number {
  let passes = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() < rate) passes++;
  return passes;
}
