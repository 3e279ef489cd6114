import type { Tokens } from "../../../pure/events/index.ts";

/** What a comparison needs of one case of one side: numbers only, so that gigabytes of results fit. */
export interface CaseScores {
  /** One verdict per graded trial, in order; null for a trial without one. */
  readonly verdicts: (boolean | null)[];
}

/** Everything that one side (an agent, a model, a file) has to show. */
export interface Side {
  readonly label: string;
  readonly cases: Map<string, CaseScores>;
  readonly durationsMs: number[];
  /** Sums of what was told; null where nothing was. */
  tokens: Tokens;
  costUsd: number | null;
  /** Trials in which a tool call failed. */
  toolErrors: number;
  trials: number;
  graded: number;
  passes: number;
  /** Trials whose grader broke. */
  nError: number;
  /** Trials lost to the model's provider or to us. */
  nInfrastructure: number;
}
