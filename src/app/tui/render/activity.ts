import colors from "picocolors";
import type { Activity, Refs } from "../../../pure/views/index.ts";
import { notes, type Row, refsNote, row, verdict } from "../../terminal/index.ts";

export function renderActivity(record: Activity & Partial<Refs>): string {
  const nested = record.subagentId !== undefined && record.type !== "orchestration";
  const shown = describe(record);
  return row({ nested, label: record.type, ...shown, note: notes(shown.note, refsNote(record)) });
}

function describe(record: Activity): Omit<Row, "label"> {
  switch (record.type) {
    case "agent":
      return { color: colors.bold, text: record.message, whole: true };
    case "reasoning":
      return { color: colors.dim, text: record.message, whole: true };
    case "command": {
      const { exitCode, workingDirectory } = record;
      const note = notes(exitCode !== undefined && exitCode !== 0 && `exit ${exitCode}`, workingDirectory && `in ${workingDirectory}`);
      return { color: colors.yellow, mark: verdict(record.isSuccess), text: record.command, note };
    }
    case "read":
    case "write":
      return {
        color: colors[record.type === "read" ? "cyan" : "magenta"],
        mark: verdict(record.isSuccess),
        text: record.path,
        note: linesOf(record),
      };
    case "search":
      return {
        color: colors.blue,
        mark: verdict(record.isSuccess),
        text: record.query,
        note: record.path === undefined ? "" : `in ${record.path}`,
      };
    case "list":
      return { color: colors.blue, mark: verdict(record.isSuccess), text: record.path ?? "" };
    case "skill":
      return {
        color: colors.magenta,
        mark: verdict(record.isSuccess),
        text: record.skillName ?? record.path,
        note: record.skillName ? record.path : "",
      };
    case "orchestration":
      return { color: colors.green, mark: verdict(record.isSuccess), text: orchestrated(record), note: record.subagentId ?? "" };
    case "error":
      return { color: colors.red, mark: colors.red("✗"), text: record.message, note: record.code ?? "", whole: true };
    case "warning":
      return { color: colors.yellow, mark: colors.yellow("!"), text: record.message, note: record.code ?? "", whole: true };
    case "unknown":
      return { color: colors.dim, mark: "?", text: typeof record.raw === "string" ? record.raw : JSON.stringify(record.raw) };
  }
}

function linesOf({ startLine, endLine }: { startLine?: number; endLine?: number }): string {
  if (startLine === undefined) return endLine === undefined ? "" : `to line ${endLine}`;
  return endLine === undefined ? `from line ${startLine}` : `lines ${startLine}–${endLine}`;
}

function orchestrated({ action, subagentName }: { action: string; subagentName?: string }): string {
  const what = action.replace("_", " ");
  return subagentName === undefined ? what : `${what}: ${subagentName}`;
}
