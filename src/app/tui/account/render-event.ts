import { clip, compact, counted } from "../../../pure/base/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import { colors } from "../../terminal/index.ts";
import { asText } from "./as-text.ts";
import { fold } from "./fold.ts";
import { GUTTER, marked } from "./gutter.ts";
import { renderCall, renderRefusal, renderSubagentEnd, renderSubagentStart } from "./render-call.ts";
import { renderVerdict } from "./render-verdict.ts";
import { MOST_STEPS, type RecordOf, type RunState } from "./run-state.ts";

/** Rows that belong together. `asked`, `said` and `end` start a new paragraph, `done` continues it. */
export interface Block {
  readonly tone: "asked" | "said" | "done" | "end";
  readonly rows: readonly string[];
}

type Paint = (text: string) => string;

/** Prose wider than this is hard to read. */
const WIDEST_PROSE = 110;
const MOST_OF_A_MESSAGE = 200;
const MOST_OF_A_COMPLAINT = 12;
const MOST_OF_A_THOUGHT = 2;
/** Characters of a thought that are read: more than two rows. */
const HEAD = 4000;

/** The rows of one event, none wider than `width`; undefined if it has none. Reads the state from before the event. */
export function renderEvent(record: LogRecord, state: RunState, width: number): Block | undefined {
  const room = width - GUTTER;
  switch (record.type) {
    case "message":
      return message(record, state, room);
    case "reasoning":
      return said(aside("∴", record.text, room));
    case "result":
      if (record.text === undefined || state.hasSpoken() || state.isJustAbove(record.text)) return undefined;
      return said(prose(colors.bold("●"), record.text, room));
    case "tool-end":
      return done(renderCall(record, state, room));
    case "tool-progress":
      // Background work that continued after its call had ended.
      if (record.state === undefined || record.message === undefined || state.calls.has(record.callId ?? "")) return undefined;
      return done(remark(record.message, room));
    case "plan":
      return state.isSamePlan(record.items) ? undefined : said(plan(record, room));
    case "subagent-start":
      return done(renderSubagentStart(record, state, room));
    case "subagent-end":
      return done(renderSubagentEnd(record, state, room));
    case "permission-request":
      return done(marked(colors.yellow("?"), [colors.yellow(clip(`asks for permission: ${record.tool ?? "a tool"}`, room))]));
    case "permission-decision":
      return done(renderRefusal(record, state, room));
    case "compaction":
      return done(remark(compacted(record), room));
    case "notice":
      return record.message !== undefined && isSentence(record.message) ? done(remark(record.message, room)) : undefined;
    case "warning":
      return done(complaint("!", colors.yellow, record, room));
    case "error":
      return done(complaint("✗", colors.red, record, room));
    case "unknown":
      return done([colors.dim(`? ${clip(asText(record.raw), room)}`)]);
    case "run-end":
      return { tone: "end", rows: renderVerdict(record, state, room) };
    default:
      return undefined;
  }
}

/** The whole text, up to a generous limit. */
export function prose(mark: string, text: string, room: number, limit = MOST_OF_A_MESSAGE, paint?: Paint): string[] {
  const { rows, more } = fold(text, Math.min(room, WIDEST_PROSE), limit);
  const shown = paint === undefined ? [...rows] : rows.map((row) => (row === "" ? row : paint(row)));
  if (more > 0) shown.push(colors.dim(clip(`… ${counted(more, "more line")}`, room)));
  return marked(mark, shown);
}

function message(record: RecordOf<"message">, state: RunState, room: number): Block | undefined {
  const { role, text } = record;
  if (role === "system") return done(remark(text, room));
  if (role === "user") {
    if (text.trim() === state.run.prompt.trim()) return undefined;
    return { tone: "asked", rows: aside("❯", text, room) };
  }
  if (record.repeats === true) return said(remark("the same text again, after a retry", room));
  if (record.raw !== undefined) return done(prose(" ", text, room)); // a line of plain output
  return said(prose(colors.bold("●"), text, room));
}

function aside(mark: string, text: string, room: number): string[] {
  const head = text.slice(0, HEAD).replace(/\n\s*\n/g, "\n");
  const { rows, more } = fold(head, Math.min(room, WIDEST_PROSE) - 2, MOST_OF_A_THOUGHT);
  return marked(
    colors.dim(mark),
    rows.map((row, i) => colors.dim(more > 0 && i === rows.length - 1 ? `${row} …` : row)),
  );
}

function remark(text: string, room: number): string[] {
  return text.trim() === "" ? [] : [colors.dim(`· ${clip(text.trim(), room)}`)];
}

/** Some agents print only the name of a hook. */
function isSentence(text: string): boolean {
  return /\S\s+\S/.test(text.slice(0, HEAD));
}

function complaint(mark: string, paint: Paint, record: RecordOf<"warning"> | RecordOf<"error">, room: number): string[] {
  const { message: text, code, from } = record;
  // Agents print stderr lines with a code in healthy runs too.
  if (code !== undefined && from[0]?.stream === "stderr") return marked(paint(mark), [colors.dim(clip(text, room))]);
  return prose(paint(mark), text, room, MOST_OF_A_COMPLAINT, paint);
}

const STEPS = { completed: "✓", in_progress: "▸", pending: "○", unknown: "?" } as const;

function plan({ items }: RecordOf<"plan">, room: number): string[] {
  const ready = items.filter(({ status }) => status === "completed").length;
  const steps = items.slice(0, MOST_STEPS).map(({ status, text }) => {
    const step = clip(text, room - GUTTER);
    if (status === "completed") return `${colors.green(STEPS[status])} ${colors.dim(step)}`;
    return `${STEPS[status]} ${status === "in_progress" ? colors.bold(step) : step}`;
  });
  const rest = items.length - steps.length;
  if (rest > 0) steps.push(colors.dim(clip(`… ${counted(rest, "more step")}`, room)));
  const progress = clip(`${ready} of ${items.length}`, room - "plan  ".length);
  return marked(colors.cyan("≡"), [`${colors.cyan("plan")}  ${colors.dim(progress)}`, ...steps]);
}

function compacted({ trigger, tokensBefore }: RecordOf<"compaction">): string {
  const before = tokensBefore === undefined ? "" : ` of ${compact(tokensBefore)} tokens`;
  return `the conversation${before} was shortened${trigger === undefined ? "" : ` (${trigger})`}`;
}

function said(rows: readonly string[]): Block | undefined {
  return rows.length === 0 ? undefined : { tone: "said", rows };
}

function done(rows: readonly string[]): Block | undefined {
  return rows.length === 0 ? undefined : { tone: "done", rows };
}
