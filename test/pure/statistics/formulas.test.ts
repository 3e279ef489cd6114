import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawBinomial } from "../../../src/pure/statistics/draw-binomial.ts";
import { holm } from "../../../src/pure/statistics/holm.ts";
import { normalCdf, normalQuantile } from "../../../src/pure/statistics/normal.ts";
import { passAtK, passExpK, unbiasedPassAtK, unbiasedPassExpK } from "../../../src/pure/statistics/pass-at-k.ts";
import { quantile } from "../../../src/pure/statistics/quantile.ts";
import { seededRandom } from "../../../src/pure/statistics/seeded-random.ts";
import { signFlipTest } from "../../../src/pure/statistics/sign-flip.ts";
import { studentCdf, studentQuantile } from "../../../src/pure/statistics/student.ts";
import { wilson } from "../../../src/pure/statistics/wilson.ts";

/** The numbers compared with printed tables and sums done by hand. */

describe("distributions", () => {
  test.each([
    [0.975, 1.959963984540054],
    [0.95, 1.6448536269514722],
    [0.995, 2.5758293035489004],
    [0.0001, -3.719016485455709],
    [0.5, 0],
  ])("normal quantile of %d", (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 12);
    expect(normalCdf(z)).toBeCloseTo(p, 14);
  });

  test.each([
    [0.975, 1, 12.706204736432095],
    [0.975, 4, 2.776445105198054],
    [0.975, 9, 2.2621571627409915],
    [0.95, 30, 1.6972608865939574],
    [0.975, 1000, 1.9623390808264078],
  ])("t quantile of %d with %d degrees of freedom", (p, degrees, t) => {
    expect(studentQuantile(p, degrees)).toBeCloseTo(t, 9);
    expect(studentCdf(t, degrees)).toBeCloseTo(p, 11);
    expect(studentQuantile(1 - p, degrees)).toBeCloseTo(-t, 9);
  });
});

describe("Wilson's interval", () => {
  // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("%d of %d", (passes, trials, low, high) => {
    const interval = wilson(passes, trials);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  test("is null without trials", () => expect(wilson(0, 0)).toBeNull());

  test("is symmetric and contains the rate", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
        const passes = Math.round(trials * share);
        const interval = wilson(passes, trials);
        const mirrored = wilson(trials - passes, trials);
        if (interval === null || mirrored === null) throw new Error("an interval is missing");
        expect(interval.low).toBeCloseTo(1 - mirrored.high, 12);
        expect(interval.low <= passes / trials && passes / trials <= interval.high).toBe(true);
      }),
    );
  });
});

describe("k of n trials", () => {
  test("the document's example: 4 of 5 passed, k = 5", () => {
    expect(passAtK(0.8, 5)).toBeCloseTo(0.99968, 10);
    expect(passExpK(0.8, 5)).toBeCloseTo(0.32768, 10);
  });

  test("by hand: 3 of 5 passed", () => {
    expect(unbiasedPassAtK(3, 5, 1)).toBeCloseTo(3 / 5, 12);
    expect(unbiasedPassAtK(3, 5, 2)).toBeCloseTo(1 - 1 / 10, 12);
    expect(unbiasedPassAtK(3, 5, 3)).toBe(1);
    expect(unbiasedPassExpK(3, 5, 2)).toBeCloseTo(3 / 10, 12);
    expect(unbiasedPassExpK(3, 5, 4)).toBe(0);
    expect(unbiasedPassAtK(3, 5, 6)).toBeNull();
    expect(unbiasedPassExpK(0, 0, 1)).toBeNull();
  });

  test("unbiased: its mean over all outcomes is the true probability", () => {
    const [trials, k, rate] = [6, 3, 0.35];
    let atLeastOne = 0;
    let all = 0;
    for (let passes = 0; passes <= trials; passes++) {
      const probability = binomial(trials, passes) * rate ** passes * (1 - rate) ** (trials - passes);
      atLeastOne += probability * (unbiasedPassAtK(passes, trials, k) ?? 0);
      all += probability * (unbiasedPassExpK(passes, trials, k) ?? 0);
    }
    expect(atLeastOne).toBeCloseTo(1 - (1 - rate) ** k, 12);
    expect(all).toBeCloseTo(rate ** k, 12);
  });
});

describe("tests of a difference", () => {
  test("one trial per case is McNemar's exact test: 10 against 2 discordant cases", () => {
    const differences = Array.from({ length: 42 }, (_, index) => (index < 10 ? 1 : index < 12 ? -1 : 0));
    expect(signFlipTest(differences)).toBeCloseTo((2 * (1 + 12 + 66)) / 2 ** 12, 12);
  });

  test("several trials per case: equals counting every choice of signs", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 10 }), (differences) => {
        const observed = Math.abs(differences.reduce((a, b) => a + b, 0));
        let extreme = 0;
        for (let signs = 0; signs < 2 ** differences.length; signs++) {
          const sum = differences.reduce((total, size, index) => total + ((signs >> index) & 1 ? size : -size), 0);
          if (Math.abs(sum) >= observed) extreme++;
        }
        expect(signFlipTest(differences)).toBeCloseTo(extreme / 2 ** differences.length, 10);
      }),
    );
  });

  test("tens of thousands of discordant cases: close to the normal distribution", () => {
    const differences = Array.from({ length: 40_000 }, (_, index) => (index < 20_200 ? 1 : -1));
    expect(signFlipTest(differences)).toBeCloseTo(2 * normalCdf(-(400 - 1) / 200), 5);
    const sizes = differences.map((difference, index) => difference * (1 + (index % 3)));
    const [sum, spread] = [sizes.reduce((a, b) => a + b, 0), Math.sqrt(sizes.reduce((a, b) => a + b * b, 0))];
    expect(signFlipTest(sizes)).toBeCloseTo(2 * normalCdf(-(Math.abs(sum) - 1) / spread), 4);
  });

  test("no difference at all", () => expect(signFlipTest([0, 0])).toBe(1));

  test("Holm's correction, by hand", () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});

describe("samples", () => {
  test.each([
    [1, 0.5],
    [30, 0.1],
    [30, 0.4],
    [40, 0.75],
    [500, 0.02],
  ])("draws of %d trials at %d follow the binomial distribution", (trials, chance) => {
    const random = seededRandom(`binomial ${trials} ${chance}`);
    const draws = 20_000;
    const seen = new Map<number, number>();
    for (let draw = 0; draw < draws; draw++) {
      const count = drawBinomial(random, trials, chance);
      seen.set(count, (seen.get(count) ?? 0) + 1);
    }
    let share = (1 - chance) ** trials;
    for (let count = 0; count <= trials; count++) {
      const spread = Math.sqrt((share * (1 - share)) / draws);
      expect(Math.abs((seen.get(count) ?? 0) / draws - share)).toBeLessThan(4.5 * spread + 1 / draws);
      share *= ((chance / (1 - chance)) * (trials - count)) / (count + 1);
    }
  });

  test("quantiles equal R's default", () => {
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([7], 0.9)).toBe(7);
    expect(quantile([], 0.5)).toBeNull();
  });

  test("the same seed gives the same numbers, a different seed different ones", () => {
    const draw = (seed: number | string) =>
      Array.from(
        { length: 5 },
        (
          (random) => () =>
            random.next()
        )(seededRandom(seed)),
      );
    expect(draw(7)).toEqual(draw(7));
    expect(draw("seven")).toEqual(draw("seven"));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test("every number below the bound is equally likely", () => {
    const random = seededRandom(1);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let index = 0; index < 100_000; index++) {
      const drawn = random.below(10);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    const chiSquare = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquare).toBeLessThan(27.9); // the 99.9 % quantile of a fair source, 9 degrees of freedom
  });
});

function binomial(n: number, k: number): number {
  let result = 1;
  for (let index = 1; index <= k; index++) result = (result * (n - k + index)) / index;
  return result;
}
