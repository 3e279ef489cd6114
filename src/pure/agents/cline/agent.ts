// Cline, seen in 3.0.65: `cline --json`. legacy.ts reads the older say/ask stream, seen in 2.18.0. Evidence: docs/reference/agents/cline.md.

import { type JsonObject, nothing, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { RunStatus } from "../../events/index.ts";
import {
  type Agent,
  askedFor,
  type Command,
  consumed,
  type LineTranslator,
  type RunContext,
  type Task,
  type Translated,
} from "../../pipeline/index.ts";
import { plainProviders } from "../providers.ts";
import { clineCalls } from "./calls.ts";
import { failureOf, hasWaited, messageOf, noticeOf, stderrLine, withoutContents } from "./fields.ts";
import { clineLegacy, messageIn } from "./legacy.ts";
import { clineSpeech } from "./speech.ts";
import { clineThreads, type Owner, teamNotice } from "./threads.ts";
import { clineUsage } from "./usage.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface State {
  sessionId: string | undefined;
  model: string | undefined;
  /** The main agent's fatal error; `run_result` repeats it. */
  fatal: { readonly message: string; readonly errorClass: string | undefined; readonly waited: boolean } | undefined;
  /** The time of the main agent's last model request, until something comes of it. */
  asked: string | undefined;
  /** The current turn made a mistake that the CLI counts. It gives up after three in a row. */
  mistaken: boolean;
  abortRequested: boolean;
  ended: boolean;
}

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * With `--json` the CLI requires a prompt argument that contains a blank and appends stdin to it. It ignores stdin if that is a
 * file under 64 KiB (both seen in 3.0.65). So a short prompt is the argument, after `--`. A long one goes to stdin, after an
 * argument that is only a blank; the CLI trims the result.
 */
const LONGEST_ARGUMENT = 100_000;

/** Seen in 3.0.65. Without `--auto-approve`, its default, it may not even read. */
const READS_ONLY = "At read-only, Cline still calls MCP tools and fetches pages: its plan mode does not hold them back.";

function command(task: Task): Command {
  const args = ["--json"];
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.cwd !== undefined) args.push("--cwd", task.cwd);
  if (task.permissions === "full") args.push("--auto-approve", "true");
  if (task.permissions === "read-only") args.push("--plan");
  if (task.systemPrompt !== undefined) args.push("--system", task.systemPrompt);
  args.push(...(task.extraArgs ?? []), "--");
  const ignored = askedFor(task, "maxTurns", "maxBudgetUsd", "effort", "appendSystemPrompt", "allow", "deny", "mcp", "commandLine");
  const unheld = task.permissions === "read-only" ? { unheld: READS_ONLY } : {};
  // Without the local backend it starts a daemon that outlives it, and later runs attach to that daemon.
  const env = { CLINE_NO_AUTO_UPDATE: "1", CLINE_SESSION_BACKEND_MODE: "local" };
  if (isLong(task.prompt)) return { args: [...args, " "], stdin: task.prompt, env, ignored, ...unheld };
  return { args: [...args, /\s/.test(task.prompt) ? task.prompt : `${task.prompt} `], env, ignored, ...unheld };
}

/** In UTF-8, where a character has at most three bytes per unit of a string. */
function isLong(text: string): boolean {
  if (text.length > LONGEST_ARGUMENT) return true;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) bytes += text.charCodeAt(i) < 0x80 ? 1 : text.charCodeAt(i) < 0x800 ? 2 : 3;
  return bytes > LONGEST_ARGUMENT;
}

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const calls = clineCalls(run);
  const threads = clineThreads(calls.takeSpawn);
  const speech = clineSpeech();
  const legacy = clineLegacy();
  const used = clineUsage();
  const state: State = {
    sessionId: undefined,
    model: undefined,
    fatal: undefined,
    asked: undefined,
    mistaken: false,
    abortRequested: false,
    ended: false,
  };

  function push(line: JsonObject): readonly Translated[] {
    const out: Translated[] = [];
    if (state.sessionId === undefined) session(out, line);
    if (!translate(out, line)) out.push({ type: "unknown", raw: withoutContents(line) });
    return out.length === 0 ? consumed : out;
  }

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], line: JsonObject): boolean {
    switch (line["type"]) {
      case "hook_event":
        speechHook(out, line);
        threads.hook(out, line);
        return true; // bookkeeping, except for the subagents it names
      case "agent_event":
        return agentEvent(out, objectOf(line["event"]), undefined, wordOf(line["ts"]));
      case "team_event":
        return teamEvent(out, objectOf(line["event"]));
      case "run_start":
        return emitModel(out, wordOf(line["modelId"]));
      case "run_result":
        return runResult(out, line);
      case "run_abort_requested":
        state.abortRequested = true;
        out.push({ type: "notice", kind: "run_abort_requested", message: wordOf(line["reason"]), raw: line });
        out.push({ type: "result", outcome: "canceled", reason: wordOf(line["reason"]) ?? "abort_requested", pending: true });
        return true;
      case "run_aborted":
        return runAborted(out, line);
      case "team_restored":
        out.push({ type: "notice", kind: "team_restored", message: wordOf(line["teamName"]), raw: line });
        return true;
      case "say":
        emitModel(out, wordOf(objectOf(line["modelInfo"])?.["modelId"]));
        return legacy.say(out, line);
      case "ask":
        return legacy.ask(out, line);
      case "task_started":
        out.push({ type: "notice", kind: "task_started", raw: line }); // the id of the conversation, not of the session
        return true;
      case "error":
        return topLevelError(out, line);
      default:
        return false;
    }
  }

  function speechHook(out: Translated[], { hookEventName, agentId, parentAgentId }: JsonObject): void {
    const subagentId = typeof parentAgentId === "string" ? wordOf(agentId) : undefined;
    if (subagentId === undefined) speech.disclaim();
    else if (hookEventName === "agent_end") speech.agentEnd(out, subagentId);
    else if (hookEventName === "agent_error" || (hookEventName === "tool_call" && threads.canSpeak(subagentId))) speech.fellSilent();
    else speech.disclaim();
  }

  /** Never `taskId`, which names the conversation in memory. 3.0.65 prints none of the three. */
  function session(out: Translated[], line: JsonObject): void {
    state.sessionId = sessionIdOf(line) ?? sessionIdOf(objectOf(line["event"])) ?? wordOf(line["id"]);
    if (state.sessionId !== undefined) out.push({ type: "session", sessionId: state.sessionId });
  }

  function emitModel(out: Translated[], model: string | undefined): boolean {
    if (model === undefined || model === state.model) return true;
    state.model = model;
    out.push({ type: "session", model });
    return true;
  }

  // agent events ──────────────────────────────────────────────────────────────

  /** `teammate` is set for events inside a team event; they have no time. */
  function agentEvent(out: Translated[], event: JsonObject | undefined, teammate: Owner | undefined, ts?: string): boolean {
    switch (event?.["type"]) {
      case "iteration_start":
        return turn(whose(event, teammate), ts);
      case "iteration_end":
        speech.turnEnd(event);
        return true; // a boundary without content
      case "done": // subagents print it too, unmarked, so it does not end the run
        if (teammate === undefined) used.threadEnded(event);
        return true;
      case "content_start":
        return contentStart(out, event, teammate);
      case "content_update":
        return calls.progress(out, event);
      case "content_end":
        return contentEnd(out, event, teammate);
      case "usage":
        return usage(out, event, teammate);
      case "notice":
        out.push(noticeOf(event, whose(event, teammate).parent));
        return true;
      case "error":
        return agentError(out, event, teammate, ts);
      default:
        return false;
    }
  }

  function turn(who: Owner, ts: string | undefined): boolean {
    speech.disclaim();
    if (who.isMain) {
      state.mistaken = false;
      state.asked = ts;
    }
    speech.turn(who);
    return true;
  }

  function contentStart(out: Translated[], event: JsonObject, teammate: Owner | undefined): boolean {
    speech.disclaim();
    if (teammate === undefined) state.asked = undefined;
    switch (event["contentType"]) {
      case "text":
        return teammate === undefined && threads.owner().isMain ? speech.textPiece(out, event) : true; // its end has the whole text
      case "reasoning":
        return speech.reasoningPiece(out, event, whose(event, teammate));
      case "tool":
        return calls.start(out, event, (teammate ?? markedOwner(event) ?? threads.ownerOfCall(calls.idOf(event))).parent);
      default:
        return false;
    }
  }

  /** Uses the event's own mark (3.0.56 and later, in a daemon run), or else works out who can be speaking. */
  function whose(event: JsonObject, teammate: Owner | undefined): Owner {
    return teammate ?? markedOwner(event) ?? threads.owner();
  }

  function contentEnd(out: Translated[], event: JsonObject, teammate: Owner | undefined): boolean {
    const who = whose(event, teammate);
    if (event["contentType"] !== "reasoning") speech.disclaim();
    switch (event["contentType"]) {
      case "text":
        return speech.textEnd(out, event, who);
      case "reasoning":
        return speech.reasoningEnd(out, event, who);
      case "tool":
        return toolEnd(out, event);
      case "media":
        out.push({ type: "notice", kind: "media", parent: who.parent, raw: withoutContents(event) });
        return true;
      default:
        return false;
    }
  }

  function toolEnd(out: Translated[], event: JsonObject): boolean {
    const before = out.length;
    const call = calls.end(out, event);
    if (call !== undefined) threads.callFinished(call.callId);
    if (call?.tool === "spawn_agent") {
      used.spawnEnded(event["output"]);
      const ending = out.splice(before);
      threads.callEnded(out, call.callId, call.success); // the subagent ends before the call does
      out.push(...ending);
    }
    return call !== undefined;
  }

  /** A teammate's usage comes twice, once unmarked. The unmarked one counts. */
  function usage(out: Translated[], event: JsonObject, teammate: Owner | undefined): boolean {
    const step = teammate === undefined ? used.request(event, whose(event, undefined).parent) : undefined;
    if (step !== undefined) out.push(step);
    return true;
  }

  /**
   * With `recoverable: true` the CLI counts a mistake of the agent, mostly a call that already reported its failure. Only the
   * others are errors.
   */
  function agentError(out: Translated[], event: JsonObject, teammate: Owner | undefined, ts: string | undefined): boolean {
    const message = messageOf(event) ?? "Cline reported an error without a message";
    if (event["recoverable"] === true) {
      const who = whose(event, teammate);
      if (who.isMain) state.mistaken = true;
      if (/^\d+ tool call\(s\) failed/.test(message)) out.push({ type: "notice", kind: "mistake", message, parent: who.parent });
      else out.push({ type: "warning", message, code: "mistake", parent: who.parent });
      return true;
    }
    const who = teammate ?? markedOwner(event) ?? threads.ownerOfError();
    const errorClass = wordOf(event["errorClass"]);
    if (who.isMain) state.fatal = { message, errorClass, waited: hasWaited(state.asked, ts) };
    out.push({ type: "error", message, code: errorClass, parent: who.parent });
    return true;
  }

  // teams ─────────────────────────────────────────────────────────────────────

  function teamEvent(out: Translated[], event: JsonObject | undefined): boolean {
    if (event === undefined || wordOf(event["type"]) === undefined) return false;
    if (event["type"] === "agent_event") {
      return agentEvent(out, objectOf(event["event"]), { parent: wordOf(event["agentId"]), isMain: false });
    }
    if (!threads.team(out, event, calls.openTeamCall)) out.push(teamNotice(event));
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** If the run failed, the text is its error. */
  function runResult(out: Translated[], line: JsonObject): boolean {
    state.ended = true;
    emitModel(out, wordOf(objectOf(line["model"])?.["id"]));
    out.push(...used.total(line));
    const text = stringOf(line["text"]);
    const { outcome, reason } = claimOf(wordOf(line["finishReason"]), text);
    if (line["finishReason"] === "error" && text !== undefined && text !== "" && text !== state.fatal?.message) {
      out.push({ type: "error", message: text });
    }
    const numbers = { durationMs: numberOf(line["durationMs"]), turns: numberOf(line["iterations"]) };
    out.push({ type: "result", outcome, reason, text: outcome === "completed" ? text : undefined, ...numbers });
    return true;
  }

  /** The CLI says `aborted` and exits with 0 for every early end: a cancel, a denied permission, or because it gave up. */
  function claimOf(finish: string | undefined, text: string | undefined): { outcome?: RunStatus; reason?: string } {
    if (finish === undefined) return {};
    if (finish === "completed") return { outcome: "completed", reason: finish };
    if (finish === "error")
      return { outcome: failureOf(state.fatal?.errorClass, state.fatal?.message ?? text ?? "", state.fatal?.waited), reason: finish };
    if (finish !== "aborted") return { outcome: "failed", reason: finish };
    if (state.abortRequested) return { outcome: "canceled", reason: finish };
    if (calls.wasRefused()) return { outcome: "blocked", reason: "permission-refused" };
    return state.mistaken ? { outcome: "failed", reason: "mistake_limit" } : { outcome: "canceled", reason: finish };
  }

  /** Follows `run_result` and overrides it: after a SIGTERM during a command, `run_result` says “completed”. */
  function runAborted(out: Translated[], line: JsonObject): boolean {
    const reason = wordOf(line["reason"]) ?? "aborted";
    out.push({ type: "warning", message: wordOf(line["message"]) ?? "aborted", code: reason });
    if (reason === "local_abort" || !state.ended) out.push({ type: "result", outcome: "canceled", reason });
    return true;
  }

  /** The older stream's last record if the run could not continue. */
  function topLevelError(out: Translated[], line: JsonObject): boolean {
    const message = messageOf(line);
    if (message === undefined) return false;
    out.push({ type: "error", message: messageIn(message) });
    return true;
  }

  return { push, end: () => nothing };
}

/** An agent with a parent is a subagent, under its own name. */
function markedOwner(event: JsonObject): Owner | undefined {
  if (typeof event["parentAgentId"] !== "string") return undefined;
  const parent = wordOf(event["agentId"]);
  return parent === undefined ? undefined : { parent, isMain: false };
}

function sessionIdOf(line: JsonObject | undefined): string | undefined {
  return wordOf(line?.["sessionId"]) ?? wordOf(line?.["session_id"]);
}

export const cline: Agent = {
  id: "cline",
  title: "Cline",
  aliases: ["cline-cli"],
  binaries: ["cline"],
  install: "npm install -g cline",
  credentials: ["CLINE_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"],
  providers: plainProviders,
  credentialFiles: [".cline/data/settings/providers.json", ".cline/data/secrets.json"],
  refreshedFiles: [".cline/data/secrets.json"],
  sessionFolders: [".cline/data/sessions", ".cline/data/db"],
  seen: "3.0.65",
  terminal: true,
  withheld: [
    {
      says: /^Tool call \S+ was rejected before execution: AI_NoSuchToolError: Model tried to call unavailable tool /,
      tools: ["editor", "apply_patch", "run_commands"],
    },
  ],
  command,
  open,
  text: (line, stream) => (stream === "stderr" ? stderrLine(line) : undefined),
};
