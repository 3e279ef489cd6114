// Anthropic Messages, as Claude Code 2.1.325 speaks it: POST /v1/messages?beta=true.
import { arrayOf, isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../pure/base/index.ts";
import { type Answer, type Frame, parsedInput, type ToolUse } from "./answer.ts";
import { type Conversation, conversationIn, type OfferedTool, parametersOf, type Said, saidByModel } from "./conversation.ts";
import { type Dialect, statusOfError } from "./dialect.ts";
import type { Usage } from "./model-scenario.ts";

// ── request ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function conversation(body: JsonObject): Conversation | undefined {
  const format = objectOf(objectOf(body["output_config"])?.["format"]);
  return conversationIn(body, arrayOf(body["messages"]), offeredTool, said, format?.["schema"]);
}

function offeredTool({ name: given, input_schema: schema }: JsonObject): readonly OfferedTool[] {
  const name = wordOf(given);
  return name === undefined ? [] : [{ name, ...parametersOf(schema) }];
}

/** Claude Code also puts messages with the role `system` between the others. */
function said({ role, content }: JsonObject): readonly Said[] {
  if (role === "assistant") return [saidByModel(blocksOf(content).map((block) => block["id"]))];
  if (role !== "user") return [];
  return blocksOf(content).map((block) =>
    block["type"] === "tool_result" ? { by: "tool", text: textOf(block["content"]) } : { by: "user", text: stringOf(block["text"]) ?? "" },
  );
}

function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (arrayOf(content) ?? []).filter(isObject);
}

function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => stringOf(block["text"]) ?? "")
    .join("\n");
}

// ── answer ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function frames(answer: Answer): readonly Frame[] {
  const blocks: (readonly Frame[])[] = [];
  if (answer.reasoning !== "") blocks.push(thinkingFrames(answer.reasoning, blocks.length));
  if (answer.text.length > 0) blocks.push(textFrames(answer.text, blocks.length));
  for (const call of answer.calls) blocks.push(callFrames(call, blocks.length));
  const { usage } = answer;
  /** All of the input, and one token of the output. */
  const begun: Usage = { ...usage, output: 1, reasoning: 0 };
  const message = { ...envelope(answer), content: [], stop_reason: null, usage: usageOf(begun) };
  const delta = { stop_reason: stopReason(answer), stop_sequence: null };
  return [
    { ...frame("message_start", { message }), usage: begun },
    ...blocks.flat(),
    { ...frame("message_delta", { delta, usage: usageOf(usage) }), usage },
    { ...frame("message_stop", {}), isEnd: true },
  ];
}

function thinkingFrames(thinking: string, index: number): readonly Frame[] {
  return [
    frame("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } }),
    frame("content_block_delta", { index, delta: { type: "thinking_delta", thinking } }),
    frame("content_block_delta", { index, delta: { type: "signature_delta", signature: SIGNATURE } }),
    frame("content_block_stop", { index }),
  ];
}

function textFrames(pieces: readonly string[], index: number): readonly Frame[] {
  return [
    frame("content_block_start", { index, content_block: { type: "text", text: "" } }),
    ...pieces.map((text): Frame => ({ ...frame("content_block_delta", { index, delta: { type: "text_delta", text } }), isText: true })),
    frame("content_block_stop", { index }),
  ];
}

function callFrames(call: ToolUse, index: number): readonly Frame[] {
  return [
    frame("content_block_start", { index, content_block: { type: "tool_use", id: call.id, name: call.name, input: {} } }),
    frame("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: call.input } }),
    frame("content_block_stop", { index }),
  ];
}

function whole(answer: Answer): JsonObject {
  const content: JsonObject[] = [];
  if (answer.reasoning !== "") content.push({ type: "thinking", thinking: answer.reasoning, signature: SIGNATURE });
  if (answer.text.length > 0) content.push({ type: "text", text: answer.text.join("") });
  for (const call of answer.calls) content.push({ type: "tool_use", id: call.id, name: call.name, input: parsedInput(call) ?? {} });
  return { ...envelope(answer), content, stop_reason: stopReason(answer), usage: usageOf(answer.usage) };
}

function envelope({ id, model }: Answer): JsonObject {
  return { id: `msg_${id}`, type: "message", role: "assistant", model, stop_sequence: null };
}

function stopReason({ calls, stop }: Answer): string {
  if (stop !== "end") return stop === "length" ? "max_tokens" : "refusal";
  return calls.length > 0 ? "tool_use" : "end_turn";
}

/** Input is net here; output includes the reasoning. */
function usageOf(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    output_tokens: usage.output + usage.reasoning,
  };
}

/** The real model signs its thinking; here the signature is not checked. */
const SIGNATURE = "c2NyaXB0ZWQ=";

function frame(event: string, data: JsonObject): Frame {
  return { event, data: { type: event, ...data } };
}

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function failure(status: number, message: string): JsonObject {
  const type = errorTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { type: "error", error: { type, message } };
}

export const anthropicMessages: Dialect = {
  id: "anthropic-messages",
  asks: (path) => (path === PATH ? "turn" : path === `${PATH}/count_tokens` ? "count" : undefined),
  conversation,
  charged: (usage) => usage,
  frames,
  whole,
  errorFrame: (error, message) => ({ event: "error", data: failure(statusOfError[error], message) }),
  failure,
  overflow: { message: "prompt is too long: 250000 tokens > 200000 maximum" },
  counted: (tokens) => ({ input_tokens: tokens }),
};

const PATH = "/v1/messages";
