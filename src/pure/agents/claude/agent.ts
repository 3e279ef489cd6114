// Claude Code, seen in 2.1.325: `claude --print --output-format stream-json --verbose`. Evidence: docs/reference/agents/claude.md.

import { arrayOf, firstWord, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { addTokens, type EventBody, noTokens } from "../../events/index.ts";
import { type Agent, consumed, type LineTranslator, type RunContext, type Translated } from "../../pipeline/index.ts";
import { claudeProviders } from "../providers.ts";
import { claudeCalls, withheld } from "./calls.ts";
import { claudeCommand, claudeNeeds } from "./command.ts";
import {
  answerTokens,
  blocksOf,
  CONTINUES,
  compactionOf,
  countResults,
  declaredOf,
  denialOf,
  isText,
  LONGEST_PATH,
  modelWarning,
  noticeOf,
  outcomeOf,
  REFUSED_PROMPT,
  rateLimitOf,
  reasonOf,
  resultErrorOf,
  retryMessage,
  SYNTHETIC_ERROR,
  stderrLine,
  streamedTokens,
  textOf,
  usageOf,
  usageSoFar,
  withoutContents,
} from "./fields.ts";
import type { State } from "./state.ts";
import { claudeTasks } from "./tasks.ts";
import { claudeVolatile } from "./volatile.ts";

/** The main agent's thread. A subagent's thread has the id of the call that started it. */
const MAIN = "";

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const tasks = claudeTasks();
  const calls = claudeCalls(run, tasks);
  const state: State = {
    sessionId: undefined,
    model: undefined,
    cwd: run.cwd,
    denied: new Set(),
    lastError: undefined,
    errorCode: undefined,
    lastText: undefined,
    lastId: undefined,
    cutOff: false,
    streaming: undefined,
    answers: noTokens,
    answer: undefined,
    streamed: noTokens,
    underway: noTokens,
    uuid: undefined,
    cost: 0,
    blockedByHook: false,
    background: 0,
    claimed: false,
  };

  function push(line: JsonObject): readonly Translated[] {
    const out: Translated[] = [];
    if (state.sessionId === undefined) session(out, line);
    calls.settleSkills(out, line);
    if (!translate(out, line)) out.push({ type: "unknown", raw: withoutContents(line) });
    return out.length === 0 ? consumed : out;
  }

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], line: JsonObject): boolean {
    switch (line["type"]) {
      case "assistant":
        return assistant(out, line);
      case "user":
        return user(out, line);
      case "system":
        return system(out, line);
      case "stream_event":
        return streamEvent(out, line);
      case "result":
        return result(out, line);
      case "rate_limit_event":
        return emit(out, rateLimitOf(line));
      case "control_request":
      case "control_response":
        out.push({ type: "notice", kind: "control", raw: line });
        return true;
      default:
        return emit(out, declaredOf(line, line["type"]));
    }
  }

  /** Any line may carry the session id; the first one counts. `init` always emits it, with its other fields. */
  function session(out: Translated[], line: JsonObject): void {
    state.sessionId = wordOf(line["session_id"]);
    if (state.sessionId === undefined) return;
    if (line["subtype"] === "init") state.model = undefined;
    else out.push({ type: "session", sessionId: state.sessionId });
  }

  // system ────────────────────────────────────────────────────────────────────

  function system(out: Translated[], line: JsonObject): boolean {
    const subtype = line["subtype"];
    if (subtype === "thinking_tokens" || subtype === "status") return true; // progress of the spinner
    switch (subtype) {
      case "init":
        return init(out, line);
      case "task_started":
        return emit(out, tasks.started(line));
      case "task_updated":
      case "task_notification":
        return emit(out, tasks.ended(line));
      case "task_progress":
        out.push(...tasks.workflowAgents(line));
        return emit(out, tasks.progress(line));
      case "api_retry":
        out.push({ type: "warning", message: retryMessage(line), code: "api_retry" });
        return true;
      case "permission_denied":
        return denied(out, line, true);
      case "compact_boundary":
        out.push(compactionOf(line));
        return true;
      case "model_refusal_no_fallback":
      case "model_refusal_fallback":
      case "model_fallback":
        out.push(modelWarning(line, subtype));
        return true;
      case "informational":
        state.blockedByHook ||= objectOf(line["prompt_submit_outcome"])?.["kind"] === "blocked_by_hook";
        out.push(noticeOf(line, subtype));
        return true;
      case "background_tasks_changed":
        state.background = arrayOf(line["tasks"])?.length ?? 0;
        out.push(noticeOf(line, subtype));
        return true;
      case "notification":
      case "hook_started":
      case "hook_response":
        out.push(noticeOf(line, subtype));
        return true;
      default:
        return emit(out, declaredOf(line, subtype));
    }
  }

  function emit(out: Translated[], body: EventBody | "again" | undefined): boolean {
    if (body !== undefined && body !== "again") out.push(body);
    return body !== undefined;
  }

  /** With background work there are several init lines. Later ones emit only changes. */
  function init(out: Translated[], line: JsonObject): boolean {
    turnStarted(out);
    const model = wordOf(line["model"]);
    const given = wordOf(line["cwd"]);
    const cwd = given !== undefined && given.length <= LONGEST_PATH ? given : undefined;
    if (model !== undefined && model === state.model && (cwd === undefined || cwd === state.cwd)) return true;
    state.model = model ?? state.model;
    if (cwd !== undefined) {
      state.cwd = cwd;
      calls.workIn(cwd);
    }
    const agentVersion = wordOf(line["claude_code_version"]);
    out.push({ type: "session", sessionId: state.sessionId, model, cwd, agentVersion });
    return true;
  }

  function denied(out: Translated[], line: JsonObject, isLine: boolean): boolean {
    const callId = wordOf(line["tool_use_id"]);
    if (callId !== undefined) state.denied.add(callId);
    out.push(denialOf(line, isLine, isLine ? wordOf(line["agent_id"]) : undefined));
    return true;
  }

  // assistant ─────────────────────────────────────────────────────────────────

  function assistant(out: Translated[], line: JsonObject): boolean {
    const message = objectOf(line["message"]);
    const blocks = blocksOf(message);
    if (message === undefined || blocks === undefined) return false;
    if (line["is_api_error_message"] === true || message["model"] === "<synthetic>") return synthetic(out, line, blocks);
    const thread = stringOf(line["parent_tool_use_id"]) ?? MAIN;
    const parent = parentOf(line);
    if (thread === MAIN) turnStarted(out);
    const messageId = wordOf(message["id"]);
    if (messageId !== undefined && messageId !== state.answer) count(message, messageId);
    if (messageId === undefined) out.push({ type: "pause" }); // each line without an id is a separate message
    for (const block of blocks) {
      if (isText(block)) said(out, block.text, messageId, parent);
      else assistantBlock(out, block, thread, parent);
    }
    return true;
  }

  /** Blocks of one message are pieces of its text. */
  function said(out: Translated[], text: string, messageId: string | undefined, parent: string | undefined): void {
    if (parent !== undefined || text === "") {
      out.push({ type: "piece", role: "assistant", text, messageId, parent });
      return;
    }
    const { lastText, lastId, cutOff } = state;
    state.cutOff = false;
    state.lastId = messageId;
    state.lastText = messageId !== undefined && messageId === lastId ? `${lastText}${text}` : text;
    out.push({ type: "piece", role: "assistant", text, messageId, again: cutOff ? lastText : undefined });
  }

  function count(message: JsonObject, messageId: string): void {
    const tokens = answerTokens(message);
    if (tokens === undefined) return;
    state.answer = messageId;
    state.answers = addTokens(state.answers, tokens);
  }

  function assistantBlock(out: Translated[], block: unknown, thread: string, parent: string | undefined): void {
    const type = isObject(block) ? stringOf(block["type"]) : undefined;
    if (!isObject(block) || type === undefined) out.push({ type: "unknown", raw: block, parent });
    else if (type === "thinking") out.push({ type: "reasoning", text: stringOf(block["thinking"]) ?? "", parent });
    else if (type === "redacted_thinking") out.push({ type: "reasoning", text: "", redacted: true, parent });
    else if (type.endsWith("tool_use")) calls.request(out, block, thread === MAIN ? undefined : thread, parent);
    else if (type.endsWith("tool_result")) calls.result(out, block, undefined, parent);
    else out.push({ type: "unknown", raw: block, parent });
  }

  /** The CLI writes in place of the assistant. An API error comes again in `result`, which does not emit it a second time. */
  function synthetic(out: Translated[], line: JsonObject, blocks: readonly unknown[]): boolean {
    const message = textOf(blocks);
    const code = firstWord(line, ["api_error_type", "error", "api_error"]);
    if (line["is_api_error_message"] === true || code !== undefined || SYNTHETIC_ERROR.test(message)) {
      const parent = parentOf(line);
      if (parent === undefined) {
        state.lastError = message;
        state.errorCode = wordOf(line["error"]);
      }
      out.push({ type: "error", message, code, parent, final: parent === undefined ? true : undefined });
    } else out.push({ type: "notice", kind: "synthetic", message, raw: { type: "assistant", text: message }, parent: parentOf(line) });
    return true;
  }

  // user ──────────────────────────────────────────────────────────────────────

  function user(out: Translated[], line: JsonObject): boolean {
    const blocks = blocksOf(objectOf(line["message"]));
    if (blocks === undefined) return false;
    const parent = parentOf(line);
    const detail = blocks.length === 1 || countResults(blocks) === 1 ? line["tool_use_result"] : undefined; // with several results it would be unclear whose it is
    for (const block of blocks) {
      if (!isObject(block)) out.push({ type: "unknown", raw: block, parent });
      else if (block["type"] === "tool_result") calls.result(out, block, detail, parent);
      else if (isText(block)) userText(out, line["isSynthetic"] === true, block.text, parent);
      else out.push({ type: "notice", kind: "attachment", raw: { type: block["type"] }, parent });
    }
    return true;
  }

  function userText(out: Translated[], injected: boolean, text: string, parent: string | undefined): void {
    if (injected && parent === undefined && /response above was cut off/i.test(text)) state.cutOff = true;
    out.push({ type: "message", role: injected ? "system" : "user", text, parent });
  }

  // telemetry, limits, result ─────────────────────────────────────────────────

  /** Partial messages repeat lines that follow. Only the main thread's text is shown early. */
  function streamEvent(out: Translated[], line: JsonObject): boolean {
    const event = objectOf(line["event"]);
    if (event === undefined) return false;
    if (wordOf(line["parent_tool_use_id"]) !== undefined) return true;
    measure(event);
    const delta = objectOf(event["delta"]);
    const messageId = state.streaming;
    if (event["type"] === "message_start") state.streaming = wordOf(objectOf(event["message"])?.["id"]);
    else if (event["type"] === "message_stop") out.push({ type: "pause" });
    else if (delta?.["type"] === "text_delta") out.push({ type: "text-delta", text: stringOf(delta["text"]) ?? "", messageId });
    else if (delta?.["type"] === "thinking_delta")
      out.push({ type: "reasoning-delta", text: stringOf(delta["thinking"]) ?? "", messageId });
    return true;
  }

  function measure(event: JsonObject): void {
    const hasEnded = event["type"] === "message_delta";
    const tokens = hasEnded || event["type"] === "message_start" ? streamedTokens(event) : undefined;
    if (tokens === undefined) return;
    state.streamed = addTokens(state.streamed, hasEnded ? tokens : state.underway); // a message that is still under way broke off
    state.underway = hasEnded ? noTokens : tokens;
  }

  /** Another turn has started. Without its own result, the run is unfinished. */
  function turnStarted(out: Translated[]): void {
    if (state.claimed) out.push(CONTINUES);
    state.claimed = false;
  }

  /** With background work there are several result lines; the last one counts. */
  function result(out: Translated[], line: JsonObject): boolean {
    for (const denial of arrayOf(line["permission_denials"]) ?? []) {
      if (isObject(denial) && !state.denied.has(stringOf(denial["tool_use_id"]) ?? "")) denied(out, denial, false);
    }
    const uuid = wordOf(line["uuid"]);
    const usage = uuid !== undefined && uuid === state.uuid ? undefined : usageOf(line, state.cost, state.answers, run.before); // the same line repeated
    state.uuid = uuid;
    state.answers = noTokens;
    state.streamed = noTokens;
    state.underway = noTokens;
    state.cost = numberOf(line["total_cost_usd"]) ?? state.cost;
    if (usage !== undefined) out.push(usage);
    const turns = numberOf(line["num_turns"]);
    const isRefused = turns === 0 && (state.blockedByHook || REFUSED_PROMPT.test(stringOf(line["result"]) ?? ""));
    const outcome = isRefused ? "blocked" : outcomeOf(line, state.errorCode);
    if (outcome !== undefined && outcome !== "completed") {
      const error = resultErrorOf(line);
      if (error.message !== state.lastError) out.push(error);
      state.lastError = error.message;
    }
    const text = outcome === "completed" ? stringOf(line["result"]) : undefined;
    const reason = isRefused ? (wordOf(line["terminal_reason"]) ?? "blocked_by_hook") : reasonOf(line);
    const pending = state.background > 0 ? (true as const) : undefined;
    state.claimed = outcome === "completed";
    out.push({ type: "result", outcome, reason, text, durationMs: numberOf(line["duration_ms"]), turns, pending });
    return true;
  }

  /** The subagent a line belongs to; undefined for the main thread. */
  function parentOf(line: JsonObject): string | undefined {
    const callId = wordOf(line["parent_tool_use_id"]);
    return callId === undefined ? undefined : tasks.subagentOf(callId, wordOf(line["agent_id"]));
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  function end(): readonly Translated[] {
    const out: Translated[] = [];
    calls.settleSkills(out, undefined);
    const usage = usageSoFar(state.answers, addTokens(state.streamed, state.underway));
    if (usage !== undefined) out.push(usage);
    return out;
  }

  return { push, end };
}

export const claude: Agent = {
  id: "claude",
  title: "Claude Code",
  aliases: ["claude-code"],
  product: "claude-code",
  binaries: ["claude"],
  install: "npm install -g @anthropic-ai/claude-code",
  skillFolder: ".claude/skills",
  credentials: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
  credentialFiles: [".claude/.credentials.json"],
  refreshedFiles: [".claude/.credentials.json"],
  sessionFolders: [".claude/projects"],
  providers: claudeProviders,
  volatile: claudeVolatile,
  needs: claudeNeeds,
  seen: "2.1.325",
  terminal: true,
  hook: "json",
  withheld,
  reportsOnInterrupt: true,
  command: claudeCommand,
  open,
  text: (line, stream) => (stream === "stderr" ? stderrLine(line) : undefined),
};
