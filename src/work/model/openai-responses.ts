// OpenAI Responses, as Codex 0.166.0 speaks it: POST /v1/responses, always streamed.
import { arrayOf, isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../pure/base/index.ts";
import type { Answer, Frame, ToolUse } from "./answer.ts";
import { type Conversation, conversationIn, type OfferedTool, parametersOf, type Said, saidByModel } from "./conversation.ts";
import type { Dialect } from "./dialect.ts";
import type { ErrorKind, Usage } from "./model-scenario.ts";
import { openaiFailure } from "./openai-failure.ts";

// ── request ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function conversation(body: JsonObject): Conversation | undefined {
  const input = typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : arrayOf(body["input"]);
  const tools = [body, ...(input ?? []).filter(isObject).filter(({ type }) => type === ADDITIONAL)].flatMap(
    (each) => arrayOf(each["tools"]) ?? [],
  );
  return conversationIn({ ...body, tools }, input, offeredTools, said, objectOf(objectOf(body["text"])?.["format"])?.["schema"]);
}

/** With its default model, Codex offers its tools in an item of this type, not in the body. */
const ADDITIONAL = "additional_tools";

/** A call to a tool in a namespace has the tool's own name and a separate namespace. */
function offeredTools(tool: JsonObject): readonly OfferedTool[] {
  const name = wordOf(tool["name"]);
  if (tool["type"] === "namespace" && name !== undefined) {
    return (arrayOf(tool["tools"]) ?? [])
      .flatMap((inner) => offeredTools(objectOf(inner) ?? {}))
      .map((each) => ({ ...each, namespace: name }));
  }
  if (name === undefined) return [];
  if (tool["type"] !== "custom") return [{ name, ...parametersOf(tool["parameters"]) }];
  const freeform = { name, isFreeform: true };
  return [freeform, ...declaredTools(stringOf(tool["description"]) ?? "").map((inner) => ({ ...inner, within: freeform }))];
}

/** The tools that JavaScript can call, from their TypeScript declarations: a line of a parameter is indented by two. */
function declaredTools(description: string): readonly OfferedTool[] {
  return [...description.matchAll(/^declare const tools: \{ (\w+)\((?:input: string\)|args: \{(\}|[\s\S]*?^\}))/gm)].map(
    ([, name = "", args]) =>
      args === undefined
        ? { name, isFreeform: true }
        : { name, parameters: [...args.matchAll(/^ {2}(\w+)\??:/gm)].map((each) => each[1] ?? "") },
  );
}

/** The model made everything except messages and call outputs: reasoning, calls. */
function said(item: JsonObject): readonly Said[] {
  const type = stringOf(item["type"]) ?? "message";
  if (type.endsWith("_output")) return [{ by: "tool", text: textOf(item["output"]) }];
  if (type === ADDITIONAL) return [];
  if (type === "agent_message") return [letter(textOf(item["content"]))];
  if (type !== "message" || item["role"] === "assistant") return [saidByModel([item["call_id"]])];
  return item["role"] === "user" ? [{ by: "user", text: textOf(item["content"]) }] : [];
}

/** Codex's agents write to each other in separate items. A task starts a subagent's conversation, like a user's message. */
function letter(text: string): Said {
  return { by: text.startsWith("Message Type: NEW_TASK") ? "user" : "tool", text };
}

/** A provider decrypts what its model encrypted; the scripted model encrypts nothing. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = (arrayOf(content) ?? []).filter(isObject);
  return parts.map((part) => stringOf(part["text"]) ?? stringOf(part["encrypted_content"]) ?? "").join("\n");
}

// ── answer ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function frames(answer: Answer): readonly Frame[] {
  const items = itemsOf(answer);
  const response = { id: `resp_${answer.id}`, object: "response", created_at: 1_767_225_600, model: answer.model };
  return numbered([
    frame("response.created", { response: { ...response, status: "in_progress", output: [] } }),
    ...items.flatMap((item, index) => itemFrames(item, index, answer)),
    { ...frame(`response.${statusOf(answer)}`, { response: whole(answer) }), usage: answer.usage, isEnd: true },
  ]);
}

function itemFrames(item: JsonObject, index: number, answer: Answer): readonly Frame[] {
  const place = { item_id: item["id"], output_index: index };
  const started = (beginning: JsonObject) => frame("response.output_item.added", { output_index: index, item: { ...item, ...beginning } });
  const done = frame("response.output_item.done", { output_index: index, item });
  if (item["type"] === "reasoning") {
    const delta = frame("response.reasoning_summary_text.delta", { ...place, summary_index: 0, delta: answer.reasoning });
    const part = { type: "summary_text", text: "" };
    return [started({ summary: [] }), frame("response.reasoning_summary_part.added", { ...place, summary_index: 0, part }), delta, done];
  }
  if (item["type"] === "message") {
    const delta = (text: string): Frame => ({
      ...frame("response.output_text.delta", { ...place, content_index: 0, delta: text }),
      isText: true,
    });
    return [started({ status: "in_progress", content: [] }), ...answer.text.map(delta), done];
  }
  return [started({ status: "in_progress" }), done];
}

function whole(answer: Answer): JsonObject {
  return {
    id: `resp_${answer.id}`,
    object: "response",
    status: statusOf(answer),
    ...incompleteness(answer),
    model: answer.model,
    output: itemsOf(answer),
    usage: usageOf(answer.usage),
  };
}

function statusOf({ stop }: Answer): "completed" | "incomplete" {
  return stop === "end" ? "completed" : "incomplete";
}

function incompleteness({ stop }: Answer): JsonObject {
  return stop === "end" ? {} : { incomplete_details: { reason: stop === "length" ? "max_output_tokens" : "content_filter" } };
}

function itemsOf({ id, reasoning, text, calls }: Answer): readonly JsonObject[] {
  const items: JsonObject[] = [];
  const content = [{ type: "output_text", text: text.join(""), annotations: [] }];
  const summary = [{ type: "summary_text", text: reasoning }];
  if (reasoning !== "") items.push({ type: "reasoning", id: `rs_${id}`, summary, encrypted_content: "c2NyaXB0ZWQ=" });
  if (text.length > 0) items.push({ type: "message", id: `msg_${id}`, status: "completed", role: "assistant", content });
  return [...items, ...calls.map(callItem)];
}

function callItem(call: ToolUse): JsonObject {
  const { id, name, namespace, isFreeform, input } = call;
  if (isFreeform) return { type: "custom_tool_call", id: `ct_${id}`, status: "completed", call_id: id, name, input };
  const place = namespace === undefined ? {} : { namespace };
  return { type: "function_call", id: `fc_${id}`, status: "completed", call_id: id, name, ...place, arguments: input };
}

/** Gross on the wire: the input includes cached tokens, the output includes reasoning. */
function usageOf({ input, cacheRead, cacheWrite, output, reasoning }: Usage): JsonObject {
  const gross = input + cacheRead + cacheWrite;
  return {
    input_tokens: gross,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output + reasoning,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: gross + output + reasoning,
  };
}

function frame(event: string, data: JsonObject): Frame {
  return { event, data: { type: event, ...data } };
}

function numbered(list: readonly Frame[]): readonly Frame[] {
  return list.map((each, index) => ({ ...each, data: { ...objectOf(each.data), sequence_number: index } }));
}

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const codes: Readonly<Record<ErrorKind, string>> = {
  overloaded: "server_is_overloaded",
  "rate-limit": "rate_limit_exceeded",
  server: "server_error",
  context: "context_length_exceeded",
};

function errorFrame(error: ErrorKind, message: string, { id }: Answer): Frame {
  return frame("response.failed", { response: { id: `resp_${id}`, status: "failed", error: { code: codes[error], message } } });
}

export const openaiResponses: Dialect = {
  id: "openai-responses",
  asks: (path) => (path === "/v1/responses" ? "turn" : undefined),
  conversation,
  charged: (usage) => usage,
  frames,
  whole,
  errorFrame,
  failure: openaiFailure,
  overflow: { message: "Your input exceeds the context window of this model. Please adjust your input and try again.", isFrame: true },
  counted: (tokens) => ({ input_tokens: tokens }),
};
