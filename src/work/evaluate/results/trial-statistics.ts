import { passAtK, passExpK, scoreInterval, unbiasedPassAtK, unbiasedPassExpK, wilson } from "../../../pure/statistics/index.ts";
import { isLost, type Stopping, type TrialEntry, type TrialStatistics } from "../trial/index.ts";

export interface TrialNumbers {
  readonly passRate: number | null;
  readonly passAtK: number | null;
  readonly passExpK: number | null;
  readonly statistics: TrialStatistics;
}

/**
 * The documented numbers over the graded trials, and their uncertainty. A trial lost to the model's provider, to one of our limits or to
 * a broken grader says nothing about the agent: it is counted, but not as a failure.
 */
export function trialNumbers(trials: readonly TrialEntry[], k: number, stopping?: Stopping): TrialNumbers {
  const graded = trials.filter(({ pass }) => pass !== undefined);
  const nGraded = graded.length;
  const nPass = graded.filter(({ pass }) => pass === true).length;
  const rate = nGraded === 0 ? null : nPass / nGraded;
  const counts = Array.from({ length: nGraded }, (_, index) => index + 1);
  return {
    passRate: rate,
    passAtK: rate === null ? null : passAtK(rate, k),
    passExpK: rate === null ? null : passExpK(rate, k),
    statistics: {
      nGraded,
      nPass,
      nError: trials.filter(({ pass, gradeError }) => pass === undefined && gradeError !== undefined).length,
      nInfrastructure: trials.filter((trial) => trial.pass === undefined && trial.gradeError === undefined && isLost(trial.status)).length,
      passRateInterval: stopping === undefined ? wilson(nPass, nGraded) : scoreInterval(nPass, nGraded, stopping.z),
      ...(stopping === undefined ? {} : { stopping }),
      unbiasedPassAtK: counts.map((count) => unbiasedPassAtK(nPass, nGraded, count) ?? 0),
      unbiasedPassExpK: counts.map((count) => unbiasedPassExpK(nPass, nGraded, count) ?? 0),
    },
  };
}
