import { clipped, isObject, parseJson } from "../../../pure/base/index.ts";
import type { EventBody } from "../../../pure/events/index.ts";
import { type Agent, innerEvents, lineSplitter, pipeline } from "../../../pure/pipeline/index.ts";
import { decode } from "./decode.ts";

/** How much of an output an agent can read. */
export interface Explanation {
  readonly agent: string;
  /** Lines that are not blank. */
  readonly lines: number;
  /** Lines that it read as events, or dropped on purpose. */
  readonly explained: number;
  /** `explained` divided by `lines`; null if there are none. */
  readonly share: number | null;
  /** The events they became. */
  readonly events: number;
  /** What it could not read, by kind, most frequent first. */
  readonly unknown: readonly UnknownKind[];
}

export interface UnknownKind {
  readonly kind: string;
  readonly count: number;
  readonly sample: string;
}

/** Enough to recognize a format. */
const MOST_LINES = 2000;
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_KINDS = 20;
const SAMPLE = 200;

/** The start of an output, long enough to recognize its format: complete lines, if there are any. */
export function beginningOf(bytes: Uint8Array): Uint8Array {
  let end = 0;
  for (let lines = 0; lines < MOST_LINES && end < bytes.length && end < MOST_BYTES; lines++) {
    const newline = bytes.indexOf(0x0a, end);
    end = newline < 0 ? bytes.length : newline + 1;
  }
  return bytes.subarray(0, Math.min(end, MOST_BYTES));
}

export function explain(agent: Agent, output: Uint8Array): Explanation {
  const texts = linesOf(output);
  const line = pipeline(agent, innerEvents, { startedAt: 0 }, decode);
  const events = [...line.bytes("stdout", output, 0), ...line.end(0)];
  const strange = new Map<number, true>();
  for (const { body, from } of events) if (isStrange(body)) for (const { record } of from) strange.set(record, true);
  const unread = texts.filter(({ record }) => strange.has(record));
  const explained = texts.length - unread.length;
  const share = texts.length === 0 ? null : explained / texts.length;
  const read = events.filter(({ body }) => body.type !== "unknown" && body.type !== "run-start" && body.type !== "run-end");
  return { agent: agent.id, lines: texts.length, explained, share, events: read.length, unknown: kindsOf(unread.map(({ text }) => text)) };
}

/** Sorted: the agent that explains most lines first, then the one that gets more events from them. */
export function explainByAll(agents: readonly Agent[], output: Uint8Array): readonly Explanation[] {
  return agents.map((agent) => explain(agent, output)).sort((a, b) => b.explained - a.explained || b.events - a.events);
}

/** Plain text that is only taken as a message for lack of a format does not count: it would explain anything. */
function isStrange(body: EventBody): boolean {
  return body.type === "unknown" || (body.type === "message" && body.raw !== undefined);
}

function linesOf(output: Uint8Array): readonly { readonly record: number; readonly text: string }[] {
  const splitter = lineSplitter(decode);
  const lines = [...splitter.push(output), ...splitter.end()];
  return lines.map(({ text }, i) => ({ record: i + 1, text })).filter(({ text }) => text.trim() !== "");
}

function kindsOf(texts: readonly string[]): readonly UnknownKind[] {
  const kinds = new Map<string, { count: number; readonly sample: string }>();
  for (const text of texts) {
    const kind = kindOf(text);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { count: 1, sample: clipped(text, SAMPLE) });
    else known.count++;
  }
  const all = [...kinds].map(([kind, { count, sample }]) => ({ kind, count, sample }));
  return all.sort((a, b) => b.count - a.count).slice(0, MOST_KINDS);
}

function kindOf(text: string): string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return text.trimStart().startsWith("{") ? "broken JSON" : "text";
  }
  if (!isObject(value)) return "JSON, not an object";
  for (const name of ["type", "kind", "event", "method"]) {
    const word = value[name];
    if (typeof word === "string") return `${name} ${clipped(word, 60)}`;
  }
  return `an object with ${clipped(Object.keys(value).slice(0, 5).join(", "), 80) || "no keys"}`;
}
