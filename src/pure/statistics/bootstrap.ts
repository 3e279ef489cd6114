import { drawBinomial } from "./draw-binomial.ts";
import { normalCdf } from "./normal.ts";
import { quantile } from "./quantile.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { studentQuantile } from "./student.ts";
import type { Interval } from "./wilson.ts";

export interface BootstrapOptions {
  readonly seed: number | string;
  readonly resamples?: number;
  readonly confidence?: number;
}

/**
 * An interval for the mean of values that each stand for one case. Whole cases are resampled with replacement, because the trials of one
 * case resemble each other and are not independent. A plain percentile interval is too narrow for few cases, so the percentiles are
 * expanded (Hesterberg, "What teachers should know about the bootstrap", 2014): exact for normal values, never narrower than the plain
 * interval. Null for fewer than two cases or identical values: the spread is unknown, and an interval of width 0 would claim certainty.
 */
export function bootstrapMean(
  values: readonly number[],
  { seed, resamples = 10_000, confidence = 0.95 }: BootstrapOptions,
): Interval | null {
  const count = values.length;
  if (count < 2 || values.every((value) => value === values[0])) return null;
  const means = resampledMeans(values, resamples, seededRandom(seed)).sort();
  const tail = normalCdf(-Math.sqrt(count / (count - 1)) * studentQuantile(0.5 + confidence / 2, count - 1));
  const low = quantile(means, tail);
  const high = quantile(means, 1 - tail);
  return low === null || high === null ? null : { low, high };
}

/**
 * The means of samples drawn with replacement. Rates have few distinct values, so the count of each value is drawn instead of single
 * cases: the same distribution, and sixty thousand cases cost as much as thirty.
 */
function resampledMeans(values: readonly number[], resamples: number, random: SeededRandom): Float64Array {
  const times = new Map<number, number>();
  for (const value of values) times.set(value, (times.get(value) ?? 0) + 1);
  const distinct = [...times].sort(([, a], [, b]) => b - a); // the most frequent first, so that most draws end early
  return new Float64Array(resamples).map(() => {
    let sum = 0;
    let draws = values.length;
    let others = values.length;
    for (const [value, frequency] of distinct) {
      if (draws === 0) break;
      const drawn = frequency === others ? draws : drawBinomial(random, draws, frequency / others);
      sum += value * drawn;
      draws -= drawn;
      others -= frequency;
    }
    return sum / values.length;
  });
}
