import { clip, columnsOf, duration, outputSummary, parseJson } from "../../../pure/base/index.ts";
import { type Ending, succeeded } from "../../../pure/events/index.ts";
import { colors } from "../../terminal/index.ts";
import { asText, firstText } from "./as-text.ts";
import { nameOf } from "./crew.ts";
import { type Deed, describeCall, LONGEST_NAME } from "./describe-call.ts";
import { GUTTER, marked, type Note, noted } from "./gutter.ts";
import type { OpenCall, RecordOf, RunState } from "./run-state.ts";

/** A shorter time is not shown: in a bare file all lines have the same time. */
const SHORTEST_MS = 50;
const HEAD = 4000;

/** One row for a finished call, and one for the first line that a failed call printed. */
export function renderCall(end: RecordOf<"tool-end">, state: RunState, room: number): string[] {
  const call = state.calls.get(end.callId);
  if (call === undefined) return deedRow(markOf(end.success), { verb: "tool", text: end.callId }, [], room);
  const operations = end.operations?.length ? end.operations : call.start.operations;
  const [first] = operations;
  const isFine = first !== undefined && succeeded(first, end, operations) === true;
  const success = isFine ? true : end.success;
  const message = success === false && end.endings === undefined ? complaintOf(end) : ""; // the first line of a batch may come from a successful call
  if (call.hasOwnRows)
    return message === "" ? [] : deedRow(markOf(success), { verb: `${clip(call.start.tool, LONGEST_NAME)}:`, text: message }, [], room);
  const deed = describeCall({ tool: call.start.tool, input: call.start.input, operations }, state.run.cwd);
  const rows = deedRow(markOf(success), deed, callNotes(end, call, isFine), room);
  return message === "" ? rows : [...rows, `  ${colors.dim(clip(message, room))}`];
}

export function renderSubagentStart(start: RecordOf<"subagent-start">, state: RunState, room: number): string[] {
  const call = start.callId === undefined ? undefined : state.calls.get(start.callId);
  const text = start.description ?? (call === undefined ? "" : firstText(call.start.input));
  const name = clip(nameOf(start.subagentId, start.name), LONGEST_NAME);
  return deedRow(colors.cyan("▸"), { verb: text === "" ? name : `${name}:`, text }, [], room, colors.bold);
}

export function renderSubagentEnd(end: RecordOf<"subagent-end">, state: RunState, room: number): string[] {
  const subagent = state.subagentOf(end.subagentId);
  const verb = clip(end.name ?? subagent?.name ?? "", LONGEST_NAME);
  return deedRow(markOf(end.success), { verb, text: "" }, took(end.at - (subagent?.at || end.at)), room, colors.bold);
}

/** A denied call has its row already; a decision after its call, or without one, gets its own row. */
export function renderRefusal(decision: RecordOf<"permission-decision">, state: RunState, room: number): string[] {
  const isDenied = decision.decision === "deny";
  if (isDenied && state.calls.has(decision.callId ?? "")) return [];
  const text = [decision.tool, decision.reason].filter(Boolean).join(": ");
  const verb = `permission ${isDenied ? "denied" : "given"}${text === "" ? "" : ":"}`;
  return deedRow(markOf(!isDenied), { verb, text }, [], room, isDenied ? colors.yellow : colors.dim);
}

/** `✓ read src/a.ts  0.3 s`: the text is clipped before the notes. */
function deedRow(mark: string, { verb, text }: Deed, notes: readonly Note[], room: number, paint = colors.cyan): string[] {
  const { text: tail, columns } = noted(notes);
  const left = room - columnsOf(verb) - 1 - columns;
  const shown = text === "" || left < GUTTER ? "" : ` ${clip(text, left)}`;
  return marked(mark, [`${paint(clip(verb, room))}${shown}${left < -1 ? "" : tail}`]);
}

function callNotes(end: RecordOf<"tool-end">, call: OpenCall, isFine: boolean): readonly Note[] {
  const notes: Note[] = [];
  const failed = end.exitCode !== undefined && end.exitCode !== 0;
  if (failed) notes.push(isFine ? { text: "no match", paint: colors.dim } : { text: `exit ${end.exitCode}`, paint: colors.red });
  if (end.endings !== undefined) notes.push({ text: howMany(end.endings), paint: colors.red });
  if (call.denied) notes.push({ text: "permission denied", paint: colors.yellow });
  if (end.interrupted === true) notes.push({ text: "did not end", paint: colors.yellow });
  const rivals = end.call?.rivals?.length ?? 0;
  if (rivals > 0) notes.push({ text: `or ${rivals} more with the same id`, paint: colors.dim });
  return [...notes, ...took(end.at - call.start.at)];
}

function howMany(endings: readonly Ending[]): string {
  return `${endings.filter(({ success }) => success === false).length} of ${endings.length} failed`;
}

function took(ms: number): readonly Note[] {
  return ms < SHORTEST_MS ? [] : [{ text: duration(ms), paint: colors.dim }];
}

function markOf(success: boolean | undefined): string {
  if (success === undefined) return colors.dim("–");
  return success ? colors.green("✓") : colors.red("✗");
}

/** The first useful line: without tags, not the exit code that the row already shows, and JSON as short text. */
function complaintOf({ output = "", exitCode }: RecordOf<"tool-end">): string {
  const lines = output.slice(0, HEAD).split("\n");
  const texts = lines.map((line) => line.replace(/^\s*<[\w-]+>|<\/[\w-]+>\s*$/g, "").trim());
  const first = outputSummary(texts.filter((line) => line.toLowerCase() !== `exit code ${exitCode}`).join("\n"), true);
  return first.startsWith("{") ? readJson(first) : first;
}

function readJson(text: string): string {
  try {
    return asText(parseJson(text));
  } catch {
    return text;
  }
}
