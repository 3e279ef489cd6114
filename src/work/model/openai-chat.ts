// OpenAI Chat Completions, as Goose, Pi, OpenCode, Kilo and Cline speak it: POST /v1/chat/completions.
import { arrayOf, isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../pure/base/index.ts";
import type { Answer, Frame, ToolUse } from "./answer.ts";
import { type Conversation, conversationIn, type OfferedTool, parametersOf, type Said, saidByModel } from "./conversation.ts";
import { type Dialect, statusOfError } from "./dialect.ts";
import type { Usage } from "./model-scenario.ts";
import { openaiFailure } from "./openai-failure.ts";

// ── request ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function conversation(body: JsonObject): Conversation | undefined {
  const format = objectOf(objectOf(body["response_format"])?.["json_schema"]);
  return conversationIn(body, arrayOf(body["messages"]), offeredTool, said, format?.["schema"]);
}

function offeredTool(tool: JsonObject): readonly OfferedTool[] {
  const { name: given, parameters } = objectOf(tool["function"]) ?? {};
  const name = wordOf(given);
  return name === undefined ? [] : [{ name, ...parametersOf(parameters) }];
}

function said({ role, content, tool_calls: calls }: JsonObject): readonly Said[] {
  if (role === "assistant") return [saidByModel((arrayOf(calls) ?? []).map((call) => objectOf(call)?.["id"]))];
  if (role !== "user" && role !== "tool") return [];
  return [{ by: role, text: textOf(content) }];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = (arrayOf(content) ?? []).filter(isObject);
  return parts.map((part) => stringOf(part["text"]) ?? "").join("\n");
}

// ── answer ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The usage always has its own chunk, even if the request's `stream_options` do not ask for it. */
function frames(answer: Answer): readonly Frame[] {
  const usage = charged(answer.usage);
  return [
    chunk(answer, { role: "assistant", content: "" }),
    ...(answer.reasoning === "" ? [] : [chunk(answer, { reasoning_content: answer.reasoning })]),
    ...answer.text.map((content): Frame => ({ ...chunk(answer, { content }), isText: true })),
    ...answer.calls.flatMap((call, index) => callChunks(answer, call, index)),
    { ...chunk(answer, {}, finishReason(answer)), isEnd: true },
    { data: { ...envelope(answer, "chat.completion.chunk"), choices: [], usage: usageOf(usage) }, usage },
    { data: "[DONE]" },
  ];
}

/** The name comes first, then the arguments, as in the real API. */
function callChunks(answer: Answer, { id, name, input }: ToolUse, index: number): readonly Frame[] {
  return [
    chunk(answer, { tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    chunk(answer, { tool_calls: [{ index, function: { arguments: input } }] }),
  ];
}

function chunk(answer: Answer, delta: JsonObject, finish: string | null = null): Frame {
  return { data: { ...envelope(answer, "chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] } };
}

function whole(answer: Answer): JsonObject {
  const { reasoning, text, calls } = answer;
  const message = {
    role: "assistant",
    content: text.length > 0 ? text.join("") : null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
  };
  return {
    ...envelope(answer, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    usage: usageOf(charged(answer.usage)),
  };
}

function callOf({ id, name, input }: ToolUse): JsonObject {
  return { id, type: "function", function: { name, arguments: input } };
}

function envelope({ id, model }: Answer, object: string): JsonObject {
  return { id: `chatcmpl-${id}`, object, created: CREATED, model };
}

/** Fixed, so that the same answer always has the same bytes. */
const CREATED = 1_767_225_600;

function finishReason({ calls, stop }: Answer): string {
  if (stop !== "end") return stop === "length" ? "length" : "content_filter";
  return calls.length > 0 ? "tool_calls" : "stop";
}

/** The wire has no class for tokens written to a cache: they count as input. */
function charged({ cacheWrite, ...usage }: Usage): Usage {
  return { ...usage, input: usage.input + cacheWrite, cacheWrite: 0 };
}

/** Gross on the wire: the prompt includes cached tokens, the completion includes reasoning. */
function usageOf({ input, cacheRead, output, reasoning }: Usage): JsonObject {
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output + reasoning,
    total_tokens: input + cacheRead + output + reasoning,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

export const openaiChat: Dialect = {
  id: "openai-chat",
  asks: (path) => (path === "/v1/chat/completions" ? "turn" : undefined),
  conversation,
  charged,
  frames,
  whole,
  errorFrame: (error, message) => ({ data: openaiFailure(statusOfError[error], message) }),
  failure: openaiFailure,
  overflow: { message: "This model's maximum context length is 200000 tokens. However, your messages resulted in 250000 tokens." },
  counted: (tokens) => ({ input_tokens: tokens }),
};
