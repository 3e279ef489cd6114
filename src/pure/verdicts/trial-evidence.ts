import type { RunStatus } from "../events/index.ts";

/** What decides the class of a trial. */
export interface TrialEvidence {
  /** Undefined for results of other tools, which have none. */
  readonly status: RunStatus | null | undefined;
  /** Why the status is what it is; undefined in results of earlier versions. */
  readonly reason?: string | null | undefined;
  /** `unverified`: a grade of what the line of the trial says, because its recordings were not there. */
  readonly verdict: "pass" | "fail" | "unverified" | "broken" | "none";
  /** The agent's process was started. */
  readonly isStarted: boolean;
  /** A model said or used something. */
  readonly isModelSeen: boolean;
  readonly errors: readonly string[];
}
