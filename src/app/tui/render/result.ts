import colors from "picocolors";
import { dollars, duration } from "../../../pure/base/index.ts";
import { tokenCounts } from "../../../pure/events/index.ts";
import type { Refs, RunResult } from "../../../pure/views/index.ts";
import { notes, refsNote, row, verdict } from "../../terminal/index.ts";

/** A list of names and values; what is not known is said to be so. */
export function renderResult(record: RunResult & Partial<Refs>): string {
  const { status, reason, output, sessionId, model, usage, cost, subagents, toolCalls, durationMs, exitCode, signal, unknown } = record;
  const mark = verdict(status === null ? undefined : status === "completed");
  return [
    row({
      label: "status",
      color: colors.bold,
      mark,
      text: status ?? "unknown",
      note: notes(reason !== status && reason !== null && reason, refsNote(record)),
    }),
    line("session", sessionId),
    line("model", model),
    line("duration", durationMs === null ? null : duration(durationMs)),
    line("cost", cost === null ? null : dollars(cost)),
    line("tokens", tokenCounts(usage)),
    line("tool calls", toolCalls),
    line("subagents", subagents),
    line("exit code", exitCode),
    signal === null ? "" : line("signal", signal),
    line("not readable", unknown),
    row({ label: "output", color: colors.bold, text: output ?? "unknown", whole: true }),
  ].join("");
}

function line(label: string, value: string | number | null): string {
  const told = value !== null && value !== "";
  return row({ label, color: colors.bold, text: told ? String(value) : "unknown" });
}
