import { normalQuantile } from "./normal.ts";
import { type Interval, scoreInterval } from "./wilson.ts";

/** When the trials of a case may stop, and the interval that is valid after such a stop. */
export interface StoppingRule {
  /** The interval's half-width in standard errors: more than for a number of trials fixed in advance. */
  readonly z: number;
  isPrecise(passes: number, trials: number): boolean;
  interval(passes: number, trials: number): Interval | null;
}

export interface StoppingOptions {
  /** The largest half-width. */
  readonly width: number;
  /** Do not stop before this many trials. */
  readonly fewest: number;
  /** Stop after this many trials, whatever the width. */
  readonly most: number;
  readonly confidence?: number;
}

const STEP = 0.02;
const WIDEST = 4;

/**
 * Checking after every trial and stopping when the interval is narrow favours intervals that are narrow by chance. Wilson's interval then
 * covers less than it claims, down to 84 % for wide ones; with few trials it covers less anyway. So it is widened until even the worst
 * true rate is covered as often as claimed. This is exact: it sums the probability of every path of passes and failures to every stop,
 * for a grid of rates.
 */
export function stoppingRule({ width, fewest, most, confidence = 0.95 }: StoppingOptions): StoppingRule {
  let z = normalQuantile(0.5 + confidence / 2);
  while (z < WIDEST && !covers({ width, fewest, most, confidence }, z)) z += STEP;
  const found = z;
  return {
    z: found,
    isPrecise: (passes, trials) => trials >= fewest && isNarrow(passes, trials, found, width),
    interval: (passes, trials) => scoreInterval(passes, trials, found),
  };
}

function isNarrow(passes: number, trials: number, z: number, width: number): boolean {
  const interval = scoreInterval(passes, trials, z);
  return interval !== null && (interval.high - interval.low) / 2 <= width;
}

function covers({ width, fewest, most, confidence = 0.95 }: StoppingOptions, z: number): boolean {
  const longest = Math.min(most, Math.ceil((z * z) / (4 * width * width)));
  const step = longest > 250 ? 0.02 : 0.005; // with many trials neighbouring rates are covered alike
  for (let rate = step; rate <= 0.5 + step / 2; rate += step) {
    if (coverageOf(rate, { width, fewest, most }, z) < confidence) return false; // rates above one half mirror those below
  }
  return true;
}

/** The probability that the final interval contains the rate. */
export function coverageOf(rate: number, { width, fewest, most }: Omit<StoppingOptions, "confidence">, z: number): number {
  let paths = new Float64Array([1]); // by passes: the probability of getting here without stopping
  let covered = 0;
  for (let trials = 1; trials <= most; trials++) {
    const next = new Float64Array(trials + 1);
    let isOver = true;
    for (let passes = 0; passes <= trials; passes++) {
      const likely = (paths[passes] ?? 0) * (1 - rate) + (passes > 0 ? (paths[passes - 1] ?? 0) * rate : 0);
      if (likely === 0) continue;
      if (trials < most && (trials < fewest || !isNarrow(passes, trials, z, width))) {
        next[passes] = likely;
        isOver = false;
      } else {
        const interval = scoreInterval(passes, trials, z);
        if (interval !== null && interval.low <= rate && rate <= interval.high) covered += likely;
      }
    }
    if (isOver) break;
    paths = next;
  }
  return covered;
}
