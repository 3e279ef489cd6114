// Gemini's generateContent, as Gemini CLI 0.61.0 speaks it: POST /v1beta/models/<model>:streamGenerateContent?alt=sse.
import { arrayOf, isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../pure/base/index.ts";
import { type Answer, type Frame, parsedInput, type ToolUse } from "./answer.ts";
import { type Conversation, type OfferedTool, parametersOf, type Said, saidByModel, schemaOf } from "./conversation.ts";
import { type Dialect, statusOfError } from "./dialect.ts";
import type { Usage } from "./model-scenario.ts";

// ── request ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The path, not the body, names the model and the method. */
function target(path: string): { readonly model: string; readonly method: string } | undefined {
  const [, model, method] = /^\/v1(?:beta|alpha)?\/models\/([\w.-]+):(streamGenerateContent|generateContent|countTokens)$/.exec(path) ?? [];
  return model === undefined || method === undefined ? undefined : { model, method };
}

function conversation(body: JsonObject, path: string): Conversation | undefined {
  // A count may wrap the request to count.
  const { contents, tools, generationConfig } = objectOf(body["generateContentRequest"]) ?? body;
  const config = objectOf(generationConfig);
  const turns = arrayOf(contents);
  if (turns === undefined) return undefined;
  return {
    model: target(path)?.model ?? "",
    isStream: target(path)?.method === "streamGenerateContent",
    tools: (arrayOf(tools) ?? []).flatMap(offeredTools),
    said: turns.flatMap((turn) => said(objectOf(turn) ?? {})),
    ...schemaOf(config?.["responseJsonSchema"] ?? config?.["responseSchema"]),
  };
}

/** Google's built-in tools, such as its search, are not functions. A request with only those is a side request. */
function offeredTools(group: unknown): readonly OfferedTool[] {
  return (arrayOf(objectOf(group)?.["functionDeclarations"]) ?? []).flatMap((tool) => {
    const { name: given, parametersJsonSchema, parameters = parametersJsonSchema } = objectOf(tool) ?? {};
    const name = wordOf(given);
    return name === undefined ? [] : [{ name, ...parametersOf(parameters) }];
  });
}

function said({ role, parts }: JsonObject): readonly Said[] {
  const each = (arrayOf(parts) ?? []).filter(isObject);
  if (role === "model") return [saidByModel(each.map((part) => objectOf(part["functionCall"])?.["id"]))];
  return each.map((part) =>
    isObject(part["functionResponse"])
      ? { by: "tool", text: JSON.stringify(part["functionResponse"]["response"] ?? {}) }
      : { by: "user", text: stringOf(part["text"]) ?? "" },
  );
}

// ── answer ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function frames(answer: Answer): readonly Frame[] {
  const { reasoning, text, calls } = answer;
  const usage = charged(answer.usage);
  return [
    ...(reasoning === "" ? [] : [{ data: chunk(answer, [thought(reasoning)]) }]),
    ...text.map((piece): Frame => ({ data: chunk(answer, [{ text: piece }]), isText: true })),
    ...calls.flatMap((call) => callParts(call).map((part) => ({ data: chunk(answer, [part]) }))),
    { data: ended(answer, [{ text: "" }]), usage, isEnd: true },
  ];
}

function whole(answer: Answer): JsonObject {
  const { reasoning, text, calls } = answer;
  return ended(answer, [
    ...(reasoning === "" ? [] : [thought(reasoning)]),
    ...(text.length === 0 ? [] : [{ text: text.join("") }]),
    ...calls.flatMap(callParts),
  ]);
}

function chunk({ id, model }: Answer, parts: readonly JsonObject[], candidate: JsonObject = {}): JsonObject {
  return { candidates: [{ content: { role: "model", parts }, index: 0, ...candidate }], modelVersion: model, responseId: `resp_${id}` };
}

function ended(answer: Answer, parts: readonly JsonObject[]): JsonObject {
  return { ...chunk(answer, parts, { finishReason: finishReason(answer) }), usageMetadata: usageOf(charged(answer.usage)) };
}

function thought(text: string): JsonObject {
  return { text, thought: true };
}

/** Arguments are an object on this wire, so invalid JSON cannot be sent at all. */
function callParts(call: ToolUse): readonly JsonObject[] {
  const args = parsedInput(call);
  return args === undefined ? [] : [{ functionCall: { id: call.id, name: call.name, args }, thoughtSignature: "c2NyaXB0ZWQ=" }];
}

function finishReason({ calls, stop }: Answer): string {
  if (stop !== "end") return stop === "length" ? "MAX_TOKENS" : "SAFETY";
  return calls.some((call) => parsedInput(call) === undefined) ? "MALFORMED_FUNCTION_CALL" : "STOP";
}

/** The wire has no class for tokens written to a cache: they count as input. */
function charged({ cacheWrite, ...usage }: Usage): Usage {
  return { ...usage, input: usage.input + cacheWrite, cacheWrite: 0 };
}

/** The prompt includes cached tokens; the candidates do not include thoughts. */
function usageOf({ input, cacheRead, output, reasoning }: Usage): JsonObject {
  return {
    promptTokenCount: input + cacheRead,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + cacheRead + output + reasoning,
  };
}

/** Escapes two characters, as Google's servers do: Gemini's client takes them for line ends. */
function json(value: JsonObject): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const statuses: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function failure(code: number, message: string): JsonObject {
  return { error: { code, message, status: statuses[code] ?? (code < 500 ? "INVALID_ARGUMENT" : "UNAVAILABLE") } };
}

export const geminiContent: Dialect = {
  id: "gemini-content",
  asks(path) {
    const method = target(path)?.method;
    return method === undefined ? undefined : method === "countTokens" ? "count" : "turn";
  },
  conversation,
  charged,
  frames,
  whole,
  errorFrame: (error, message) => ({ data: failure(statusOfError[error], message) }),
  failure,
  overflow: { message: "The input token count (1250000) exceeds the maximum number of tokens allowed (1048576)." },
  counted: (tokens) => ({ totalTokens: tokens }),
  json,
};
