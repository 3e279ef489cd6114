// Agent Client Protocol, version 1: reads only the agent's side of the conversation, line by line. Seen in claude-agent-acp 0.99.0,
// codex-acp 2.6.0, claude-code-acp 0.16.2, codex-acp 0.16.0, Goose 1.52.0, OpenCode 1.18.33, Kilo 7.7.7, Gemini CLI 0.61.0 and Cline
// 3.0.65. Evidence: docs/reference/agents/acp.md.

import { isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";
import {
  type Agent,
  askedFor,
  type Command,
  type LineTranslator,
  type RunContext,
  STREAM_ENDED,
  type Task,
  type Translated,
} from "../../pipeline/index.ts";
import { commandArgv } from "../../shell/index.ts";
import { apiFailure } from "../api-failure.ts";
import { claude } from "../claude/index.ts";
import { failedSubagent } from "../gemini/index.ts";
import { goose } from "../goose/index.ts";
import { lineReader } from "../line-reader.ts";
import { opencode } from "../opencode/index.ts";
import {
  adapterText,
  CUT_SHORT,
  type Failure,
  IGNORED,
  isCodex,
  isPrintedError,
  isSynthetic,
  METHOD_NOT_FOUND,
  printedFailure,
  rpcErrorOf,
  STOPPED,
  silence,
  stderrLine,
} from "./adapter-text.ts";
import { acpCalls } from "./calls.ts";
import { acpTerminals, permittedCall, WHOLE, wholeText } from "./draft.ts";
import { modelOf, planOf, usageOf, withoutContents } from "./fields.ts";
import { acpSession, compacted, noticed } from "./session.ts";
import { turnState } from "./state.ts";
import { acpVoices, type Voice } from "./voices.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// state.ts

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Task options that the protocol cannot express. */
export const UNSUPPORTED = ["maxTurns", "maxBudgetUsd", "effort", "systemPrompt", "appendSystemPrompt"] as const;

/** The caller names the program and its arguments. The prompt goes over the protocol, not into the arguments. */
function command(task: Task): Command {
  const { commandLine, extraArgs = [] } = task;
  const given = commandLine === undefined ? [] : (commandArgv(commandLine) ?? [commandLine]);
  const [program, ...args] = [...given, ...extraArgs];
  return { program, args, resumes: true, ignored: askedFor(task, ...UNSUPPORTED) };
}

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const session = acpSession(run.before);
  const calls = acpCalls(run, () => session.adapter);
  const voices = acpVoices();
  const terminals = acpTerminals();
  const state = turnState();

  /** Returns false for a line it cannot read. A response does not name its request, so its shape has to identify it. */
  function translate(out: Translated[], line: JsonObject): boolean {
    const method = wordOf(line["method"]);
    if (state.isHistory && method === "session/update") return true; // replayed from an earlier run
    if (method !== undefined) return asked(out, method, objectOf(line["params"]) ?? {});
    const error = objectOf(line["error"]);
    if (error !== undefined || "result" in line) state.isHistory = false; // the session is loaded
    if (error !== undefined) return failed(out, error);
    if (!("result" in line)) return false;
    return answered(out, objectOf(line["result"]) ?? {}, line["id"]);
  }

  // notifications and requests ────────────────────────────────────────────────

  function asked(out: Translated[], method: string, params: JsonObject): boolean {
    switch (method) {
      case "session/update":
        return updated(out, params);
      case "session/request_permission":
        return permission(out, params);
      case "_auth/status_update":
      case "auth/status_update":
        out.push({ type: "notice", kind: "auth_status", message: wordOf(objectOf(params["authStatus"])?.["label"]) });
        return true;
      case "fs/read_text_file":
      case "fs/write_text_file": // the tool call reports it too
        out.push({ type: "notice", kind: method, message: wordOf(params["path"]) });
        return true;
      case "elicitation/create":
      case "elicitation/complete":
        out.push({ type: "notice", kind: method, message: wordOf(params["message"]) });
        return true;
      default:
        if (!/^([_$]|terminal\/|mcp\/)/.test(method)) return false;
        out.push({ type: "notice", kind: method }); // terminals and servers of the client, and custom extensions
        return true;
    }
  }

  function permission(out: Translated[], params: JsonObject): boolean {
    const call = objectOf(params["toolCall"]) ?? permittedCall(params);
    if (call === undefined) return false;
    const parent = parentOf(params, call);
    calls.attribute(out, parent);
    callStarts(out, parent);
    calls.permission(out, call, parent);
    return true;
  }

  function updated(out: Translated[], params: JsonObject): boolean {
    const update = objectOf(params["update"]);
    const kind = wordOf(update?.["sessionUpdate"]);
    if (update === undefined || kind === undefined) return false;
    state.answered = undefined;
    if (session.id === undefined) session.emit(out, wordOf(params["sessionId"]), undefined);
    const parent = parentOf(params, update);
    calls.attribute(out, parent);
    switch (kind) {
      case "agent_message_chunk":
        return chunk(out, "text", update, parent);
      case "agent_thought_chunk":
        return chunk(out, "thought", update, parent);
      case "user_message_chunk":
        return chunk(out, "user", update, parent);
      case "tool_call":
      case "tool_call_update":
        return called(out, update, kind === "tool_call_update", parent);
      case "plan":
      case "plan_update":
        return plan(out, update, parent);
      case "usage_update":
        calls.settle(out);
        return session.updated(out, update);
      case "session_info_update":
        return session.informed(out, update);
      case "config_option_update":
        session.emit(out, undefined, modelOf(update));
        return true;
      case "current_mode_update":
        out.push({ type: "notice", kind, message: wordOf(update["currentModeId"]) ?? wordOf(update["modeId"]) });
        return true;
      case "notice":
        return noticed(out, update, parent);
      case "compaction_update":
        return compacted(out, update, parent);
      case "subagent_update":
        voices.close(wordOf(update["sessionId"]));
        return session.child(out, update, parent);
      default:
        return IGNORED.has(kind) || drafted(out, kind, update, parent);
    }
  }

  function called(out: Translated[], update: JsonObject, isUpdate: boolean, parent: string | undefined): boolean {
    const callId = wordOf(update["toolCallId"]);
    if (callId === undefined) return false;
    callStarts(out, parent);
    return calls.update(out, session.isDraft ? terminals.joined(update, callId) : update, isUpdate, parent);
  }

  /** Updates that exist only in the draft of version 2. */
  function drafted(out: Translated[], kind: string, update: JsonObject, parent: string | undefined): boolean {
    const voice = WHOLE.get(kind);
    const call = kind === "terminal_update" ? terminals.ofCall(update) : undefined;
    if (voice !== undefined) return whole(out, voice, update, parent);
    if (call !== undefined) return called(out, call, true, parent);
    if (kind === "tool_call_content_chunk") return called(out, { ...update, content: [update["content"]] }, true, parent);
    if (kind === "terminal_update" || kind === "terminal_output_chunk") return true; // terminal output
    if (kind !== "state_update" && !kind.startsWith("_")) return false; // `_` marks a custom extension
    const stopReason = kind === "state_update" && update["state"] === "idle" ? wordOf(update["stopReason"]) : undefined;
    if (stopReason !== undefined) return turnEnded(out, update, stopReason);
    out.push({ type: "notice", kind, message: wordOf(update["state"]), parent });
    return true;
  }

  // text ──────────────────────────────────────────────────────────────────────

  function chunk(out: Translated[], voice: Voice, update: JsonObject, parent: string | undefined): boolean {
    const content = update["content"];
    const block = objectOf(content);
    const text = stringOf(block?.["text"]) ?? stringOf(content);
    const messageId = wordOf(update["messageId"]);
    if (text === undefined) {
      if (block === undefined) return false;
      state.active = true;
      calls.settle(out);
      voices.close(parent);
      out.push({ type: "notice", kind: "attachment", message: wordOf(block["uri"]), raw: { type: block["type"] }, parent });
      return true;
    }
    const own = voice === "text" && parent === undefined ? adapterText(session.adapter, messageId, text, update) : undefined;
    if (own?.type === "event") {
      if (own.body.type === "error") state.lastError = own.body.message;
      if (own.body.type === "warning" && own.body.code === "output_limit") state.isCut = true;
      if (own.body.type === "warning" && own.body.code === "api_retry") voices.cut(out);
      out.push(own.body);
      return true;
    }
    state.active = true;
    calls.settle(out);
    if (own === undefined) spoke(out, voice, text);
    else voices.close(undefined);
    if (voice === "text" && parent === undefined && isPrintedError(text, messageId)) voices.cut(out); // the text before it broke off
    if (own?.type === "aside") {
      emitAside(out);
      state.aside = { text, from: run.here };
    } else if (own?.type === "failure") {
      state.failure = own.failure;
      out.push({ type: "error", message: text });
    } else voices.say(out, voice, parent, messageId, text);
    return true;
  }

  function whole(out: Translated[], voice: Voice, update: JsonObject, parent: string | undefined): boolean {
    const text = wholeText(update);
    if (text === undefined) return wordOf(update["messageId"]) !== undefined;
    state.active = true;
    calls.settle(out);
    spoke(out, voice, text);
    voices.sayWhole(out, voice, parent, wordOf(update["messageId"]), text);
    return true;
  }

  /** The model continues, so whatever failed before did not end the turn. */
  function spoke(out: Translated[], voice: Voice, text: string): void {
    if (voice === "user" || text === "") return;
    if (voice === "text") state.hasAnswer = true;
    calls.modelSpoke(out);
    state.failure = undefined;
    state.refused = false;
    emitAside(out);
  }

  /** A call starts: text that came before it has to be emitted before it. */
  function callStarts(out: Translated[], parent: string | undefined): void {
    state.active = true;
    voices.close(parent);
    if (parent !== undefined) return;
    state.hasAnswer = false;
    state.failure = undefined;
    emitAside(out);
  }

  function emitAside(out: Translated[], rule = "not-an-error"): void {
    if (state.aside === undefined) return;
    const { text, from } = state.aside;
    state.aside = undefined;
    out.push({ type: "message", role: "assistant", text: text.trimEnd(), rule, from: [from] });
  }

  function plan(out: Translated[], update: JsonObject, parent: string | undefined): boolean {
    const plan = objectOf(update["plan"]) ?? update;
    const read = planOf(plan["entries"]);
    calls.settle(out);
    if (read !== undefined) out.push({ type: "plan", ...read, parent });
    else if (plan === update) return false;
    else out.push({ type: "notice", kind: "plan", message: wordOf(plan["uri"]), parent }); // a file or prose
    return true;
  }

  /** The subagent a line belongs to, named by the call that started it (Claude) or by its own session. */
  function parentOf(params: JsonObject, update: JsonObject): string | undefined {
    const caller = wordOf(objectOf(objectOf(update["_meta"])?.["claudeCode"])?.["parentToolUseId"]);
    const sessionId = wordOf(params["sessionId"]);
    return caller ?? (sessionId !== undefined && session.isChild(sessionId) ? sessionId : undefined);
  }

  function answered(out: Translated[], result: JsonObject, id: unknown): boolean {
    const stopReason = wordOf(result["stopReason"]);
    if (stopReason !== undefined) {
      const isAgain = id !== undefined && id === state.answered; // the same line repeated
      state.answered = id;
      return isAgain || turnEnded(out, result, stopReason);
    }
    if ("protocolVersion" in result || "agentCapabilities" in result || isObject(result["agentInfo"])) return session.initialized(result);
    const isSession = ["sessionId", "models", "modes", "configOptions"].some((key) => key in result);
    if (isSession) session.emit(out, wordOf(result["sessionId"]), modelOf(result));
    else if (Object.keys(result).some((key) => key !== "_meta")) out.push({ type: "notice", kind: "response" }); // the request was not in the recording
    return true;
  }

  function turnEnded(out: Translated[], result: JsonObject, stopReason: string): boolean {
    calls.settleAll(out);
    if (stopReason === "end_turn") calls.modelSpoke(out);
    const failure =
      stopReason === "end_turn"
        ? (codexFailure(out, result) ??
          printed(out) ??
          state.failure ??
          silence(session.adapter, result, state, state.refused || calls.isDenied()))
        : refusal(stopReason);
    if (stopReason === "max_tokens" && !state.isCut) out.push({ type: "warning", message: CUT_SHORT, code: "output_limit" });
    const outcome = failure?.status ?? STOPPED.get(stopReason) ?? "failed";
    const own = outcome === "failed" ? voices.takeBack(out, (_, id) => isSynthetic(session.adapter, id)) : undefined;
    if (own !== undefined) out.push({ type: "error", message: own });
    emitAside(out);
    out.push(...session.used(usageOf(result, session.adapter)));
    out.push({ type: "result", outcome, reason: failure?.reason ?? stopReason });
    session.turnEnded();
    state.failure = undefined;
    state.active = false;
    state.hasAnswer = false;
    state.isCut = false;
    state.hasResult = true;
    return true;
  }

  /** The last text of the turn is a failed request to the model. */
  function printed(out: Translated[]): Failure | undefined {
    const text = voices.takeBack(out, (said, id, chunks) => chunks === 1 && isPrintedError(said, id));
    if (text !== undefined) out.push({ type: "error", message: text });
    return text === undefined ? undefined : printedFailure(text);
  }

  /** After a denied permission, Codex ends the turn as if it had been canceled. */
  function refusal(stopReason: string): Failure | undefined {
    return state.refused && STOPPED.get(stopReason) === "canceled" ? { status: "blocked", reason: "permission-refused" } : undefined;
  }

  /** Takes in our own decisions, and what stderr said. */
  function learn(fact: EventBody): void {
    if (fact.type === "warning" && fact.code === "history") state.isHistory = true;
    calls.subagentFailed(failedSubagent(fact));
    if (fact.type !== "permission-decision") return;
    calls.decide(fact.callId, fact.decision);
    state.refused = fact.decision === "deny";
  }

  /**
   * Codex's adapter sends `end_turn` even if the model failed. Its thread was then in `systemError`. The error is the last text,
   * and `usage` is null unless some request succeeded.
   */
  function codexFailure(out: Translated[], result: JsonObject): Failure | undefined {
    const endsWithAside = result["usage"] === null && state.aside !== undefined && isCodex(session.adapter) && session.thread !== "at rest";
    if (session.thread !== "failed" && !endsWithAside) return undefined;
    const message = state.aside?.text.trimEnd() ?? "The turn failed";
    const from = state.aside === undefined ? undefined : [state.aside.from, run.here];
    state.aside = undefined;
    out.push({ type: "error", message, from });
    return { status: apiFailure(undefined, message.slice(0, 4096)), reason: "system_error" };
  }

  /** A request failed: the session, the login or the prompt. Only a missing method can fail after the work is done. */
  function failed(out: Translated[], error: JsonObject): boolean {
    const { code, message, failure } = rpcErrorOf(error);
    calls.settleAll(out);
    if (state.aside !== undefined && message.includes(state.aside.text.trim())) state.aside = undefined;
    emitAside(out);
    const own = voices.takeBack(
      out,
      (text, id) => isSynthetic(session.adapter, id) || (text.length > SHORT && message.includes(text.trim())),
    );
    session.emitVersion(out);
    const whole = own === undefined || message.includes(own) ? message : `${message}: ${own}`;
    const isRepeated = state.lastError !== undefined && message.includes(state.lastError);
    if (!isRepeated) out.push({ type: "error", message: whole, code: code === undefined ? undefined : String(code) });
    if (code !== METHOD_NOT_FOUND || !state.hasResult) out.push({ type: "result", outcome: failure.status, reason: failure.reason });
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  function end(): readonly Translated[] {
    const out: Translated[] = [];
    calls.settleAll(out, STREAM_ENDED);
    emitAside(out, STREAM_ENDED);
    return [...out, ...session.used(undefined, { incomplete: true, rule: STREAM_ENDED })];
  }

  return { push: lineReader(translate, withoutContents), end, learn, pending: calls.pending };
}

/** Shorter text may occur in an error message by chance. */
const SHORT = 12;

export const acp: Agent = {
  id: "acp",
  title: "Agent Client Protocol",
  aliases: ["agent-client-protocol"],
  binaries: [],
  seen: "protocol version 1",
  terminal: true,
  protocol: "acp",
  withheld: [claude, goose, opencode].flatMap(({ withheld }) => withheld ?? []), // whichever it speaks for
  command,
  open,
  text: stderrLine,
};
