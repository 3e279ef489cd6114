import type { CheckBody, Constraint, Event } from "../../pure/events/index.ts";

/** What checks are made of: the run's events, its evidence among them, and the files that the events name. */
export interface EvaluationInput {
  /** From the recording, so that a later evaluation sees the same: all that is known, and a `run-end` last. */
  readonly events: AsyncIterable<readonly Event[]>;
  /** The run's own directory: `artifacts/…` as the events name them. */
  readonly directory: string;
  readonly constraints: readonly Constraint[];
  /** A file or a module with further checks. */
  readonly policy?: string;
  /** Names of checks that are asked for, besides those of the scenario. */
  readonly checks?: readonly string[];
}

/** May reject: then no check of it is told, and all are unknown. */
export type Evaluate = (input: EvaluationInput) => Promise<readonly CheckBody[]>;
