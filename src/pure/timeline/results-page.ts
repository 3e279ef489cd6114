import type { Tokens } from "../events/index.ts";
import type { Interval } from "../statistics/index.ts";
import type { ClassCounts, StartProblem, TrialClass } from "../verdicts/index.ts";

/** What the server sends the page about an evaluation. Null means not known, never zero. */

/** The results of one side (an agent, a model, a file) over all cases. */
export interface ResultSide {
  readonly label: string;
  readonly cases: number;
  readonly trials: number;
  /** Trials that count: passed, failed and out of time. */
  readonly graded: number;
  readonly classes?: ClassCounts | undefined;
  /** What kept trials from starting. */
  readonly startProblems?: readonly StartProblem[] | undefined;
  readonly passRate: number | null;
  readonly passRateInterval: Interval | null;
  readonly latencyMs: { readonly p50: number | null };
  readonly costUsd: number | null;
  /** The mean over trials that report it; null if none does. */
  readonly meanCostUsd: number | null;
  readonly meanTokens: number | null;
  /** Some trials report only a part: the numbers are lower bounds. */
  readonly partialTokens?: true;
  readonly partialCost?: true;
  /** Null if the agent does not show its calls. */
  readonly toolErrors: number | null;
}

/** The difference between two sides, as in `harness compare`. */
export interface ResultPair {
  readonly a: string;
  readonly b: string;
  readonly cases: number;
  readonly pairs: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  readonly difference: number | null;
  readonly interval: Interval | null;
  readonly pAdjusted: number | null;
  readonly verdict: string;
}

export interface ResultsPage {
  /** Changes whenever the files change. */
  readonly version: string;
  readonly files: readonly string[];
  readonly sides: readonly ResultSide[];
  readonly pairs: readonly ResultPair[];
  readonly cases: number;
  /** The cases whose trials disagree most, by key. */
  readonly flakiest: readonly ResultRow[];
}

/** One side of one case: the number of trials that count, and the trials in each class, in the order of `trialClasses`. */
export type ResultCell = readonly [graded: number, ...classes: number[]];

export interface ResultRow {
  /** Identifies the row in requests, because an id may be any text of any length. */
  readonly key: string;
  readonly id: string;
  /** One per side. */
  readonly cells: readonly ResultCell[];
}

export interface ResultTrial {
  readonly number: number;
  readonly class: TrialClass;
  readonly startProblem: StartProblem | null;
  /** The grade is only for information: the work ran out of time or crashed. */
  readonly isUncounted?: true;
  readonly score: number | null;
  readonly reasoning: string | null;
  readonly problem: string | null;
  readonly status: string | null;
  readonly output: string;
  readonly durationMs: number | null;
  readonly costUsd: number | null;
  readonly usage: Tokens | null;
  /** `usage` or `costUsd` are those of a part of the trial. */
  readonly isPartial?: true;
  readonly isCostPartial?: true;
  readonly toolErrors: boolean;
  readonly runs: readonly ResultRun[];
  /** Attempts that were lost and repeated. */
  readonly lost: readonly ResultRun[];
}

export interface ResultRun {
  readonly id: string;
  /** Whether the page can show it. */
  readonly isThere: boolean;
}

export interface ResultCase {
  readonly key: string;
  readonly id: string;
  readonly input: string;
  readonly expected: string | null;
  readonly sides: readonly { readonly label: string; readonly trials: readonly ResultTrial[] }[];
  /** The number of trials in the files that are not included here. */
  readonly left: number;
}
