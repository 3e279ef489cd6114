import { nothing } from "../../base/index.ts";
import type { RunStatus, Tokens } from "../../events/index.ts";
import { runSummary, type View } from "../../pipeline/index.ts";

export const RESULT_VERSION = "1.0";

/** One object that says how a run went. Null is "not known", never zero. */
export interface RunResult {
  schemaVersion: typeof RESULT_VERSION;
  status: RunStatus | null;
  /** Which row of the truth table decided the status. */
  reason: string | null;
  output: string | null;
  sessionId: string | null;
  model: string | null;
  usage: Tokens;
  /** US dollars, as the agent reports them. */
  cost: number | null;
  subagents: number;
  toolCalls: number;
  durationMs: number | null;
  exitCode: number | null;
  signal: string | null;
  /** How many pieces of output nobody could read. */
  unknown: number;
}

export const result: View<RunResult> = {
  id: "result",
  title: "How the run went: one object",
  open() {
    const run = runSummary();
    return {
      push(event) {
        run.see(event);
        if (event.body.type !== "run-end") return nothing;
        return [{ schemaVersion: RESULT_VERSION, ...run.summary() }];
      },
      end: () => nothing,
    };
  },
};
