import { normalQuantile } from "./normal.ts";

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval for a rate. It stays in [0, 1] and keeps its coverage for rates near 0 or 1 with few trials, where
 * "rate ± 2 standard errors" does not (E. B. Wilson, 1927; Brown, Cai, DasGupta, 2001). Null: no trials.
 */
export function wilson(passes: number, trials: number, confidence = 0.95): Interval | null {
  return scoreInterval(passes, trials, normalQuantile(0.5 + confidence / 2));
}

export function scoreInterval(passes: number, trials: number, z: number): Interval | null {
  if (trials === 0) return null;
  const rate = passes / trials;
  const square = (z * z) / trials;
  const center = (rate + square / 2) / (1 + square);
  const half = (z / (1 + square)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials));
  return { low: passes === 0 ? 0 : Math.max(0, center - half), high: passes === trials ? 1 : Math.min(1, center + half) };
}
