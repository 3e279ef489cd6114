import { notes } from "../../base/index.ts";
import type { Refs } from "../refs.ts";
import { type Row, refsNote, row, type Terminal, verdict } from "../row.ts";
import type { Activity } from "./schema.ts";

export function renderActivity(record: Activity & Partial<Refs>, terminal: Terminal): string {
  const nested = record.subagentId !== undefined && record.type !== "orchestration";
  const shown = describe(record);
  return row({ nested, label: record.type, ...shown, note: notes(shown.note, refsNote(record)) }, terminal);
}

function describe(record: Activity): Omit<Row, "label"> {
  switch (record.type) {
    case "agent":
      return { color: "bold", text: record.message, whole: true };
    case "reasoning":
      return { color: "dim", text: record.message, whole: true };
    case "command": {
      const { exitCode, workingDirectory } = record;
      const note = notes(exitCode !== undefined && exitCode !== 0 && `exit ${exitCode}`, workingDirectory && `in ${workingDirectory}`);
      return { color: "yellow", mark: verdict(record.isSuccess), text: record.command, note };
    }
    case "read":
    case "write":
      return {
        color: record.type === "read" ? "cyan" : "magenta",
        mark: verdict(record.isSuccess),
        text: record.path,
        note: linesOf(record),
      };
    case "search":
      return {
        color: "blue",
        mark: verdict(record.isSuccess),
        text: record.query,
        note: record.path === undefined ? "" : `in ${record.path}`,
      };
    case "list":
      return { color: "blue", mark: verdict(record.isSuccess), text: record.path ?? "" };
    case "skill":
      return {
        color: "magenta",
        mark: verdict(record.isSuccess),
        text: record.skillName ?? record.path,
        note: record.skillName ? record.path : "",
      };
    case "orchestration":
      return { color: "green", mark: verdict(record.isSuccess), text: orchestrated(record), note: record.subagentId ?? "" };
    case "error":
      return { color: "red", mark: ["✗", "red"], text: record.message, note: record.code ?? "", whole: true };
    case "warning":
      return { color: "yellow", mark: ["!", "yellow"], text: record.message, note: record.code ?? "", whole: true };
    case "unknown":
      return { color: "dim", mark: ["?"], text: typeof record.raw === "string" ? record.raw : JSON.stringify(record.raw) };
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
