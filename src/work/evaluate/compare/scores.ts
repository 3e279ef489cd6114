import type { Tokens } from "../../../pure/events/index.ts";

/** The scores of one case of one side: numbers only, so that gigabytes of results fit in memory. */
export interface CaseScores {
  /** One verdict per graded trial, in order; null for a trial without one. */
  readonly verdicts: (boolean | null)[];
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
  toolErrors: number;
  trials: number;
  graded: number;
  passes: number;
  /** Trials whose grader broke. */
  nError: number;
  /** Trials lost to the model's provider or to our limits. */
  nInfrastructure: number;
}
