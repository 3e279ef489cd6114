import { duration, notes } from "../../base/index.ts";
import { costText, tokenCounts, usageText } from "../../events/index.ts";
import type { Refs } from "../refs.ts";
import { type Row, refsNote, row, type Terminal, verdict } from "../row.ts";
import type { StreamRecord } from "./schema.ts";

/** A `TextDelta` is not shown, because the `Message` that follows has the whole text. */
export function renderStream(record: StreamRecord & Partial<Refs>, terminal: Terminal): string {
  const shown = describe({ ...record, type: pascal(record.type) } as StreamRecord);
  if (shown === undefined) return "";
  const nested = "subagent_id" in record && record.subagent_id !== undefined;
  return row({ nested, ...shown, note: notes(shown.note, refsNote(record)) }, terminal);
}

function describe(record: StreamRecord): Row | undefined {
  switch (record.type) {
    case "SessionStart":
      return {
        label: "session",
        color: "green",
        text: record.agent,
        note: notes(record.model ?? "", record.cwd ?? "", record.session_id ?? ""),
      };
    case "TextDelta":
      return undefined;
    case "Message":
      return { label: record.role, color: "bold", text: record.text, note: record.partial ? "cut off" : "", whole: true };
    case "ToolStart":
      return { label: "tool", color: "yellow", mark: ["▸"], text: `${record.tool_name} ${record.input}` };
    case "ToolEnd":
      return { label: "tool", color: "yellow", mark: verdict(record.success), text: `${record.tool_name} ${record.output}` };
    case "UsageDelta":
      return { label: "usage", color: "dim", text: tokenCounts(record.usage), note: record.covers === "last-step" ? "last step only" : "" };
    case "Error":
      return { label: "error", color: "red", mark: ["✗", "red"], text: record.message, note: record.code ?? "", whole: true };
    case "Result":
      return {
        label: "result",
        color: record.success ? "green" : "red",
        mark: verdict(record.success),
        text: record.status ?? "unknown",
        note: notes(
          record.duration_ms !== null && duration(record.duration_ms),
          costText(record.total_cost_usd, record.partial_cost && { ...record.partial_cost, costUsd: record.partial_cost.cost_usd }) ?? "",
          usageText(record.usage, record.partial_usage),
        ),
      };
  }
}

/** `session_start` → `SessionStart`, for `--case snake`. */
function pascal(type: string): string {
  return type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
