import type { RunStatus, Tokens } from "../../pure/events/index.ts";
import type { Activity, RunResult, StreamRecord } from "../../pure/views/index.ts";
import type { LedgerEntry } from "../model/index.ts";

/** `isLate`: the agent made it for itself after its answer. */
export type SeenRequest = Pick<LedgerEntry, "kind" | "marker" | "turn" | "usage" | "seen"> & { readonly isLate?: boolean };

export interface SeenRun {
  /** The exit code of `harness run`. */
  readonly exitCode: number | null;
  readonly activity: readonly Activity[];
  readonly stream: readonly StreamRecord[];
  /** For each message of the main thread in `activity`: whether it is more of the one before it. */
  readonly continues: readonly boolean[];
  readonly result: Pick<RunResult, "status" | "usage" | "partialUsage">;
  /** The requests that the model served. */
  readonly ledger: readonly SeenRequest[];
  readonly workspace: string;
  /** The live outputs by name, and what the recording gives now. */
  readonly live: Readonly<Record<string, string>>;
  readonly derived: Readonly<Record<string, string>>;
}

/** Operations that match, that do not, and that never happened. */
export interface OperationCount {
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
}

/** `within`: the agent reports these tokens in a different class. `absent`: in none. */
export type ClassVerdict = "equal" | "differs" | "within" | "absent";

/**
 * What the run's usage was compared with. `whole`: all that the model served. `threads`: the same without the agent's own requests for
 * titles, summaries and choices. `part`: the part that the run says it reports. `exempt`: it differs, and the scenario accepts that.
 * `unreported`: there are no numbers.
 */
export type Coverage = "whole" | "threads" | "part" | "exempt" | "unreported";

export interface Judgement {
  /** Every difference, as a sentence; empty if the run went as the scenario says. */
  readonly problems: readonly string[];
  /** Null if the scenario accepts any operations. */
  readonly operations: OperationCount | null;
  /** Class by class against the ledger; null if there is nothing to compare. */
  readonly usage: Readonly<Record<keyof Tokens, ClassVerdict>> | null;
  readonly coverage: Coverage;
  readonly status: { readonly expected: RunStatus; readonly found: RunStatus | null };
}
