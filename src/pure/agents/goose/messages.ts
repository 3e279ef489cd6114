// Goose's messages: blocks in order, text joined across lines, and texts that Goose writes in place of the model.

import { arrayOf, isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import type { gooseCalls } from "./calls.ts";
import {
  compactionStep,
  errorMessage,
  type Failure,
  failureOf,
  INTERRUPTED,
  providerFailure,
  soundsFailed,
  systemNotification,
} from "./own-text.ts";

interface State {
  /** The session was emitted. */
  named: boolean;
  model: string | undefined;
  /** The model's messages name the model, so a message that does not is Goose's own. */
  attributed: boolean;
  /** Goose reported a failure, and the model has not spoken since. */
  failure: Failure | undefined;
  /** The last emitted error; the `error` line repeats it. */
  lastError: string | undefined;
  /** The message that hit the output limit, until something follows it. */
  limited: string | undefined;
  /** The message that is being said, and its text so far. */
  voice: Voice;
  messageId: string | undefined;
  said: string;
  /** Why the conversation is being compacted. */
  trigger: string | undefined;
}

/** The message around a block. */
interface Said {
  readonly role: unknown;
  readonly id: string | undefined;
  readonly metadata: JsonObject | undefined;
}

/** A message streams these two. Each is joined until the other, or anything else, follows. */
type Voice = "text" | "thinking";

export function gooseMessages(run: RunContext, calls: ReturnType<typeof gooseCalls>) {
  const state: State = {
    named: false,
    model: undefined,
    attributed: false,
    failure: undefined,
    lastError: undefined,
    limited: undefined,
    trigger: undefined,
    voice: "text",
    messageId: undefined,
    said: "",
  };

  /** The session's only known id is the name it was started with. The model comes with its first message. */
  function session(out: Translated[], model?: string): void {
    const isNew = (!state.named && run.sessionName !== undefined) || (model !== undefined && model !== state.model);
    if (!isNew) return;
    state.named = true;
    state.model = model ?? state.model;
    out.push({ type: "session", sessionId: run.sessionName, model });
  }

  /** Returns false for a message it cannot read. */
  function message(out: Translated[], value: JsonObject | undefined): boolean {
    const content = value?.["content"];
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : arrayOf(content);
    if (value === undefined || blocks === undefined) return false;
    const said: Said = { role: value["role"], id: wordOf(value["id"]), metadata: objectOf(value["metadata"]) };
    const inference = objectOf(said.metadata?.["inference"]);
    session(out, wordOf(inference?.["resolvedModel"]) ?? wordOf(inference?.["requestedModel"]));
    if (inference !== undefined) spoke(blocks);
    for (const block of blocks) {
      if (isObject(block)) blockOf(out, block, said);
      else out.push({ type: "unknown", raw: block });
    }
    if (said.metadata?.["outputTokenLimitReached"] === true) limited(out, said.id ?? "");
    return true;
  }

  /** The model continues, so whatever failed before did not end the run. */
  function spoke(blocks: readonly unknown[]): void {
    state.attributed = true;
    if (blocks.length === 0) return;
    state.failure = undefined;
    state.limited = undefined;
  }

  function blockOf(out: Translated[], block: JsonObject, said: Said): void {
    if (block["type"] !== "text" && block["type"] !== "thinking") state.said = ""; // whatever follows is new text
    switch (block["type"]) {
      case "text":
        return textBlock(out, stringOf(block["text"]) ?? "", said);
      case "thinking":
        return say(out, "thinking", said.id, stringOf(block["thinking"]) ?? "");
      case "reasoning": // earlier versions
        return say(out, "thinking", said.id, stringOf(block["text"]) ?? "");
      case "redactedThinking":
        out.push({ type: "reasoning", text: "", redacted: true });
        return;
      case "toolRequest":
      case "frontendToolRequest":
        return calls.request(out, block);
      case "toolResponse":
        return calls.result(out, block);
      case "error":
        return errorBlock(out, block);
      case "systemNotification":
      case "conversationCompacted": // this and the next two: earlier versions
      case "contextLengthExceeded":
      case "summarizationRequested":
        return notified(out, block);
      case "toolConfirmationRequest":
        return confirmation(out, block, block);
      case "actionRequired":
        return confirmation(out, block, objectOf(block["data"]) ?? {});
      case "image":
      case "document":
        out.push({ type: "notice", kind: block["type"], raw: { type: block["type"], mimeType: block["mimeType"] } });
        return;
      default:
        out.push({ type: "unknown", raw: block });
    }
  }

  function textBlock(out: Translated[], text: string, said: Said): void {
    const isShown = said.metadata?.["userVisible"] !== false;
    if (said.role !== "assistant" || !isShown) {
      state.said = "";
      const role = said.role === "user" && isShown ? "user" : "system";
      if (text !== "") out.push({ type: "message", role, text, messageId: said.id });
    } else if (!isOwn(said) || !ownText(out, text)) say(out, "text", said.id, text);
  }

  /** At the end of a failed run Goose writes its error in place of the model. Any other text it writes is an answer. */
  function ownText(out: Translated[], text: string): boolean {
    if (text === INTERRUPTED) {
      state.failure = { status: "canceled", reason: "interrupted" };
      out.push({ type: "notice", kind: "interrupted", message: text, raw: { type: "text", text } });
      return true;
    }
    const known = failureOf(text);
    if (known === undefined && !(state.attributed && soundsFailed(text))) return false;
    fail(out, text, undefined, known ?? { status: providerFailure(text), reason: "goose_error" });
    return true;
  }

  function errorBlock(out: Translated[], block: JsonObject): void {
    const message = errorMessage(block) ?? "Goose reported an error without a message";
    const kind = wordOf(block["kind"]);
    fail(out, message, kind, { status: providerFailure(message), reason: kind ?? "error" });
  }

  function notified(out: Translated[], block: JsonObject): void {
    const { kind, message, failure } = systemNotification(block);
    if (failure !== undefined) return fail(out, message || kind, kind === "creditsExhausted" ? kind : undefined, failure);
    const step = compactionStep(kind, message);
    if (step === "done") out.push({ type: "compaction", trigger: state.trigger, raw: block });
    else out.push({ type: "notice", kind, message, raw: block });
    if (step !== undefined) state.trigger = step === "done" ? undefined : step;
  }

  function fail(out: Translated[], message: string, code: string | undefined, failure: Failure): void {
    state.failure = failure;
    if (message !== state.lastError) out.push({ type: "error", message, code });
    state.lastError = message;
  }

  /** Goose asks for a permission or for other input. Headless, no one can answer. */
  function confirmation(out: Translated[], block: JsonObject, asked: JsonObject): void {
    const tool = wordOf(asked["toolName"]) ?? wordOf(asked["tool_name"]);
    const raw = { type: block["type"], actionType: asked["actionType"], id: asked["id"], toolName: tool };
    if (tool === undefined) out.push({ type: "notice", kind: wordOf(asked["actionType"]) ?? "question", raw });
    else out.push({ type: "permission-request", callId: wordOf(asked["id"]), tool, raw });
  }

  /** A message without content reports it, after the truncated answer. */
  function limited(out: Translated[], messageId: string): void {
    if (state.limited === messageId) return;
    state.limited = messageId;
    out.push({ type: "warning", message: "The answer hit the output limit", code: "output_limit" });
  }

  /** A record with the id of the text so far that strictly extends it restates it. Any other adds to it ("ha " and "ha "). */
  function say(out: Translated[], voice: Voice, messageId: string | undefined, text: string): void {
    if (text === "") return;
    const before = messageId !== undefined && state.voice === voice && state.messageId === messageId ? state.said : "";
    const piece = before !== "" && text.length > before.length && text.startsWith(before) ? text.slice(before.length) : text;
    state.voice = voice;
    state.messageId = messageId;
    state.said = before + piece;
    out.push({ type: "piece", role: voice === "text" ? "assistant" : undefined, text: piece, messageId, live: true });
  }

  return {
    session,
    message,
    fail,
    /** Why the run does not count as completed, as far as known. */
    get failure(): Failure | undefined {
      return state.failure;
    },
    /** The last answer was cut at the output limit. */
    get isCut(): boolean {
      return state.limited !== undefined;
    },
  };
}

/** The id form of Goose's own messages. Ids of the Anthropic API start the same way. */
function isOwn({ id, metadata }: Said): boolean {
  return metadata?.["inference"] === undefined && (id === undefined || /^msg_[0-9a-f]{8}-[0-9a-f]{4}-/.test(id));
}
