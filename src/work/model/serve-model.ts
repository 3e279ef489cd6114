import type { IncomingMessage, ServerResponse } from "node:http";
import { serveHttp } from "../../host/listen/index.ts";
import { HarnessError, parseObject } from "../../pure/base/index.ts";
import { answerOf } from "./answer.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { chooseTurn } from "./choose-turn.ts";
import type { Dialect } from "./dialect.ts";
import { geminiContent } from "./gemini-content.ts";
import type { LedgerEntry } from "./ledger.ts";
import type { Fault, ModelScenario } from "./model-scenario.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { play, sendJson } from "./play.ts";
import { readBody } from "./read-body.ts";

export interface ModelOptions {
  readonly scenarios: readonly ModelScenario[];
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** A loopback address, so that other machines cannot reach the model. */
  readonly host?: "127.0.0.1" | "::1" | "localhost";
  /** Tools that the agent has, whether it offers them or not. A model that knows the agent asks for them by these names. */
  readonly known?: readonly string[];
  /** The largest request body that is accepted. */
  readonly maxBodyBytes?: number;
  /** Called once per request, after its answer. */
  readonly onEntry?: (entry: LedgerEntry) => void;
}

export interface ModelServer {
  readonly url: string;
  readonly port: number;
  /** Every request so far, in the order of the answers. */
  readonly ledger: readonly LedgerEntry[];
  /** Cuts off answers that are still being sent. */
  close(): Promise<void>;
}

const dialects: readonly Dialect[] = [anthropicMessages, openaiResponses, openaiChat, geminiContent];

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** A ledger entry in progress; complete when the request is answered. */
type Draft = { -readonly [Key in keyof LedgerEntry]: LedgerEntry[Key] };

/** Serves a model that answers from scenarios, on loopback, in the dialects that agents speak. */
export async function serveModel(options: ModelOptions): Promise<ModelServer> {
  const { scenarios, port = 0, host = "127.0.0.1", maxBodyBytes = 64 * 2 ** 20 } = options;
  if (!LOOPBACK.includes(host)) throw new HarnessError("usage", `The scripted model serves only loopback: ${LOOPBACK.join(", ")}.`);
  const ledger: LedgerEntry[] = [];
  /** How many times each fault has happened. */
  const faults = new Map<Fault, number>();
  let requests = 0;

  const listener = await serveHttp({
    answer: (request, response) => void handle(request, response),
    refuse: (response, { status, message }) => fail(response, undefined, status, message),
    mostBytes: Number.POSITIVE_INFINITY, // `post` answers in the client's dialect
    host,
    port,
    mostConnections: 2048,
    mostRequests: 1024,
    requestMs: 60_000,
    upgrade: "426 Upgrade Required", // makes a client that prefers a websocket continue without one
  });
  const { url } = listener;
  return { url, port: listener.port, ledger, close: listener.close };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const draft = draftOf(request);
    try {
      await route(request, response, draft);
    } catch {
      draft.aborted = request.errored !== null || response.destroyed;
      draft.status = draft.aborted ? draft.status : fail(response, undefined, 500, "The scripted model failed.");
    }
    draft.aborted ||= response.destroyed && !response.writableFinished && draft.fault === null;
    draft.seq = ledger.length + 1;
    ledger.push(draft);
    options.onEntry?.(draft);
  }

  async function route(request: IncomingMessage, response: ServerResponse, draft: Draft): Promise<void> {
    const { method, path } = draft;
    const dialect = dialects.find((each) => each.asks(path) !== undefined);
    const isReading = method === "GET" || method === "HEAD";
    if (isReading && path === "/") draft.status = sendJson(response, 200, { ok: true }).status;
    else if (isReading && path === "/v1/models") draft.status = sendJson(response, 200, models).status;
    else if (isReading && path === "/v1beta/models") draft.status = sendJson(response, 200, geminiModels).status;
    else if (dialect === undefined) draft.status = fail(response, undefined, 404, `Not found: ${method} ${path}.`);
    else if (method !== "POST") draft.status = fail(response, dialect, 405, `${path} requires POST.`);
    else await post(request, response, dialect, draft);
  }

  async function post(request: IncomingMessage, response: ServerResponse, dialect: Dialect, draft: Draft): Promise<void> {
    draft.dialect = dialect.id;
    const encoding = request.headers["content-encoding"] ?? "identity";
    const bytes = await readBody(request, encoding === "identity" ? maxBodyBytes : 0);
    draft.bytes = bytes?.length ?? Number(request.headers["content-length"] ?? 0);
    if (encoding !== "identity") draft.status = fail(response, dialect, 415, "Send the body without content-encoding.");
    else if (bytes === undefined) draft.status = fail(response, dialect, 413, `The body is larger than ${maxBodyBytes} bytes.`);
    else await answer(response, dialect, bytes.toString("utf8"), draft);
  }

  async function answer(response: ServerResponse, dialect: Dialect, text: string, draft: Draft): Promise<void> {
    const body = parseObject(text);
    const conversation = body === undefined ? undefined : dialect.conversation(body, draft.path);
    if (conversation === undefined) {
      draft.status = fail(response, dialect, 400, body === undefined ? "The body is not a JSON object." : "The body has no conversation.");
      return;
    }
    if (dialect.asks(draft.path) === "count") {
      draft.status = sendJson(response, 200, dialect.counted(Math.ceil(text.length / 4))).status;
      return;
    }
    const { kind, marker, index, turn, scenario } = chooseTurn(scenarios, conversation);
    const fault = happening(turn.fault);
    const seen = (scenario?.watch ?? []).filter((watched) => text.includes(JSON.stringify(watched).slice(1, -1)));
    const { model, isStream, tools } = conversation;
    Object.assign(draft, { kind, marker, turn: index, model, stream: isStream, tools: tools.map(({ name }) => name), seen });
    draft.fault = fault === undefined ? null : faultName(fault);
    const made = answerOf(turn, conversation, String(++requests).padStart(4, "0"), url, options.known);
    const { status, usage } = await play(response, { dialect, isStream, turn, answer: made, fault });
    Object.assign(draft, { status, usage });
  }

  function happening(fault: Fault | undefined): Fault | undefined {
    if (fault === undefined) return undefined;
    const before = faults.get(fault) ?? 0;
    faults.set(fault, before + 1);
    return before < fault.times ? fault : undefined;
  }
}

function draftOf({ method = "", url = "" }: IncomingMessage): Draft {
  const path = (url.split("?", 1)[0] ?? "").slice(0, 200);
  return {
    seq: 0,
    at: Date.now(),
    method,
    path,
    dialect: null,
    model: null,
    kind: "other",
    marker: null,
    turn: null,
    stream: null,
    status: 0,
    usage: null,
    fault: null,
    tools: [],
    seen: [],
    bytes: 0,
    aborted: false,
  };
}

/** Errors outside a dialect use the form that all dialects except Gemini's share. */
function fail(response: ServerResponse, dialect: Dialect | undefined, status: number, message: string): number {
  if (response.headersSent) response.destroy();
  else sendJson(response, status, (dialect ?? anthropicMessages).failure(status, message), { connection: "close" });
  return status;
}

function faultName(fault: Fault): string {
  return `${fault.kind} ${fault.kind === "status" ? fault.status : fault.kind === "cut" ? fault.where : fault.error}`;
}

/** In a form that clients of all other dialects can read. */
const models = {
  object: "list",
  has_more: false,
  data: [
    {
      id: "scripted",
      object: "model",
      type: "model",
      display_name: "Scripted model",
      created: 0,
      created_at: "2026-01-01T00:00:00Z",
      owned_by: "harness",
    },
  ],
};

const geminiModels = {
  models: [{ name: "models/scripted", displayName: "Scripted model", supportedGenerationMethods: ["generateContent", "countTokens"] }],
};
