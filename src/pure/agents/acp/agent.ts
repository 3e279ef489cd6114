import { lineReader } from "../line-reader.ts";
// The Agent Client Protocol, version 1, as its agents write it: the agent's side of the conversation alone, line by line. Seen in
// claude-agent-acp 0.99.0, codex-acp 2.6.0, claude-code-acp 0.16.2, codex-acp 0.16.0, Goose 1.52.0, OpenCode 1.18.33, Kilo 7.7.7,
// Gemini CLI 0.61.0 and Cline 3.0.65. docs/reference/agents/acp.md has the evidence.

import { isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { EventBody, RecordRef } from "../../events/index.ts";
import { type Agent, askedFor, type Command, type LineTranslator, type RunContext, type Task } from "../../pipeline/index.ts";
import { commandWords } from "../../shell/index.ts";
import { apiFailure } from "../api-failure.ts";
import { acpCalls } from "./calls.ts";
import { acpTerminals, permittedCall, WHOLE, wholeText } from "./draft.ts";
import { modelOf, planOf, usageOf, withoutContents } from "./fields.ts";
import { acpSession, compacted, noticed } from "./session.ts";
import { acpVoices, type Voice } from "./voices.ts";
import {
  type Failure,
  isCodex,
  isGemini,
  isSynthetic,
  METHOD_NOT_FOUND,
  ownWords,
  rpcErrorOf,
  STOPPED,
  stderrLine,
  UNTOLD,
} from "./words.ts";

// ── state; more of it in acp-session.ts, acp-calls.ts and acp-voices.ts ─────────────────────────────────────────────

interface State {
  /** A turn has ended. */
  hasResult: boolean;
  /** The turn has gone wrong, and the agent has not gone on since. */
  failure: Failure | undefined;
  /** What Codex's adapter said in its own name: an error, if the turn ends with it. */
  aside: { readonly text: string; readonly from: RecordRef } | undefined;
  /** We have refused something, and the agent has not gone on since. */
  refused: boolean;
  /** The id of the answer to a prompt that nothing has come after. */
  answered: unknown;
  /** In this turn something was said or done. */
  active: boolean;
  /** A session is being loaded: what is told is what earlier runs did. */
  isHistory: boolean;
}

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the protocol has no words for. */
export const UNSAYABLE = ["maxTurns", "maxBudgetUsd", "systemPrompt", "appendSystemPrompt"] as const;

/** The agent is named by the words of the caller. What it is asked goes by the protocol, not by arguments. */
function command(task: Task): Command {
  const { commandLine, extraArgs = [] } = task;
  const words = commandLine === undefined ? [] : (commandWords(commandLine) ?? [commandLine]);
  const [program, ...args] = [...words, ...extraArgs];
  return { program, args, resumes: true, ignored: askedFor(task, ...UNSAYABLE) };
}

// ── tool table: acp-tools.ts ────────────────────────────────────────────────────────────────────────────────────────

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const session = acpSession();
  const calls = acpCalls(run, () => session.adapter);
  const voices = acpVoices(run);
  const terminals = acpTerminals();
  const state: State = {
    hasResult: false,
    answered: undefined,
    failure: undefined,
    aside: undefined,
    refused: false,
    active: false,
    isHistory: false,
  };

  /** False for a line that cannot be read. A response does not say what it answers: its shape has to. */
  function translate(out: EventBody[], line: JsonObject): boolean {
    const method = wordOf(line["method"]);
    if (state.isHistory && method === "session/update") return true; // another run's, told again
    if (method !== undefined) return asked(out, method, objectOf(line["params"]) ?? {});
    const error = objectOf(line["error"]);
    if (error !== undefined || "result" in line) state.isHistory = false; // the session is loaded
    if (error !== undefined) return failed(out, error);
    if (!("result" in line)) return false;
    return answered(out, objectOf(line["result"]) ?? {}, line["id"]);
  }

  // notifications and requests ────────────────────────────────────────────────

  function asked(out: EventBody[], method: string, params: JsonObject): boolean {
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
      case "fs/write_text_file": // the call that it is done for tells it too
        out.push({ type: "notice", kind: method, message: wordOf(params["path"]) });
        return true;
      case "elicitation/create":
      case "elicitation/complete":
        out.push({ type: "notice", kind: method, message: wordOf(params["message"]) });
        return true;
      default:
        if (!/^([_$]|terminal\/|mcp\/)/.test(method)) return false;
        out.push({ type: "notice", kind: method }); // the client's terminals and servers, and anybody's own extensions
        return true;
    }
  }

  function permission(out: EventBody[], params: JsonObject): boolean {
    const call = objectOf(params["toolCall"]) ?? permittedCall(params);
    if (call === undefined) return false;
    const parent = parentOf(params, call);
    calls.attribute(out, parent);
    goesOn(out, parent);
    calls.permission(out, call, parent);
    return true;
  }

  function updated(out: EventBody[], params: JsonObject): boolean {
    const update = objectOf(params["update"]);
    const kind = wordOf(update?.["sessionUpdate"]);
    if (update === undefined || kind === undefined) return false;
    state.answered = undefined;
    if (session.id === undefined) session.tell(out, wordOf(params["sessionId"]), undefined);
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
        return session.used(out, update);
      case "session_info_update":
        return session.informed(out, update);
      case "config_option_update":
        session.tell(out, undefined, modelOf(update));
        return true;
      case "current_mode_update":
        out.push({ type: "notice", kind, message: wordOf(update["currentModeId"]) ?? wordOf(update["modeId"]) });
        return true;
      case "notice":
        return noticed(out, update, parent);
      case "compaction_update":
        return compacted(out, update, parent);
      case "subagent_update":
        voices.flush(out, wordOf(update["sessionId"]));
        return session.child(out, update, parent);
      default:
        return UNTOLD.has(kind) || drafted(out, kind, update, parent);
    }
  }

  function called(out: EventBody[], update: JsonObject, isUpdate: boolean, parent: string | undefined): boolean {
    const callId = wordOf(update["toolCallId"]);
    if (callId === undefined) return false;
    goesOn(out, parent);
    return calls.update(out, session.isDraft ? terminals.joined(update, callId) : update, isUpdate, parent);
  }

  /** The kinds of updates that only the draft of version 2 has. */
  function drafted(out: EventBody[], kind: string, update: JsonObject, parent: string | undefined): boolean {
    const voice = WHOLE.get(kind);
    const call = kind === "terminal_update" ? terminals.ofCall(update) : undefined;
    if (voice !== undefined) return whole(out, voice, update, parent);
    if (call !== undefined) return called(out, call, true, parent);
    if (kind === "tool_call_content_chunk") return called(out, { ...update, content: [update["content"]] }, true, parent);
    if (kind === "terminal_update" || kind === "terminal_output_chunk") return true; // what is printed there
    if (kind !== "state_update" && !kind.startsWith("_")) return false; // a name that begins so is somebody's own
    const stopReason = kind === "state_update" && update["state"] === "idle" ? wordOf(update["stopReason"]) : undefined;
    if (stopReason !== undefined) return turnEnded(out, update, stopReason);
    out.push({ type: "notice", kind, message: wordOf(update["state"]), parent });
    return true;
  }

  // what is said ──────────────────────────────────────────────────────────────

  function chunk(out: EventBody[], voice: Voice, update: JsonObject, parent: string | undefined): boolean {
    const content = update["content"];
    const block = objectOf(content);
    const text = stringOf(block?.["text"]) ?? stringOf(content);
    const messageId = wordOf(update["messageId"]);
    if (text === undefined) {
      if (block === undefined) return false;
      state.active = true;
      calls.settle(out);
      voices.flush(out, parent);
      out.push({ type: "notice", kind: "attachment", message: wordOf(block["uri"]), raw: { type: block["type"] }, parent });
      return true;
    }
    const own = voice === "text" && parent === undefined ? ownWords(session.adapter, messageId, text, update) : undefined;
    if (own?.type === "event") {
      out.push(own.body);
      return true;
    }
    state.active = true;
    calls.settle(out);
    if (own === undefined) spoke(out, voice, text);
    else voices.flush(out, undefined);
    if (own?.type === "aside") {
      tellAside(out);
      state.aside = { text, from: run.here };
    } else if (own?.type === "failure") {
      state.failure = own.failure;
      out.push({ type: "error", message: text });
    } else voices.say(out, voice, parent, messageId, text);
    return true;
  }

  function whole(out: EventBody[], voice: Voice, update: JsonObject, parent: string | undefined): boolean {
    const text = wholeText(update);
    if (text === undefined) return wordOf(update["messageId"]) !== undefined;
    state.active = true;
    calls.settle(out);
    spoke(out, voice, text);
    voices.sayWhole(out, voice, parent, wordOf(update["messageId"]), text);
    return true;
  }

  /** The model itself goes on: what went wrong before did not end the turn. */
  function spoke(out: EventBody[], voice: Voice, text: string): void {
    if (voice === "user" || text === "") return;
    calls.goOn(out);
    state.failure = undefined;
    state.refused = false;
    tellAside(out);
  }

  /** A call: what was said before it was said before it. */
  function goesOn(out: EventBody[], parent: string | undefined): void {
    state.active = true;
    voices.flush(out, parent);
    if (parent !== undefined) return;
    state.failure = undefined;
    tellAside(out);
  }

  function tellAside(out: EventBody[]): void {
    if (state.aside === undefined) return;
    const { text, from } = state.aside;
    state.aside = undefined;
    out.push({ type: "message", role: "assistant", text: text.trimEnd(), from: [from] });
  }

  function plan(out: EventBody[], update: JsonObject, parent: string | undefined): boolean {
    const told = objectOf(update["plan"]) ?? update;
    const items = planOf(told["entries"]);
    calls.settle(out);
    if (items !== undefined) out.push({ type: "plan", items, parent });
    else if (told === update) return false;
    else out.push({ type: "notice", kind: "plan", message: wordOf(told["uri"]), parent }); // a file, or prose
    return true;
  }

  // whose line it is ─────────────────────────────────────────────────────────

  /** The subagent whose line it is: named by the call that started it (Claude), or by a session of its own. */
  function parentOf(params: JsonObject, update: JsonObject): string | undefined {
    const caller = wordOf(objectOf(objectOf(update["_meta"])?.["claudeCode"])?.["parentToolUseId"]);
    const sessionId = wordOf(params["sessionId"]);
    return caller ?? (sessionId !== undefined && session.isChild(sessionId) ? sessionId : undefined);
  }

  // responses ─────────────────────────────────────────────────────────────────

  function answered(out: EventBody[], result: JsonObject, id: unknown): boolean {
    const stopReason = wordOf(result["stopReason"]);
    if (stopReason !== undefined) {
      const isAgain = id !== undefined && id === state.answered; // the same line once more
      state.answered = id;
      return isAgain || turnEnded(out, result, stopReason);
    }
    if ("protocolVersion" in result || "agentCapabilities" in result || isObject(result["agentInfo"])) return session.initialized(result);
    const isSession = ["sessionId", "models", "modes", "configOptions"].some((key) => key in result);
    if (isSession) session.tell(out, wordOf(result["sessionId"]), modelOf(result));
    else if (Object.keys(result).some((key) => key !== "_meta")) out.push({ type: "notice", kind: "response" }); // to something we did not see asked
    return true;
  }

  function turnEnded(out: EventBody[], result: JsonObject, stopReason: string): boolean {
    calls.settleAll(out);
    if (stopReason === "end_turn") calls.goOn(out);
    const failure = stopReason === "end_turn" ? (codexFailure(out, result) ?? state.failure ?? silence(result)) : refusal(stopReason);
    const outcome = failure?.status ?? STOPPED.get(stopReason) ?? "failed";
    const own = outcome === "failed" ? voices.takeBack((_, id) => isSynthetic(session.adapter, id)) : undefined;
    if (own !== undefined) out.push({ type: "error", message: own });
    tellAside(out);
    voices.flushAll(out);
    const usage = usageOf(result, session.spent());
    if (usage !== undefined) out.push(usage);
    out.push({ type: "result", outcome, reason: failure?.reason ?? stopReason });
    session.turnEnded();
    state.failure = undefined;
    state.active = false;
    state.hasResult = true;
    return true;
  }

  /** Of a conversation that is too long for the model Goose says nothing at all; nor does Gemini of an answer that was blocked or could not be read. */
  function silence(result: JsonObject): Failure | undefined {
    if (state.active) return undefined;
    const isEmpty = isGemini(session.adapter) || (session.adapter === "goose" && objectOf(result["usage"])?.["outputTokens"] === 0);
    return isEmpty ? { status: "failed", reason: "empty_turn" } : undefined;
  }

  /** Codex ends a turn in which something was refused as if it had been canceled. */
  function refusal(stopReason: string): Failure | undefined {
    return state.refused && STOPPED.get(stopReason) === "canceled" ? { status: "blocked", reason: "permission-refused" } : undefined;
  }

  /** What we decided ourselves. */
  function learn(fact: EventBody): void {
    if (fact.type === "warning" && fact.code === "history") state.isHistory = true;
    if (fact.type !== "permission-decision") return;
    calls.decide(fact.callId, fact.decision);
    state.refused = fact.decision === "deny";
  }

  /**
   * Codex's adapter ends a turn that its model failed with `end_turn` too. Its thread has then been in `systemError`; and what
   * went wrong is the last text, with no usage beside it unless some request had succeeded.
   */
  function codexFailure(out: EventBody[], result: JsonObject): Failure | undefined {
    const isLastWord = result["usage"] === null && state.aside !== undefined && isCodex(session.adapter) && session.thread !== "at rest";
    if (session.thread !== "failed" && !isLastWord) return undefined;
    const message = state.aside?.text.trimEnd() ?? "The turn failed";
    const from = state.aside === undefined ? undefined : [state.aside.from];
    state.aside = undefined;
    out.push({ type: "error", message, from });
    return { status: apiFailure(undefined, message.slice(0, 4096)), reason: "system_error" };
  }

  /** What was asked failed: the session, the login, or the prompt. Only a method that the agent lacks may fail after the work is done. */
  function failed(out: EventBody[], error: JsonObject): boolean {
    const { code, message, failure } = rpcErrorOf(error);
    calls.settleAll(out);
    if (state.aside !== undefined && message.includes(state.aside.text.trim())) state.aside = undefined;
    tellAside(out);
    const own = voices.takeBack((text, id) => isSynthetic(session.adapter, id) || (text.length > SHORT && message.includes(text.trim())));
    voices.flushAll(out);
    session.tellVersion(out);
    const whole = own === undefined || message.includes(own) ? message : `${message}: ${own}`;
    out.push({ type: "error", message: whole, code: code === undefined ? undefined : String(code) });
    if (code !== METHOD_NOT_FOUND || !state.hasResult) out.push({ type: "result", outcome: failure.status, reason: failure.reason });
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  function end(): readonly EventBody[] {
    const out: EventBody[] = [];
    calls.settleAll(out);
    tellAside(out);
    voices.flushAll(out);
    return out;
  }

  return { push: lineReader(translate, withoutContents), end, learn };
}

/** Text so short may be part of an error by chance. */
const SHORT = 12;

export const acp: Agent = {
  id: "acp",
  title: "Agent Client Protocol",
  aliases: ["agent-client-protocol"],
  binaries: [],
  seen: "protocol version 1",
  terminal: true,
  protocol: "acp",
  command,
  open,
  text: stderrLine,
};
