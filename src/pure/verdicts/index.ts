/** How a trial ended: one class for every status and its evidence. */

export { type StartProblem, startAdvice, startProblem } from "./start-problem.ts";
export {
  type ClassCounts,
  classCounts,
  classesIn,
  classWords,
  countedIn,
  emptyTally,
  passRateOf,
  rateText,
  type Tally,
  tallyOf,
  tallyText,
} from "./tally.ts";
export {
  classTable,
  isCounted,
  judgeTrial,
  type OutOfTime,
  outOfTime,
  type TrialClass,
  trialClass,
  trialClasses,
  type UnverifiedTrials,
  unverifiedTrials,
} from "./trial-class.ts";
export type { TrialEvidence } from "./trial-evidence.ts";
