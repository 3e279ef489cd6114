import { nothing } from "../../base/index.ts";
import type { View } from "../../pipeline/index.ts";
import { type Capture, captureParts } from "../capture/index.ts";
import type { TrajectoryStep } from "../trajectory/index.ts";
import type { Markdown } from "./schema.ts";

/** In pieces, as the run goes: a page can be longer than memory. */
export const markdown: View<Markdown> = {
  id: "markdown",
  title: "A page of Markdown for a reader or a judge",
  text: (record) => record.markdown,
  open(options) {
    const parts = captureParts(options);
    const { id = "run", input } = options?.evaluated ?? {};
    let prompt = input;
    let count = 0;
    return {
      push(event) {
        if (event.body.type === "run-start") prompt ??= event.body.prompt;
        const { steps, rest } = parts(event);
        if (steps.length === 0 && rest === undefined) return nothing;
        const head = count === 0 ? headOf(id, prompt ?? "") : "";
        const listed = steps.map((step) => itemOf(id, step, count++)).join("");
        return [{ markdown: head + listed + (rest === undefined ? "" : tailOf(rest)) }];
      },
      end: () => nothing,
    };
  },
};

const STEP_CHARS = 100;
const OUTPUT_CHARS = 200;
const HEAD_LINES = 8;
const TAIL_LINES = 4;

export function markdownOf({ trajectory, ...record }: Capture): string {
  const { id, input } = record;
  return headOf(id, input) + trajectory.map((step, index) => itemOf(id, step, index)).join("") + tailOf(record);
}

function headOf(id: string, input: Capture["input"]): string {
  return `## Evaluation Record: ${id}\n\n**Input:** ${typeof input === "string" ? input : input.join("\n\n")}\n\n**Trajectory:**\n`;
}

/** Results from earlier tools may lack step ids: specification 004 defines them by position. */
function itemOf(id: string, step: TrajectoryStep, index: number): string {
  return `${index + 1}. ${stepOf(step)} [->${step.stepId ?? `${id}-step-${index + 1}`}]${preview(step)}\n`;
}

function tailOf({ output, metadata, timing, toolErrors }: Omit<Capture, "trajectory">): string {
  const facts = Object.entries(metadata).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [
    "",
    `**Output:** ${truncated(output, OUTPUT_CHARS)}`,
    `**Metadata:** ${facts.join(", ")}`,
    `**Tool Errors:** ${toolErrors}`,
    `**Duration:** ${timing.end - timing.start}ms`,
    "",
    "---",
    "",
  ].join("\n");
}

function stepOf(step: TrajectoryStep): string {
  switch (step.type) {
    case "thought":
      return `[THOUGHT] ${oneLine(step.content)}`;
    case "message":
      return `[MESSAGE] ${oneLine(step.content)}`;
    case "plan":
      return `[PLAN] ${step.entries.map(entryText).join("; ")}`;
    case "tool_call":
      return `[TOOL:${oneLine(step.name)}] -> ${step.status}${step.duration === undefined ? "" : ` (${step.duration}ms)`}`;
  }
}

const ENTRY_KEYS = ["content", "text", "description", "step", "title"];

/** `completed: Read the code`; an entry in an unknown form is shown as JSON. */
function entryText(entry: unknown): string {
  if (typeof entry === "string") return oneLine(entry);
  if (typeof entry !== "object" || entry === null) return JSON.stringify(entry) ?? "";
  const fields = new Map(Object.entries(entry));
  const text = ENTRY_KEYS.map((key) => fields.get(key)).find((value) => typeof value === "string");
  const status = fields.get("status");
  if (text === undefined) return oneLine(JSON.stringify(entry));
  return typeof status === "string" ? `${status}: ${oneLine(text)}` : oneLine(text);
}

/** A step is one line of a list, so line breaks in the agent's text must not start another one. */
function oneLine(text: string): string {
  return truncated(text, STEP_CHARS).replace(/[\r\n\u2028\u2029]/g, " ");
}

/** Counts whole characters, not surrogate halves. */
function truncated(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  for (let count = 0; count < limit && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end === text.length ? text : `${text.slice(0, end)}...`;
}

/** For a call that writes a file: the beginning and end of its contents. */
function preview(step: TrajectoryStep): string {
  const file = step.type === "tool_call" ? writtenFile(step.input) : undefined;
  if (file === undefined) return "";
  const lines = file.content.replace(/\n$/, "").split("\n");
  const omitted = lines.length - HEAD_LINES - TAIL_LINES;
  const shown =
    omitted <= 0 ? lines : [...lines.slice(0, HEAD_LINES), "", `// ... ${omitted} lines omitted ...`, "", ...lines.slice(-TAIL_LINES)];
  const fence = fenceFor(file.content);
  const block = [`File: ${file.path} (${file.content.length} chars)`, `${fence}${extension(file.path)}`, ...shown, fence];
  return block.map((line) => `\n   ${line}`).join("");
}

const PATH_KEYS = ["file_path", "filePath", "path", "filename"];
const TEXT_KEYS = ["content", "new_string", "newString", "file_text", "contents"];

function writtenFile(input: unknown): { path: string; content: string } | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = new Map(Object.entries(input));
  const first = (keys: readonly string[]) => keys.map((key) => fields.get(key)).find((value) => typeof value === "string");
  const path = first(PATH_KEYS);
  const content = first(TEXT_KEYS);
  return path === undefined || content === undefined ? undefined : { path, content };
}

/** Longer than any fence in the text, so that a hostile file cannot close it. */
function fenceFor(content: string): string {
  const longest = Math.max(0, ...[...content.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  return "`".repeat(Math.max(3, longest + 1));
}

function extension(path: string): string {
  return /\.([A-Za-z0-9]{1,12})$/.exec(path)?.[1] ?? "";
}
