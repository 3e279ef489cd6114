import type { PartialCost, PartialUsage, Tokens } from "../events/index.ts";

/** One run in the list of runs. Null means not known. */
export interface RunRow {
  readonly id: string;
  readonly agent: string | null;
  /** `running`, a run's status, `unfinished` if its recorder died, or `damaged` if its description cannot be read. */
  readonly status: string | null;
  readonly reason: string | null;
  readonly startedAt: number | null;
  readonly durationMs: number | null;
  readonly model: string | null;
  readonly usage: Tokens | null;
  readonly costUsd: number | null;
  /** If the agent reports only a part of what the run used. */
  readonly partialUsage?: PartialUsage;
  readonly partialCost?: PartialCost;
  readonly toolCalls: number | null;
  readonly subagents: number | null;
  readonly events: number | null;
  readonly unknown: number | null;
  /** The size of the agent's standard output. */
  readonly bytes: number | null;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly prompt: string | null;
  readonly cwd: string | null;
  readonly sessionId: string | null;
  readonly resumes: string | null;
  /** The evaluation case of which this run is a trial. */
  readonly evaluated: { readonly id: string; readonly trial: number | null } | null;
}
