import { arrayOf, isObject, type JsonObject, numberOf, objectOf, parseObject, stringOf } from "../base/index.ts";
import { noTokens, type Tokens } from "../events/index.ts";

/** The protocols in which agents talk to models. */
export type DialectId = "anthropic-messages" | "openai-responses" | "openai-chat" | "gemini-content";

/** What a request says about itself. */
export interface Asked {
  readonly model: string | null;
  readonly isStream: boolean | null;
  readonly messages: number | null;
  readonly tools: number | null;
  /** What stays the same over a conversation: its system prompt and its first message, as JSON. */
  readonly opening: string;
}

/** What an answer has said so far. */
export interface Said {
  model: string | null;
  usage: Tokens | null;
  finish: string | null;
  error: string | null;
  hasContent: boolean;
}

/** One protocol: which requests are its own, what they ask, and what its answers say. */
export interface Dialect {
  readonly id: DialectId;
  readonly path: RegExp;
  asked(body: JsonObject, path: string): Asked;
  /** Takes one event of a stream, or the whole answer. */
  read(event: JsonObject, said: Said): void;
}

const MOST_OPENING = 4096;

function opening(...values: readonly unknown[]): string {
  return (JSON.stringify(values) ?? "").slice(0, MOST_OPENING);
}

function itemsIn(value: unknown): readonly unknown[] {
  return arrayOf(value) ?? [];
}

function lengthOf(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}

function known(value: number | undefined): number | null {
  return value ?? null;
}

/** A difference that is unknown or negative is not a number of tokens. */
function less(gross: number | undefined, ...parts: readonly (number | undefined)[]): number | null {
  if (gross === undefined) return null;
  const rest = parts.reduce<number>((sum, part) => sum - (part ?? 0), gross);
  return rest < 0 ? null : rest;
}

const anthropic: Dialect = {
  id: "anthropic-messages",
  path: /\/messages$/,
  asked: (body) => ({
    model: stringOf(body["model"]) ?? null,
    isStream: body["stream"] === true,
    messages: lengthOf(body["messages"]),
    tools: lengthOf(body["tools"]) ?? 0,
    opening: opening(body["system"], itemsIn(body["messages"])[0]),
  }),
  read(event, said) {
    const message = event["type"] === "message_start" ? objectOf(event["message"]) : event["type"] === "message" ? event : undefined;
    const usage = objectOf(message?.["usage"]) ?? (event["type"] === "message_delta" ? objectOf(event["usage"]) : undefined);
    said.model = stringOf(message?.["model"]) ?? said.model;
    if (usage !== undefined) said.usage = withAnthropic(said.usage ?? noTokens, usage);
    said.finish = stringOf(message?.["stop_reason"]) ?? stringOf(objectOf(event["delta"])?.["stop_reason"]) ?? said.finish;
    if (event["type"] === "content_block_start" || event["type"] === "message") said.hasContent = true;
    if (event["type"] === "error") said.error = errorOf(event);
  },
};

/** A later report repeats, corrects or adds classes; a class that it leaves out stays. Thinking is part of the output. */
function withAnthropic(before: Tokens, usage: JsonObject): Tokens {
  return {
    input: numberOf(usage["input_tokens"]) ?? before.input,
    cacheRead: numberOf(usage["cache_read_input_tokens"]) ?? before.cacheRead,
    cacheWrite: numberOf(usage["cache_creation_input_tokens"]) ?? before.cacheWrite,
    output: numberOf(usage["output_tokens"]) ?? before.output,
    reasoning: null,
  };
}

const responses: Dialect = {
  id: "openai-responses",
  path: /\/responses$/,
  asked: (body) => ({
    model: stringOf(body["model"]) ?? null,
    isStream: body["stream"] === true || body["type"] === "response.create",
    messages: lengthOf(body["input"]),
    tools: lengthOf(body["tools"]) ?? 0,
    opening: opening(body["instructions"], itemsIn(body["input"]).slice(0, 3)),
  }),
  read(event, said) {
    const type = stringOf(event["type"]) ?? "";
    const response = objectOf(event["response"]) ?? (event["object"] === "response" ? event : undefined);
    said.model = stringOf(response?.["model"]) ?? said.model;
    const usage = objectOf(response?.["usage"]);
    if (usage !== undefined) said.usage = fromResponses(usage);
    if (type.startsWith("response.output") || event["object"] === "response") said.hasContent = true;
    if (response !== undefined && (/^response\.(completed|incomplete|failed)$/.test(type) || event["object"] === "response"))
      said.finish = stringOf(objectOf(response["incomplete_details"])?.["reason"]) ?? stringOf(response["status"]) ?? said.finish;
    if (type === "error" || isObject(response?.["error"])) said.error = errorOf(type === "error" ? event : (response ?? event));
  },
};

function fromResponses(usage: JsonObject): Tokens {
  const ins = objectOf(usage["input_tokens_details"]) ?? {};
  const outs = objectOf(usage["output_tokens_details"]) ?? {};
  const [read, written] = [numberOf(ins["cached_tokens"]), numberOf(ins["cache_write_tokens"])];
  const reasoning = numberOf(outs["reasoning_tokens"]);
  return {
    input: less(numberOf(usage["input_tokens"]), read, written),
    cacheRead: known(read),
    cacheWrite: known(written),
    output: less(numberOf(usage["output_tokens"]), reasoning),
    reasoning: known(reasoning),
  };
}

const chat: Dialect = {
  id: "openai-chat",
  path: /\/chat\/completions$/,
  asked(body) {
    const messages = itemsIn(body["messages"]).map((each) => objectOf(each) ?? {});
    const isSystem = (each: JsonObject) => each["role"] === "system" || each["role"] === "developer";
    return {
      model: stringOf(body["model"]) ?? null,
      isStream: body["stream"] === true,
      messages: lengthOf(body["messages"]),
      tools: lengthOf(body["tools"]) ?? 0,
      opening: opening(
        messages.find(isSystem),
        messages.find((each) => !isSystem(each)),
      ),
    };
  },
  read(event, said) {
    said.model = stringOf(event["model"]) ?? said.model;
    const usage = objectOf(event["usage"]);
    if (usage !== undefined) said.usage = fromChat(usage);
    for (const choice of itemsIn(event["choices"])) {
      said.hasContent = true;
      said.finish = stringOf(objectOf(choice)?.["finish_reason"]) ?? said.finish;
    }
    if (isObject(event["error"])) said.error = errorOf(event);
  },
};

function fromChat(usage: JsonObject): Tokens {
  const read = numberOf(objectOf(usage["prompt_tokens_details"])?.["cached_tokens"]);
  const reasoning = numberOf(objectOf(usage["completion_tokens_details"])?.["reasoning_tokens"]);
  return {
    input: less(numberOf(usage["prompt_tokens"]), read),
    cacheRead: known(read),
    cacheWrite: null, // the protocol cannot say it: it is in the input
    output: less(numberOf(usage["completion_tokens"]), reasoning),
    reasoning: known(reasoning),
  };
}

const gemini: Dialect = {
  id: "gemini-content",
  path: /:(?:streamGenerateContent|generateContent)$/,
  asked: (body, path) => ({
    model: /\/models\/([^/:]+):/.exec(path)?.[1] ?? null,
    isStream: path.includes(":streamGenerateContent"),
    messages: lengthOf(body["contents"]),
    tools: itemsIn(body["tools"]).reduce<number>(
      (sum, each) => sum + itemsIn(objectOf(each)?.["functionDeclarations"] ?? objectOf(each)?.["function_declarations"]).length,
      0,
    ),
    opening: opening(body["systemInstruction"], itemsIn(body["contents"])[0]),
  }),
  read(event, said) {
    said.model = stringOf(event["modelVersion"]) ?? said.model;
    const usage = objectOf(event["usageMetadata"]);
    if (usage !== undefined) said.usage = fromGemini(usage);
    for (const candidate of itemsIn(event["candidates"])) {
      said.hasContent = true;
      said.finish = stringOf(objectOf(candidate)?.["finishReason"]) ?? said.finish;
    }
    said.finish = stringOf(objectOf(event["promptFeedback"])?.["blockReason"]) ?? said.finish;
    if (isObject(event["error"])) said.error = errorOf(event);
  },
};

function fromGemini(usage: JsonObject): Tokens {
  const read = numberOf(usage["cachedContentTokenCount"]);
  return {
    input: less(numberOf(usage["promptTokenCount"]), read),
    cacheRead: known(read),
    cacheWrite: null,
    output: known(numberOf(usage["candidatesTokenCount"])),
    reasoning: known(numberOf(usage["thoughtsTokenCount"])),
  };
}

function errorOf(event: JsonObject): string {
  const error = objectOf(event["error"]) ?? event;
  return stringOf(error["message"]) ?? stringOf(error["type"]) ?? stringOf(error["code"]) ?? "error";
}

const dialects: readonly Dialect[] = [anthropic, responses, chat, gemini];

/** Undefined: a request that does not ask for a turn. */
export function dialectAt(method: string, path: string): Dialect | undefined {
  const plain = path.split("?", 1)[0] ?? "";
  return method === "POST" || method === "GET" ? dialects.find((each) => each.path.test(plain)) : undefined;
}

/** The request as an object, for a body that is one. */
export function askedBy(dialect: Dialect, text: string, path: string): Asked | undefined {
  const body = parseObject(text);
  return body === undefined ? undefined : dialect.asked(body, path.split("?", 1)[0] ?? "");
}
