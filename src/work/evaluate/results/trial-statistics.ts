import { passAtK, passExpK, scoreInterval, unbiasedPassAtK, unbiasedPassExpK, wilson } from "../../../pure/statistics/index.ts";
import { countedIn, type OutOfTime, passRateOf, tallyOf } from "../../../pure/verdicts/index.ts";
import { classOf, type Stopping, type TrialEntry, type TrialStatistics } from "../trial/index.ts";

export interface TrialNumbers {
  readonly passRate: number | null;
  readonly passAtK: number | null;
  readonly passExpK: number | null;
  readonly statistics: TrialStatistics;
}

export interface CountingOptions {
  readonly stopping?: Stopping | undefined;
  /** Whether trials out of time count as failures. Default: they do. */
  readonly outOfTime?: OutOfTime | undefined;
}

/**
 * The documented numbers over the trials that count, and their uncertainty. A trial that never started, was lost, or whose grader broke
 * says nothing about the agent: it has its class, and is not in the rate.
 */
export function trialNumbers(
  trials: readonly TrialEntry[],
  k: number,
  { stopping, outOfTime = "failed" }: CountingOptions = {},
): TrialNumbers {
  const ended = trials.map((trial) => classOf(trial).class);
  const classes = tallyOf(ended);
  const nPass = classes.passed;
  const nGraded = countedIn(classes, outOfTime);
  const rate = passRateOf(classes, outOfTime);
  const counts = Array.from({ length: nGraded }, (_, index) => index + 1);
  return {
    passRate: rate,
    passAtK: rate === null ? null : passAtK(rate, k),
    passExpK: rate === null ? null : passExpK(rate, k),
    statistics: {
      nGraded,
      nPass,
      nError: trials.filter(({ gradeError }, index) => gradeError !== undefined && ended[index] === "ungraded").length,
      nInfrastructure: classes.lost_to_provider + classes.lost_to_us + classes.not_started,
      classes,
      ...(outOfTime === "failed" ? {} : { outOfTime }),
      passRateInterval: stopping === undefined ? wilson(nPass, nGraded) : scoreInterval(nPass, nGraded, stopping.z),
      ...(stopping === undefined ? {} : { stopping }),
      unbiasedPassAtK: counts.map((count) => unbiasedPassAtK(nPass, nGraded, count) ?? 0),
      unbiasedPassExpK: counts.map((count) => unbiasedPassExpK(nPass, nGraded, count) ?? 0),
    },
  };
}
