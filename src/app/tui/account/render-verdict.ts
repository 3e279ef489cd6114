import { clip, counted, duration, notes, wrap } from "../../../pure/base/index.ts";
import { costText, type RunStatus, usageText } from "../../../pure/events/index.ts";
import { colors } from "../../terminal/index.ts";
import { fold } from "./fold.ts";
import { marked } from "./gutter.ts";
import type { RecordOf, RunState } from "./run-state.ts";

const LAST_LINES = { read: 200, shown: 12 };

/** How the run ended, what it cost, what to do about it, and the last lines of a run that failed. */
export function renderVerdict(end: RecordOf<"run-end">, state: RunState, room: number): string[] {
  const { toolCalls, subagents, cost, usage, partialCost, partialUsage, durationMs } = state.summary();
  const { mark, paint } = looks(end.status);
  const status = end.status?.replace("_", " ") ?? "unknown";
  const why = notes(reasonOf(end), end.exitCode !== null && end.exitCode !== 0 && `exit code ${end.exitCode}`, end.signal ?? "");
  const ms = end.durationMs ?? durationMs;
  const spent = notes(
    ms !== null && ms > 0 && duration(ms),
    toolCalls > 0 && counted(toolCalls, "tool call"),
    subagents > 0 && counted(subagents, "subagent"),
    costText(cost, partialCost) ?? "",
  );
  const tokens = usageText(usage, partialUsage);
  return [
    ...marked(paint(mark), [`${colors.bold(paint(status))}${why === "" ? "" : `  ${colors.dim(clip(why, room - status.length - 2))}`}`]),
    ...remedy(end, room),
    ...dimmed(spent, room),
    ...dimmed(tokens === "" ? "" : `tokens: ${tokens}`, room),
    ...lastLines(end, state, room),
  ];
}

function looks(status: RunStatus | null): { mark: string; paint: (text: string) => string } {
  if (status === "completed") return { mark: "✓", paint: colors.green };
  if (status === null) return { mark: "–", paint: colors.yellow };
  return status === "blocked" || status === "canceled" ? { mark: "■", paint: colors.yellow } : { mark: "✗", paint: colors.red };
}

/** The reason for the status, if it adds something to status, exit code and signal. */
function reasonOf({ status, reason, signal }: RecordOf<"run-end">): string {
  const isEmpty = status === "completed" || reason === status || reason === signal || /^(?:exit-code|claimed-)/.test(reason);
  return isEmpty ? "" : reason;
}

function dimmed(text: string, room: number): string[] {
  return text === "" ? [] : wrap(text, room).map((row) => `  ${colors.dim(row)}`);
}

function remedy({ status, reason }: RecordOf<"run-end">, room: number): string[] {
  if (status !== "blocked" || reason !== "permission-refused") return [];
  return wrap("The agent needed a permission and did not get it. To allow everything, pass --permissions full", room).map(
    (row) => `  ${colors.yellow(row)}`,
  );
}

function lastLines({ status, tail = "" }: RecordOf<"run-end">, state: RunState, room: number): string[] {
  if (status === "completed" || tail.trim() === "" || state.isJustAbove(tail)) return [];
  const rows = fold(tail, room - 2, LAST_LINES.read).rows.slice(-LAST_LINES.shown);
  return [`  ${colors.dim("last lines:")}`, ...rows.map((row) => `  ${colors.dim("│")} ${row}`)];
}
