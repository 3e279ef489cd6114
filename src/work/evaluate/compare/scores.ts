import type { Tokens } from "../../../pure/events/index.ts";
import type { StartProblem, Tally } from "../../../pure/verdicts/index.ts";

/** The scores of one case of one side: numbers only, so that gigabytes of results fit in memory. */
export interface CaseScores {
  /** One per trial, in order: whether it passed; null for one that does not count. */
  readonly verdicts: (boolean | null)[];
  readonly classes: Tally;
  /** Of the case itself: results of a changed case are those of another one. */
  hash: string | undefined;
  /** What the agent did in its trials; undefined if no trial says it. */
  did: Did | undefined;
}

/** What an agent did in some trials, added up. */
export interface Did {
  trials: number;
  calls: number;
  failed: number;
  retries: number;
  files: number;
}

/** What agents did, summed over their trials. */
export interface BehaviorSum {
  readonly trials: number;
  readonly calls: number;
  readonly failed: number;
  readonly retries: number;
  readonly files: number;
  /** In how many trials a skill was used, by its name. */
  readonly skills: ReadonlyMap<string, number>;
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
  /** The part of the cost that was computed with a table of prices, and the table; none if all of it was reported. */
  computed: { costUsd: number; readonly tables: Set<string> } | undefined;
  /** Sums over the trials whose agents report what they do. */
  behavior: BehaviorSum | undefined;
  /** When its first trial started, in milliseconds since 1970. */
  startedAt: number | undefined;
  readonly versions: Set<string>;
  readonly models: Set<string>;
  readonly graders: Set<string>;
  /** Some trials report only a part of what they used or cost, so the sum is a lower bound. */
  isPartial: boolean;
  isCostPartial: boolean;
  /** The same for the judge, if one was asked. */
  judging: JudgeSpending | undefined;
  /** Trials in which a call failed; null if no trial shows its calls. */
  toolErrors: number | null;
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
