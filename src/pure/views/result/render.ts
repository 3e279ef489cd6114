import { duration, notes } from "../../base/index.ts";
import { costText, usageText } from "../../events/index.ts";
import type { Refs } from "../refs.ts";
import { type Row, refsNote, row, type Terminal, verdict } from "../row.ts";
import type { RunResult } from "./schema.ts";

/** A list of names and values; unknown values say so. */
export function renderResult(record: RunResult & Partial<Refs>, terminal: Terminal): string {
  const { status, reason, output, sessionId, model, usage, cost, subagents, toolCalls, durationMs, exitCode, signal, unknown } = record;
  const mark = verdict(status === null ? undefined : status === "completed");
  const rows: readonly Row[] = [
    {
      label: "status",
      color: "bold",
      mark,
      text: status ?? "unknown",
      note: notes(reason !== status && reason !== null && reason, refsNote(record)),
    },
    line("session", sessionId),
    line("model", model),
    line("duration", durationMs === null ? null : duration(durationMs)),
    line("cost", costText(cost, record.partialCost)),
    line("tokens", usageText(usage, record.partialUsage)),
    line("tool calls", toolCalls),
    line("subagents", subagents),
    line("exit code", exitCode),
    ...(signal === null ? [] : [line("signal", signal)]),
    line("not readable", unknown),
    { label: "output", color: "bold", text: output ?? "unknown", whole: true },
  ];
  return rows.map((each) => row(each, terminal)).join("");
}

function line(label: string, value: string | number | null): Row {
  const isKnown = value !== null && value !== "";
  return { label, color: "bold", text: isKnown ? String(value) : "unknown" };
}
