import type { CheckBody, Constraint, Event } from "../../pure/events/index.ts";

/** The input of checks: the run's events, including its evidence, and the files that the events name. */
export interface EvaluationInput {
  /** From the recording, so that a later evaluation sees the same: all events, with a `run-end` last. */
  readonly events: AsyncIterable<readonly Event[]>;
  /** The run's own directory, with the `artifacts/…` that the events name. */
  readonly directory: string;
  readonly constraints: readonly Constraint[];
  /** A file or a module with additional checks. */
  readonly policy?: string;
  /** The policy may be anyone's: its modules are not run, and have no verdict. */
  readonly isForeignPolicy?: boolean;
  /** Names of checks in addition to the scenario's. */
  readonly checks?: readonly string[];
}

/** May reject: then all checks are unknown. */
export type Evaluate = (input: EvaluationInput) => Promise<readonly CheckBody[]>;
