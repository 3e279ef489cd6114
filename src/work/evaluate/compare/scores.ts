import type { Tokens } from "../../../pure/events/index.ts";
import type { StartProblem, Tally } from "../../../pure/verdicts/index.ts";

/** The scores of one case of one side: numbers only, so that gigabytes of results fit in memory. */
export interface CaseScores {
  /** One per trial, in order: whether it passed; null for one that does not count. */
  readonly verdicts: (boolean | null)[];
  readonly classes: Tally;
}

/** What a judge used for the trials of a side. */
export interface JudgeSpending {
  readonly attempts: number;
  readonly tokens: Tokens;
  readonly costUsd: number | null;
  readonly isPartial: boolean;
  readonly isCostPartial: boolean;
}

/** All results of one side: an agent, a model or a file. */
export interface Side {
  readonly label: string;
  readonly cases: Map<string, CaseScores>;
  readonly durationsMs: number[];
  /** Sums of the reported values; null if none was reported. */
  tokens: Tokens;
  costUsd: number | null;
  /** Some trials report only a part of what they used or cost, so the sum is a lower bound. */
  isPartial: boolean;
  isCostPartial: boolean;
  /** The same for the judge, if one was asked. */
  judging: JudgeSpending | undefined;
  toolErrors: number;
  trials: number;
  /** Trials that count: passed, failed and out of time. */
  graded: number;
  passes: number;
  readonly classes: Tally;
  /** What kept trials from starting. */
  readonly startProblems: Set<StartProblem>;
  /** Trials with a grade of what their line says. */
  unverified: number;
  /** Trials whose grader broke. */
  nError: number;
}
