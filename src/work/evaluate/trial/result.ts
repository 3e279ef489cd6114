import type { RunStatus, Tokens } from "../../../pure/events/index.ts";
import type { Capture, TrajectoryStep } from "../../../pure/views/index.ts";
import type { Grade } from "./grade.ts";

/** What an evaluation knows of a run beside 004's fields; in a line of `capture`, and in every entry of `trials`. */
export interface RunFacts {
  /** The recorded runs, one per turn: `harness replay`, `derive` and the page open them. */
  readonly runs: readonly string[];
  readonly status: RunStatus | null;
  readonly usage: Tokens;
  /** US dollars, as the agent reports them. */
  readonly cost: number | null;
  /** Why there is no grade although one was asked for: never the agent's failure. */
  readonly gradeError?: string;
  /** Runs of the same trial that were lost to the model's provider or to us, and repeated. */
  readonly lost?: readonly LostAttempt[];
}

export interface LostAttempt {
  readonly runs: readonly string[];
  readonly status: RunStatus | null;
  readonly reason: string | null;
}

/** Who was asked, and how: results of two configurations are never mixed unnoticed. */
export interface Configured {
  readonly agent: string;
  readonly model?: string;
  /** SHA-256 over everything that decides how it is asked: agent, version, options, graders. */
  readonly configuration: string;
  /** SHA-256 over what is asked: the row of the data set. */
  readonly caseHash: string;
}

/** The result of one trial, and a line of `capture`: specification 004's CaptureResult, and ours behind it. */
export interface CaptureResult extends Capture, Configured, RunFacts {
  readonly score?: Grade;
}

/** The results of all trials of a case, and a line of `trials`: specification 004's TrialResult, and ours behind it. */
export interface TrialResult extends Configured {
  readonly id: string;
  readonly input: string | readonly string[];
  readonly expected?: string;
  readonly k: number;
  /** Passes by graded trials; null where none was graded. */
  readonly passRate?: number | null;
  readonly passAtK?: number | null;
  readonly passExpK?: number | null;
  readonly trials: readonly TrialEntry[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly statistics?: TrialStatistics;
}

export interface TrialEntry extends RunFacts {
  readonly trialNum: number;
  readonly output: string;
  readonly trajectory: readonly TrajectoryStep[];
  readonly duration: number;
  readonly toolErrors: boolean;
  readonly pass?: boolean;
  readonly score?: number;
  readonly reasoning?: string;
  readonly errors?: readonly string[];
}

/** Beside the documented numbers, under other names: what a statistician would sign. */
export interface TrialStatistics {
  readonly nGraded: number;
  readonly nPass: number;
  /** Trials without a verdict because a grader broke. */
  readonly nError: number;
  /** Trials lost to the model's provider or to our own limits. */
  readonly nInfrastructure: number;
  /** Wilson's 95 % interval; after early stopping, one that is wide enough to hold nevertheless. */
  readonly passRateInterval: { readonly low: number; readonly high: number } | null;
  readonly stopping?: Stopping;
  /** P(at least one of k passes), k = 1 … nGraded. */
  readonly unbiasedPassAtK: readonly number[];
  /** P(all of k pass), k = 1 … nGraded. */
  readonly unbiasedPassExpK: readonly number[];
}

/** By which rule the trials of a case were stopped, where their number was not fixed before. */
export interface Stopping {
  /** The width to either side that was asked for. */
  readonly untilPrecise: number;
  readonly fewest: number;
  readonly maxK: number;
  /** So many standard errors make the interval; 1.96 would for a fixed number. */
  readonly z: number;
}
