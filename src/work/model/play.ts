import { type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../../pure/base/index.ts";
import type { Answer, Frame } from "./answer.ts";
import { type Dialect, statusOfError } from "./dialect.ts";
import type { Fault, Turn, Usage } from "./model-scenario.ts";

/** How an answer was sent. */
export interface Played {
  readonly status: number;
  /** The usage, as far as the client learned it. */
  readonly usage: Usage | null;
}

interface Request {
  readonly dialect: Dialect;
  readonly isStream: boolean;
  readonly turn: Turn;
  readonly answer: Answer;
  /** The turn's fault, if it happens this time. */
  readonly fault: Fault | undefined;
}

/** Sends one answer with its delays and its fault. Stops early and silently if the client leaves. */
export async function play(response: ServerResponse, request: Request): Promise<Played> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  await pause(request.turn.delayMs, gone.signal);
  const { dialect, fault, answer, isStream } = request;
  if (fault?.kind === "status") {
    return sendJson(
      response,
      fault.status,
      fault.body ?? dialect.failure(fault.status, fault.message ?? failureText(fault.status)),
      fault.headers,
    );
  }
  const isWhole = !isStream || (fault?.kind === "error" && fault.error === "context" && !dialect.overflow.isFrame);
  if (!isWhole) return stream(response, request, gone.signal);
  if (fault?.kind === "error") return sendJson(response, statusOfError[fault.error], errorBody(dialect, fault));
  if (fault?.kind === "cut") return cutBody(response, JSON.stringify(dialect.whole(answer)), gone.signal);
  return { ...sendJson(response, 200, dialect.whole(answer)), usage: dialect.charged(answer.usage) };
}

/** Names the kind of failure, as providers do: some agents report only the text, not the status. */
function failureText(status: number): string {
  return `Scripted failure: ${STATUS_CODES[status] ?? "Overloaded"}`;
}

/** Sends an answer without streaming. A string body is sent verbatim. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Played {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
  return { status, usage: null };
}

async function stream(response: ServerResponse, request: Request, gone: AbortSignal): Promise<Played> {
  const { dialect, answer, fault, turn } = request;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", "request-id": `req_${answer.id}` });
  let usage: Usage | null = null;
  for (const frame of framesWith(fault, dialect, answer)) {
    if (!(await write(response, serverSentEvent(frame, dialect), gone))) return { status: 200, usage };
    usage = frame.usage ?? usage;
    await pause(turn.chunk.everyMs, gone);
  }
  if (fault?.kind === "cut") await cut(response, gone);
  else response.end();
  return { status: 200, usage };
}

/** The frames to send, up to the fault. */
function framesWith(fault: Fault | undefined, dialect: Dialect, answer: Answer): readonly Frame[] {
  const frames = dialect.frames(answer);
  const end = frames.findIndex((frame) => frame.isEnd);
  if (fault?.kind === "cut" && fault.where === "before-stop") return frames.slice(0, end);
  if (fault?.kind === "cut") return frames.slice(0, middleOf(frames));
  if (fault?.kind !== "error") return frames;
  const tally = frames.findLastIndex((frame) => frame.usage !== undefined);
  const before = tally < 0 ? end : Math.min(end, tally);
  return [...frames.slice(0, before), dialect.errorFrame(fault.error, messageOf(fault, dialect), answer)];
}

/** The middle of the text or, without text, of the whole answer. */
function middleOf(frames: readonly Frame[]): number {
  const texts = [...frames.keys()].filter((index) => frames[index]?.isText);
  return texts.length === 0 ? Math.ceil(frames.length / 2) : (texts[Math.ceil(texts.length / 2)] ?? (texts[0] ?? 0) + 1);
}

async function cutBody(response: ServerResponse, body: string, gone: AbortSignal): Promise<Played> {
  response.writeHead(200, { "content-type": "application/json" });
  await write(response, body.slice(0, body.length / 2), gone);
  await cut(response, gone);
  return { status: 200, usage: null };
}

/** A client that sees the connection close may drop what it has not read yet, so it gets a moment to read. */
async function cut(response: ServerResponse, gone: AbortSignal): Promise<void> {
  await pause(MOMENT_MS, gone);
  response.destroy();
}

const MOMENT_MS = 300;

function errorBody(dialect: Dialect, fault: Extract<Fault, { kind: "error" }>): JsonObject {
  return dialect.failure(statusOfError[fault.error], messageOf(fault, dialect));
}

function messageOf({ error, message }: Extract<Fault, { kind: "error" }>, dialect: Dialect): string {
  return message ?? (error === "context" ? dialect.overflow.message : errorMessages[error]);
}

/** Some agents recognize an error only by its message. */
const errorMessages = {
  overloaded: "The model is overloaded. Try again later.",
  "rate-limit": "Rate limit reached. Try again later.",
  server: "The server had an error while it processed the request.",
} as const;

function serverSentEvent({ event, data }: Frame, { json = JSON.stringify }: Dialect): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : json(data)}\n\n`;
}

/** Resolves when the bytes are sent, so that a cut comes after them; false if the client is gone. */
function write(response: ServerResponse, text: string, gone: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve(false);
    const left = () => resolve(false);
    gone.addEventListener("abort", left, { once: true });
    response.write(text, (error) => {
      gone.removeEventListener("abort", left);
      resolve(!error);
    });
  });
}

async function pause(milliseconds: number, gone: AbortSignal): Promise<void> {
  if (milliseconds > 0 && !gone.aborted) await wait(milliseconds, undefined, { signal: gone }).catch(() => {});
}
