import type { ServerResponse } from "node:http";
import type { Refusal } from "../../host/listen/index.ts";
import { OUTPUT_FILES, type RunManifest } from "../../host/recording/index.ts";
import { recorded } from "../../host/sink/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { Stream } from "../../pure/events/index.ts";
import type { LogState } from "../../pure/timeline/index.ts";
import { eventLine, eventLines, MOST_EVENTS, rangesOf, wholeLines } from "./event-lines.ts";
import { newsStream } from "./news-stream.ts";
import { MOST_RAW, rawBytes } from "./raw-bytes.ts";
import { send, sendJson } from "./reply.ts";
import { runAbout } from "./run-about.ts";
import { manifestAt, type RunList } from "./run-list.ts";
import type { RunLog } from "./run-log.ts";
import type { RunLogs } from "./run-logs.ts";
import { runPatch } from "./run-patch.ts";
import { searchLog } from "./search-log.ts";
import { sendView } from "./send-view.ts";

export interface Ask {
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

const MOST_ROWS = 65_536;
/** The most complete events in one response. */
const MOST_WHOLE = 5000;

/** Serves `/api/runs/<id>`; returns undefined if it sent a response. */
export function runRoutes(list: RunList, logs: RunLogs) {
  return async (id: string, rest: string, ask: Ask): Promise<Refusal | undefined> => {
    const directory = list.directory(id);
    if (directory === undefined) return { status: 404, message: "No such run. It may have been deleted." };
    const manifest = readable(directory);
    if (manifest === undefined)
      return { status: 404, message: "The run.json of this run is damaged. harness verify <run> shows the damage." };
    if (rest === "") return about(ask, list, logs.of(manifest, directory), manifest);
    if (rest === "/rows") return rows(ask, logs.of(manifest, directory));
    if (rest === "/events") return events(ask, logs.of(manifest, directory));
    if (rest === "/whole") return whole(ask, logs.of(manifest, directory));
    if (rest === "/usage") return usage(ask, logs.of(manifest, directory));
    if (rest === "/search") return search(ask, logs.of(manifest, directory));
    if (rest === "/live") return live(ask, logs.of(manifest, directory));
    if (rest === "/patch") return patch(ask, manifest, directory);
    const [, seq] = /^\/events\/(\d{1,10})$/.exec(rest) ?? [];
    if (seq !== undefined) return event(ask, logs.of(manifest, directory), Number(seq));
    const [, view] = /^\/views\/([a-z]{1,40})$/.exec(rest) ?? [];
    if (view !== undefined) return sendView(ask.response, manifest, directory, view);
    const [, stream] = /^\/raw\/(stdout|stderr)$/.exec(rest) ?? [];
    if (stream !== undefined) return raw(ask, manifest, directory, stream as Stream);
    return { status: 404, message: "This page has no such address." };
  };
}

function readable(directory: string): RunManifest | undefined {
  try {
    return manifestAt(directory);
  } catch (error) {
    if (error instanceof HarnessError) return undefined;
    throw error;
  }
}

async function about({ response }: Ask, list: RunList, log: RunLog, manifest: RunManifest): Promise<undefined> {
  await log.reached(1);
  sendJson(response, { row: await list.row(manifest.id), about: runAbout(manifest), log: log.state });
  return undefined;
}

async function rows({ response, query }: Ask, log: RunLog): Promise<Refusal | undefined> {
  const from = countOf(query.get("from") ?? "0");
  const to = countOf(query.get("to") ?? String((from ?? 0) + MOST_ROWS));
  if (from === undefined || to === undefined || to < from)
    return { status: 400, message: "The parameters from and to must be numbers, and to must not be less than from." };
  await log.reached(from + 1);
  send(response, "application/octet-stream", recorded(log.files.rows(from, Math.min(to, from + MOST_ROWS))));
  return undefined;
}

async function events({ response, query }: Ask, log: RunLog): Promise<Refusal | undefined> {
  const ranges = rangesOf(query.get("seq") ?? "");
  if (ranges === undefined)
    return { status: 400, message: `The parameter seq must be numbers and ranges, such as 1-50,99, of at most ${MOST_EVENTS} events.` };
  await log.reached(Math.max(...ranges.map(([, last]) => last)));
  send(response, "application/x-ndjson; charset=utf-8", recorded(eventLines(log.files, ranges)));
  return undefined;
}

async function whole({ response, query }: Ask, log: RunLog): Promise<Refusal | undefined> {
  const from = countOf(query.get("from") ?? "1");
  const to = countOf(query.get("to") ?? "");
  if (from === undefined || to === undefined || from < 1 || to < from)
    return { status: 400, message: "The parameters from and to must be numbers, and to must not be less than from." };
  await log.reached(from);
  send(response, "application/x-ndjson; charset=utf-8", recorded(wholeLines(log.files, from, Math.min(to, from + MOST_WHOLE - 1))));
  return undefined;
}

async function usage({ response }: Ask, log: RunLog): Promise<undefined> {
  sendJson(response, log.usage());
  return undefined;
}

async function event({ response }: Ask, log: RunLog, seq: number): Promise<Refusal | undefined> {
  await log.reached(seq);
  const line = seq < 1 ? undefined : eventLine(log.files, seq);
  if (line === undefined) return { status: 404, message: "This run has no such event." };
  send(response, "application/json; charset=utf-8", recorded(line));
  return undefined;
}

async function search({ response, query }: Ask, log: RunLog): Promise<Refusal | undefined> {
  const text = query.get("q") ?? "";
  const from = countOf(query.get("from") ?? "1");
  if (text === "" || text.length > 500 || from === undefined || from < 1)
    return { status: 400, message: "The parameter q must be the text to find, and from a number." };
  sendJson(response, await searchLog(log.files, text, from));
  return undefined;
}

function raw({ response, query }: Ask, manifest: RunManifest, directory: string, stream: Stream): Refusal | undefined {
  const offset = countOf(query.get("offset") ?? "0");
  const length = countOf(query.get("length") ?? String(MOST_RAW));
  if (offset === undefined || length === undefined) return { status: 400, message: "The parameters offset and length must be numbers." };
  const bytes = rawBytes(manifest, directory, stream, offset, length);
  if (bytes === undefined) return { status: 410, message: "These bytes are gone: the agent truncated its own output." };
  const name = `${manifest.id}-${offset}-${OUTPUT_FILES[stream]}`;
  send(response, "text/plain; charset=utf-8", recorded(bytes), { "content-disposition": `attachment; filename="${name}"` });
  return undefined;
}

function patch({ response }: Ask, { id }: RunManifest, directory: string): Refusal | undefined {
  const bytes = runPatch(directory);
  if (bytes === undefined) return { status: 404, message: "This run has no patch." };
  send(response, "text/plain; charset=utf-8", recorded(bytes), { "content-disposition": `attachment; filename="${id}.patch"` });
  return undefined;
}

const REPORT_MS = 100;

function live({ response }: Ask, log: RunLog): undefined {
  const stream = newsStream<LogState>(response, (_, later) => later);
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = undefined;
    stream.send(log.state);
    if (log.state.done) stream.close();
  };
  const stop = log.onGrowth(() => (timer ??= setTimeout(report, REPORT_MS)));
  response.on("close", () => {
    stop();
    clearTimeout(timer);
  });
  report();
  return undefined;
}

function countOf(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
