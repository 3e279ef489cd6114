// Codex, seen in 0.166.0: `codex exec --json`. Evidence: docs/reference/agents/codex.md.

import { arrayOf, type FewMap, fewMap, type JsonObject, objectOf, spelled, stringOf, wordOf } from "../../base/index.ts";
import { anyTokens, type EventBody, ownTokens, type RecordRef } from "../../events/index.ts";
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
import { classifier } from "../../shell/index.ts";
import { apiFailure } from "../api-failure.ts";
import { lineReader } from "../line-reader.ts";
import { codexServers } from "../mcp.ts";
import { codexProviders } from "../providers.ts";
import { recentIds } from "../recent-ids.ts";
import { agentSuccess, callItems, exitCodeOf, type ItemKind, outputOf, planOf, requestOf, successOf, tokensOf } from "./items.ts";
import { codexLegacy } from "./legacy.ts";
import { codexVolatile } from "./volatile.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface State {
  /** Open calls by id, as they started. */
  readonly open: FewMap<string, JsonObject>;
  /** Started items of an unknown kind, with their records. They are emitted when they complete, or at the end. */
  readonly strange: Map<string, { readonly item: JsonObject; readonly from: RecordRef }>;
  /** Subagents with an emitted end: `wait` and `close_agent` repeat it. */
  readonly endedAgents: Set<string>;
  /** It waited for subagents that its output does not name: what they used is not in its numbers. */
  waited: boolean;
  /** The last top-level error; `turn.failed` repeats it. */
  lastError: string | undefined;
  /** The messages of the current answer, and those that a retry may repeat. */
  said: string[];
  repeated: string[];
  /** Some line has reported how the turn went. */
  hasResult: boolean;
  /** An error that nothing has followed yet: its effect on the turn is still open. */
  trouble: string | undefined;
  /** 0.41 and 0.42 print no turns. Their last message is the only sign that they are done. */
  isEarly: boolean;
  answered: boolean;
}

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** `-` reads the prompt from stdin: an argument could not start with a dash and is limited to 128 KiB. */
function command(task: Task): Command {
  const args = ["exec", "--json"];
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.effort !== undefined) args.push("--config", `model_reasoning_effort=${JSON.stringify(task.effort)}`);
  if (task.cwd !== undefined) args.push("--cd", task.cwd);
  if (task.permissions === "full") args.push("--dangerously-bypass-approvals-and-sandbox");
  if (task.permissions === "read-only") args.push("--sandbox", "read-only");
  if (task.systemPrompt !== undefined) args.push("--config", `instructions=${JSON.stringify(task.systemPrompt)}`);
  if (task.appendSystemPrompt !== undefined) args.push("--config", `developer_instructions=${JSON.stringify(task.appendSystemPrompt)}`);
  if (task.hook !== undefined) args.push(...hookArgs(task.hook, task.cwd));
  const servers = codexServers(task.mcp ?? []);
  args.push(...(servers ?? []));
  const unable = ["maxTurns", "maxBudgetUsd", "allow", "deny", "commandLine"] as const;
  const ignored = askedFor(task, ...unable, ...(servers === undefined ? (["mcp"] as const) : []));
  const session = task.resume === undefined ? [] : ["resume", task.resume]; // a subcommand: options of `exec` come before it
  return { args: [...args, ...(task.extraArgs ?? []), ...session, "-"], stdin: task.prompt, resumes: true, ignored };
}

/**
 * Hooks of an unattended run are trusted as a whole, so the workspace must not bring its own: hooks of an untrusted project are not
 * loaded. A Codex without hooks rejects the first option.
 */
function hookArgs(command: string, cwd: string | undefined): readonly string[] {
  const hook = `{type="command",command=${JSON.stringify(command)},timeout=3600}`;
  const project = cwd === undefined ? [] : ["--config", `projects={${JSON.stringify(cwd)}={trust_level="untrusted"}}`];
  return ["--dangerously-bypass-hook-trust", "--config", `hooks.PreToolUse=[{matcher="*",hooks=[${hook}]}]`, ...project];
}

/** "Reconnecting... 1/5", "Re-connecting... 1/5" (0.47), "stream error: …; retrying 1/5 in 200ms…" (before). */
const RECONNECTS = /^Re-?connecting\b|; retrying \d+\/\d+ in \d/i;

/** How many messages of an answer to keep, in case a retry repeats them. */
const MOST_SAID = 64;

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const classify = classifier();
  const state: State = {
    open: fewMap(),
    strange: new Map(),
    endedAgents: new Set(),
    waited: false,
    lastError: undefined,
    said: [],
    repeated: [],
    hasResult: false,
    trouble: undefined,
    isEarly: false,
    answered: false,
  };
  const legacy = codexLegacy(run);
  const ended = recentIds();

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], line: JsonObject): boolean {
    switch (line["type"]) {
      case "thread.started":
        return threadStarted(out, line);
      case "turn.started":
        return true; // a boundary without content
      case "turn.completed":
        return turnCompleted(out, line);
      case "turn.failed":
        return turnFailed(out, line);
      case "error":
        return topLevelError(out, line);
      case "item.started":
      case "item.updated":
      case "item.completed":
        return itemLine(out, line, line["type"]);
      case "session.created": // 0.41 and 0.42
        state.isEarly = true;
        return threadStarted(out, line);
      default:
        return legacy.line(out, line) === true;
    }
  }

  function threadStarted(out: Translated[], line: JsonObject): boolean {
    const sessionId = wordOf(line["thread_id"]) ?? wordOf(line["session_id"]);
    if (sessionId === undefined) return false;
    out.push({ type: "session", sessionId });
    return true;
  }

  function turnCompleted(out: Translated[], line: JsonObject): boolean {
    const usage = objectOf(line["usage"]);
    const tokens = usage === undefined ? undefined : ownTokens(tokensOf(usage), run.before); // it counts the whole thread
    // All zeros: nothing was measured.
    if (tokens !== undefined && anyTokens(tokens)) {
      out.push({ type: "usage", scope: "total", tokens, covers: "main", ...(state.waited && { incomplete: true }) });
    }
    state.hasResult = true;
    out.push({ type: "result", outcome: "completed", reason: "turn.completed" });
    return true;
  }

  /** Repeats the top-level error before it; the two are one failure. */
  function turnFailed(out: Translated[], line: JsonObject): boolean {
    const message = stringOf(objectOf(line["error"])?.["message"]) ?? stringOf(line["message"]) ?? "The turn failed";
    if (message !== state.lastError) out.push({ type: "error", message });
    state.lastError = message;
    state.hasResult = true;
    out.push({ type: "result", outcome: apiFailure(undefined, message), reason: "turn.failed" });
    return true;
  }

  /** A reconnect notice is not an error yet: the run may still succeed. */
  function topLevelError(out: Translated[], line: JsonObject): boolean {
    const message = stringOf(line["message"]);
    if (message === undefined) return false;
    if (RECONNECTS.test(message)) {
      state.repeated = state.said;
      state.said = [];
      out.push({ type: "warning", message, code: "reconnecting" });
    } else {
      state.lastError = message;
      state.trouble = message;
      out.push({ type: "error", message, final: true });
    }
    return true;
  }

  // items ─────────────────────────────────────────────────────────────────────

  function itemLine(out: Translated[], line: JsonObject, phase: "item.started" | "item.updated" | "item.completed"): boolean {
    const given = objectOf(line["item"]);
    if (given === undefined) return false;
    const item = given["type"] === undefined ? renamed(given) : given;
    state.trouble = undefined;
    const kind = callItems.get(item["type"]);
    if (kind !== undefined) return callItem(out, item, kind, phase);
    if (phase !== "item.completed") return strangeItem(item);
    switch (item["type"]) {
      case "agent_message":
        return agentMessage(out, item);
      case "reasoning":
        out.push({ type: "reasoning", text: stringOf(item["text"]) ?? "" });
        return true;
      case "error":
        out.push({ type: "error", message: stringOf(item["message"]) ?? "Codex reported an error without a message" });
        return true;
      default:
        state.strange.delete(stringOf(item["id"]) ?? "");
        out.push({ type: "unknown", raw: { ...line, item: requestOf(item) } });
        return true;
    }
  }

  /** The completed item repeats the started one, so the started one is kept until then. */
  function strangeItem(item: JsonObject): boolean {
    const id = wordOf(item["id"]);
    if (id === undefined) return false;
    if (!["agent_message", "reasoning", "error"].includes(spelled(item["type"]))) state.strange.set(id, { item, from: run.here });
    return true;
  }

  /** After a reconnect, Codex sends its complete messages again, in order, under new ids. */
  function agentMessage(out: Translated[], item: JsonObject): boolean {
    const text = stringOf(item["text"]);
    if (text === undefined) return false;
    const repeats = text === state.repeated[0] ? (true as const) : undefined;
    state.repeated = repeats ? state.repeated.slice(1) : [];
    if (state.said.length < MOST_SAID) state.said.push(text);
    state.answered = true;
    out.push({ type: "message", role: "assistant", text, messageId: wordOf(item["id"]), repeats });
    return true;
  }

  function callItem(out: Translated[], item: JsonObject, kind: ItemKind, phase: string): boolean {
    const callId = wordOf(item["id"]);
    if (callId === undefined) return false;
    if (phase === "item.completed" && !state.open.has(callId) && ended.has(callId, kindOf(item))) return true; // the same line repeated
    if (phase === "item.started" || !state.open.has(callId)) start(out, callId, item, kind);
    state.answered = false;
    if (state.said.length > 0) state.said = []; // a call ends the answer; the next one is a new request
    if (item["type"] === "todo_list") out.push({ type: "plan", items: planOf(item) });
    if (phase === "item.updated") out.push({ type: "tool-progress", callId });
    if (phase !== "item.completed") return true;
    if (item["type"] === "collab_tool_call") orchestration(out, callId, item);
    if (item["status"] === "declined") out.push({ type: "permission-decision", callId, decision: "deny" });
    out.push(endCall(callId, item, kind));
    return true;
  }

  /** If the completed item differs from the started one, the completed one is right. */
  function endCall(callId: string, item: JsonObject, kind: ItemKind): EventBody {
    const started = state.open.get(callId);
    state.open.delete(callId);
    ended.add(callId, kindOf(item));
    const exitCode = exitCodeOf(item);
    const success = successOf(item, exitCode);
    const output = outputOf(item);
    if (started === item || (started?.["command"] === item["command"] && item["changes"] === undefined && item["items"] === undefined)) {
      return { type: "tool-end", callId, success, exitCode, output };
    }
    const operations = kind.operations(item, run.cwd, classify);
    const raw = operations.length === 0 ? requestOf(item) : undefined;
    return { type: "tool-end", callId, success, exitCode, output, operations, raw };
  }

  function start(out: Translated[], callId: string, item: JsonObject, kind: ItemKind): void {
    state.open.set(callId, item);
    const operations = kind.operations(item, run.cwd, classify);
    const request = operations.length === 0 ? requestOf(item) : undefined;
    out.push({ type: "tool-start", callId, tool: kind.tool(item), input: kind.input(item), operations, request });
  }

  /** `spawn_agent` names its agent when it completes. `wait` and `close_agent` report, repeatedly, how each one ended. */
  function orchestration(out: Translated[], callId: string, item: JsonObject): void {
    if (item["tool"] === "spawn_agent") {
      for (const id of arrayOf(item["receiver_thread_ids"]) ?? []) {
        if (typeof id === "string" && id !== "") out.push({ type: "subagent-start", subagentId: id, callId });
      }
    }
    // An ended agent that gets more work starts again.
    if (item["tool"] === "send_input" || item["tool"] === "resume_agent") {
      for (const id of arrayOf(item["receiver_thread_ids"]) ?? []) {
        if (typeof id === "string" && state.endedAgents.delete(id)) out.push({ type: "subagent-start", subagentId: id, callId });
      }
      return;
    }
    const states = objectOf(item["agents_states"]) ?? {};
    state.waited ||= item["tool"] === "wait" && arrayOf(item["receiver_thread_ids"])?.length === 0;
    for (const subagentId of Object.keys(states)) {
      const success = agentSuccess(objectOf(states[subagentId])?.["status"]);
      if (success === undefined || state.endedAgents.has(subagentId)) continue;
      state.endedAgents.add(subagentId);
      out.push({ type: "subagent-end", subagentId, callId, success });
    }
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  function end(): readonly Translated[] {
    const left = [...state.strange.values()].map(
      ({ item, from }): EventBody => ({ type: "unknown", raw: requestOf(item), rule: STREAM_ENDED, from: [from] }),
    );
    return [...left, ...legacy.end(), ...lastResult()];
  }

  /** The stream ended without a result for its turn: after an error, or from a version that prints none. */
  function lastResult(): readonly Translated[] {
    if (state.hasResult) return [];
    if (state.trouble !== undefined) return [{ type: "result", outcome: apiFailure(undefined, state.trouble), reason: "error" }];
    if (!state.isEarly || !state.answered || state.open.size() > 0) return [];
    return [{ type: "result", outcome: "completed", reason: "assistant_message", rule: "last-answer" }];
  }

  return { push: lineReader(translate, withoutContents), end };
}

/** An id alone would take a different item for a repeated one, and lose it. Long commands are not kept. */
function kindOf({ command, type }: JsonObject): unknown {
  return typeof command === "string" && command.length < LONG ? command : type;
}

const LONG = 2_000;

/** An item of 0.41 and 0.42. */
function renamed(item: JsonObject): JsonObject {
  const type = item["item_type"];
  return { ...item, type: type === "assistant_message" ? "agent_message" : type };
}

/** An unreadable line without contents. Results are in its item; in an old version they may be anywhere. */
function withoutContents(line: JsonObject): JsonObject {
  const item = objectOf(line["item"]);
  if (item !== undefined) return { ...line, item: requestOf(item) };
  const msg = objectOf(line["msg"]);
  return msg === undefined ? line : { ...line, msg: { type: msg["type"] } };
}

/** Lines on stderr that say nothing about the run, each with a code to filter by. */
const noise: readonly (readonly [RegExp, string])[] = [
  [/^Reading (additional input|prompt) from stdin/, "stdin_notice"],
  [/could not (create|update) PATH/, "path_alias"],
  [/ERROR codex_core::tools::router: /, "tool_error"],
  [/responses_websocket: failed to connect/, "websocket_fallback"],
  [/failed to record rollout items/, "rollout_notice"],
];

/** A patch or a command that was rejected before it ran leaves no item, only this line. */
const REJECTED = / ERROR codex_core::tools::router: error=(.*\brejected (?:by user approval settings|by user)\b.*)$/;

function text(line: string): EventBody | readonly EventBody[] | undefined {
  const code = noise.find(([pattern]) => pattern.test(line))?.[1];
  if (code === undefined) return undefined;
  const warning: EventBody = { type: "warning", message: line, code };
  const reason = REJECTED.exec(line)?.[1];
  return reason === undefined ? warning : [{ type: "permission-decision", decision: "deny", reason }, warning];
}

export const codex: Agent = {
  id: "codex",
  title: "Codex",
  aliases: ["openai-codex", "codex-cli"],
  binaries: ["codex"],
  install: "npm install -g @openai/codex",
  skillFolder: ".agents/skills",
  credentials: ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"],
  credentialFiles: [".codex/auth.json", ".codex/config.toml"],
  refreshedFiles: [".codex/auth.json"],
  sessionFolders: [".codex/sessions"],
  providers: codexProviders,
  volatile: codexVolatile,
  needs: {
    login: "Run codex login, or set CODEX_API_KEY",
    moved: { CODEX_HOME: ".codex" },
    level: true,
    git: { levels: ["default", "read-only"], unless: "--skip-git-repo-check" },
    sandbox: { nests: true, args: ["-c", 'sandbox_mode="danger-full-access"'] }, // its --sandbox read-only still wins
  },
  seen: "0.166.0",
  terminal: true,
  hook: "silent",
  sandboxed: true,
  command,
  open,
  text: (line, stream) => (stream === "stderr" ? text(line) : undefined),
};
