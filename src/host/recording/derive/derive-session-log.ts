import { HarnessError, type JsonObject, numberOf, objectOf } from "../../../pure/base/index.ts";
import type { Line } from "../../../pure/events/index.ts";
import { lineSplitter, type Pipeline, parseLine, pipeline, type View, type ViewOptions } from "../../../pure/pipeline/index.ts";
import { NOT_FROM_A_SESSION_LOG, promptIn, respelled, sessionLogAgent, sessionStartOf, views } from "../../../pure/views/index.ts";
import { type ByteSource, openSource } from "../../files/index.ts";
import { decode } from "./decode.ts";

/** A session log is known by its name, because its first line may also be an agent's own. */
export function isSessionLog(source: ByteSource): source is string | URL {
  return (typeof source === "string" || source instanceof URL) && /\.ndjson$/i.test(String(source));
}

export function checkSessionLogView({ id }: View): void {
  const missing = NOT_FROM_A_SESSION_LOG.get(id);
  if (missing === undefined) return;
  const others = Object.keys(views).filter((each) => !NOT_FROM_A_SESSION_LOG.has(each));
  const message = `A session log does not support the view ${id}: ${missing}. Supported views: ${others.join(", ")}.`;
  throw new HarnessError("usage", message, { option: "view" });
}

interface SessionLogOptions extends ViewOptions {
  readonly refs?: boolean;
  /** Called before each record, for a replay at the recorded pace. */
  readonly pace?: ((startedAt: number, at: number) => Promise<void> | undefined) | undefined;
}

/** Derives a view from a session log alone, in either spelling of its type names. Every record has its own time. */
export async function* deriveSessionLog<Out extends object>(
  source: string | URL,
  view: View<Out>,
  options: SessionLogOptions = {},
): AsyncGenerator<readonly Out[]> {
  checkSessionLogView(view);
  const lines = linesOf(source);
  try {
    yield* derived(source, lines, view, options);
  } finally {
    await lines.return(undefined); // closes the file, also if it is not a session log
  }
}

async function* derived<Out extends object>(
  source: string | URL,
  lines: AsyncGenerator<Line, undefined>,
  view: View<Out>,
  options: SessionLogOptions,
): AsyncGenerator<readonly Out[]> {
  const first = await lines.next();
  const start = first.done ? undefined : sessionStartOf(recordIn(first.value));
  if (first.done || start === undefined)
    throw new HarnessError("input", `${source} is not a session log: its first line is not a SessionStart record.`);
  const second = await lines.next();
  const prompt = second.done ? undefined : promptIn(recordIn(second.value));
  const { agent, startedAt } = start;
  const isStream = view.id === "stream" && options.refs !== true; // then the log is the answer
  let isComplete = false;
  const run: Pipeline<Out> = pipeline(sessionLogAgent(agent), view, { ...start, ...(prompt !== undefined && { prompt }) }, decode, options);
  let last = startedAt;

  async function passed(line: Line): Promise<readonly Out[]> {
    const said = recordIn(line);
    last = Math.max(last, numberOf(said["timestamp_ms"]) ?? last);
    await options.pace?.(startedAt, last);
    const derived = run.line("stdout", line, last);
    if (!isStream) return derived;
    const record = respelled(said, options.case);
    isComplete = /^result$/i.test(String(record?.["type"]));
    return record === undefined ? [] : [record as Out];
  }

  yield await passed(first.value);
  if (!second.done) yield await passed(second.value);
  for await (const line of lines) {
    const records = await passed(line);
    if (records.length > 0) yield records;
  }
  const end = run.end(last);
  if (!isStream || !isComplete) yield end;
}

function recordIn({ text }: Line): JsonObject {
  return objectOf(parseLine(text.trimEnd())) ?? {};
}

/** Whole lines of any length: a record that was written is read. */
async function* linesOf(source: string | URL): AsyncGenerator<Line, undefined> {
  const opened = await openSource(source, "session log");
  const splitter = lineSplitter(decode, Number.MAX_SAFE_INTEGER);
  for await (const { bytes } of opened.chunks()) yield* splitter.push(bytes);
  yield* splitter.end();
  return undefined;
}
