import type { RunStatus, Tokens } from "../../pure/events/index.ts";
import type { Activity, RunResult, StreamRecord } from "../../pure/views/index.ts";
import type { LedgerEntry } from "../model/index.ts";

/** What is known of a run when it is over. */
export interface SeenRun {
  /** Of `harness run`. */
  readonly exitCode: number | null;
  readonly activity: readonly Activity[];
  readonly stream: readonly StreamRecord[];
  readonly result: Pick<RunResult, "status" | "usage">;
  /** What the model served. */
  readonly ledger: readonly Pick<LedgerEntry, "kind" | "marker" | "turn" | "usage" | "seen">[];
  readonly workspace: string;
  /** What was written while the agent ran, by name, and what the recording gives now. */
  readonly live: Readonly<Record<string, string>>;
  readonly derived: Readonly<Record<string, string>>;
}

/** Operations that are as expected, that are not, and that were expected in vain. */
export interface OperationCount {
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
}

/** `within`: the agent tells these tokens together with another class. */
export type ClassVerdict = "equal" | "differs" | "within";

/** How a run compares with its scenario. */
export interface Judgement {
  /** Everything that differs, in sentences; empty when it went as the scenario says. */
  readonly problems: readonly string[];
  /** Null where nobody can foresee them. */
  readonly operations: OperationCount | null;
  /** Class by class against the ledger; null where that says nothing. */
  readonly usage: Readonly<Record<keyof Tokens, ClassVerdict>> | null;
  readonly status: { readonly expected: RunStatus; readonly found: RunStatus | null };
}
