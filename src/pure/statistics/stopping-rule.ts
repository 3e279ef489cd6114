import { normalQuantile } from "./normal.ts";
import { type Interval, scoreInterval } from "./wilson.ts";

/** When trials of a case may stop, and the interval that holds after stopping so. */
export interface StoppingRule {
  /** How many standard errors the interval is wide to either side: more than for a number of trials that was fixed before. */
  readonly z: number;
  isPrecise(passes: number, trials: number): boolean;
  interval(passes: number, trials: number): Interval | null;
}

export interface StoppingOptions {
  /** At most that wide to either side. */
  readonly width: number;
  /** No look is taken before so many trials. */
  readonly fewest: number;
  /** After so many it is over, however wide it is. */
  readonly most: number;
  readonly confidence?: number;
}

const STEP = 0.02;
const WIDEST = 4;

/**
 * Who looks after every trial, and stops when an interval is narrow, stops more often where it is narrow by chance: Wilson's interval
 * covers less than it says then, down to 84 % for wide ones, and of few trials it does so anyway. So it is made wider, until the worst
 * true rate is covered as often as is claimed. That is no approximation: the probability of every path of passes and failures to every
 * stop is summed up, for a grid of rates.
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
  const step = longest > 250 ? 0.02 : 0.005; // of many trials the next rates are covered alike
  for (let rate = step; rate <= 0.5 + step / 2; rate += step) {
    if (coverageOf(rate, { width, fewest, most }, z) < confidence) return false; // rates above one half mirror those below
  }
  return true;
}

/** How likely the interval that is reported in the end holds the rate. */
export function coverageOf(rate: number, { width, fewest, most }: Omit<StoppingOptions, "confidence">, z: number): number {
  let paths = new Float64Array([1]); // by passes: how likely this was reached without stopping
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
