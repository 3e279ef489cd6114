// The sessions of Codex, seen in 0.166.0: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl`, one file per thread. What the model
// said and asked for is in `response_item` in every version; how a call ended is in `item_completed`, or in the answer that the model got.
// Evidence: docs/reference/agents/codex.md.

import { arrayOf, isObject, type JsonObject, numberOf, objectOf, parseObject, stringOf, wordOf } from "../../base/index.ts";
import { addTokens, noTokens, type Tokens } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { isoTime, type SessionHead, type Store, type StoreTranslator } from "../store.ts";
import { codex } from "./agent.ts";
import { tokensOf } from "./items.ts";
import { itemOf, requestedItem } from "./stored-items.ts";

/** One thread: the session's own, or that of a subagent. */
interface Thread {
  readonly stream: ReturnType<typeof codex.open>;
  /** The subagent it is; undefined for the session's own thread. */
  readonly parent: string | undefined;
  /** Calls that were asked for and have not ended. */
  readonly open: Map<string, JsonObject>;
  /** Newer versions record an item for each call that ran, in the order in which they ran. */
  hasItems: boolean;
  readonly ended: Set<string>;
  used: Tokens;
  /** Newer versions record each response; the running totals then say nothing new. */
  isExact: boolean;
  counted: string | undefined;
}

function open(run: RunContext): StoreTranslator {
  const threads = new Map<string, Thread>();
  let main: string | undefined;
  let model: string | undefined;
  let last: { readonly outcome: "completed" | "failed" | "canceled"; readonly reason: string } | undefined;

  function threadOf(path: string): Thread {
    const known = threads.get(path);
    if (known !== undefined) return known;
    main ??= path;
    const parent = path === main ? undefined : (/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/.exec(path)?.[1] ?? path);
    const thread: Thread = {
      stream: codex.open(run),
      parent,
      open: new Map(),
      ended: new Set(),
      hasItems: false,
      used: noTokens,
      isExact: false,
      counted: undefined,
    };
    threads.set(path, thread);
    return thread;
  }

  function push(record: JsonObject, path: string): readonly Translated[] {
    const thread = threadOf(path);
    const payload = objectOf(record["payload"]) ?? record;
    const found = translate(thread, record["type"], payload);
    return thread.parent === undefined ? found : found.map((body) => ({ ...body, parent: thread.parent }));
  }

  function translate(thread: Thread, type: unknown, payload: JsonObject): readonly Translated[] {
    switch (type) {
      case "session_meta":
        return sessionMeta(thread, payload);
      case "turn_context":
        return turnContext(thread, payload);
      case "response_item":
        return responseItem(thread, payload);
      case "event_msg":
        return eventMessage(thread, payload);
      case "token_usage_record":
        thread.isExact = true;
        thread.used = addTokens(thread.used, tokensOf(objectOf(payload["usage"]) ?? {}));
        return [];
      case "compacted":
        return [{ type: "compaction" }];
      case undefined: // before 0.30 the first line is the bare header, and items have no envelope
        return wordOf(payload["id"]) !== undefined && payload["timestamp"] !== undefined ? sessionMeta(thread, payload) : [];
      case "message":
      case "reasoning":
      case "function_call":
      case "function_call_output":
      case "local_shell_call":
      case "custom_tool_call":
      case "custom_tool_call_output":
      case "web_search_call":
        return responseItem(thread, payload);
      default:
        return typeof type === "string" ? [] : [{ type: "unknown", raw: { type } }];
    }
  }

  function sessionMeta(thread: Thread, meta: JsonObject): readonly Translated[] {
    if (thread.parent !== undefined) return [];
    const about = { sessionId: wordOf(meta["id"]), cwd: wordOf(meta["cwd"]), agentVersion: wordOf(meta["cli_version"]) };
    return [{ type: "session", ...about }];
  }

  function turnContext(thread: Thread, context: JsonObject): readonly Translated[] {
    const named = wordOf(context["model"]);
    if (thread.parent !== undefined || named === undefined || named === model) return [];
    model = named;
    return [{ type: "session", model }];
  }

  // what the model said and asked for ─────────────────────────────────────────

  function responseItem(thread: Thread, item: JsonObject): readonly Translated[] {
    switch (item["type"]) {
      case "message":
        return message(thread, item);
      case "reasoning":
        return reasoning(item);
      case "function_call":
      case "custom_tool_call":
      case "local_shell_call":
        return asked(thread, item);
      case "function_call_output":
      case "custom_tool_call_output":
        return answered(thread, item);
      case "web_search_call":
        return searched(thread, item);
      default:
        return [];
    }
  }

  function message(thread: Thread, item: JsonObject): readonly Translated[] {
    const text = textOf(item["content"]);
    if (text === "") return [];
    const role = item["role"];
    if (role === "assistant") {
      if (thread.parent === undefined) last = undefined;
      return thread.stream.push({ type: "item.completed", item: { id: item["id"], type: "agent_message", text } });
    }
    if (role === "user" && !INJECTED.test(text)) return [{ type: "message", role: "user", text }];
    return []; // instructions that the program added
  }

  function asked(thread: Thread, item: JsonObject): readonly Translated[] {
    const callId = wordOf(item["call_id"]) ?? wordOf(item["id"]);
    const requested = callId === undefined ? undefined : requestedItem(item, callId);
    if (callId === undefined || requested === undefined || thread.open.has(callId) || thread.ended.has(callId)) return [];
    thread.open.set(callId, requested);
    if (thread.hasItems) return [];
    return thread.stream.push({ type: "item.started", item: requested });
  }

  /** The answer that the model got ends a call of an older version, and shows which ones were rejected. */
  function answered(thread: Thread, item: JsonObject): readonly Translated[] {
    const callId = wordOf(item["call_id"]);
    if (callId === undefined) return [];
    const given = item["output"];
    const parsed = typeof given === "string" ? parseObject(given) : objectOf(given);
    const output = stringOf(parsed?.["output"]) ?? stringOf(parsed?.["content"]) ?? (typeof given === "string" ? given : textOf(given));
    const reason = REJECTED.exec(output.slice(0, LONGEST_REASON))?.[0];
    const denial = reason === undefined ? [] : [{ type: "permission-decision", callId, decision: "deny", reason } as const];
    const requested = thread.open.get(callId);
    if (requested === undefined || thread.hasItems) return denial;
    const code = numberOf(objectOf(parsed?.["metadata"])?.["exit_code"]) ?? exitCodeIn(output);
    const success = code === undefined ? parsed?.["success"] : code === 0;
    const status = success === undefined ? undefined : success === false ? "failed" : "completed";
    return [...denial, ...ended(thread, callId, { ...requested, aggregated_output: output, exit_code: code, status })];
  }

  function ended(thread: Thread, callId: string, item: JsonObject): readonly Translated[] {
    thread.open.delete(callId);
    thread.ended.add(callId);
    return thread.stream.push({ type: "item.completed", item });
  }

  function searched(thread: Thread, item: JsonObject): readonly Translated[] {
    const id = wordOf(item["id"]);
    if (id === undefined || thread.ended.has(id)) return [];
    const query = wordOf(objectOf(item["action"])?.["query"]) ?? "";
    return ended(thread, id, { id, type: "web_search", query, action: item["action"] });
  }

  // what the program reports ──────────────────────────────────────────────────

  function eventMessage(thread: Thread, event: JsonObject): readonly Translated[] {
    switch (event["type"]) {
      case "item_completed":
        return itemCompleted(thread, event);
      case "token_count":
        tokenCount(thread, event);
        return [];
      case "task_complete":
        if (thread.parent === undefined) last = { outcome: "completed", reason: "task_complete" };
        return [];
      case "turn_aborted":
        if (thread.parent === undefined) last = { outcome: "canceled", reason: wordOf(event["reason"]) ?? "turn_aborted" };
        return [];
      case "error":
        if (thread.parent === undefined) last = { outcome: "failed", reason: "error" };
        return thread.stream.push({ type: "error", message: stringOf(event["message"]) ?? "Codex reported an error without a message" });
      case "stream_error":
        return thread.stream.push({ type: "error", message: stringOf(event["message"]) ?? "Reconnecting..." });
      default:
        return [];
    }
  }

  function itemCompleted(thread: Thread, event: JsonObject): readonly Translated[] {
    thread.hasItems = true;
    const stored = objectOf(event["item"]);
    const item = stored === undefined ? undefined : itemOf(stored);
    const id = wordOf(stored?.["id"]);
    if (item === undefined || id === undefined || thread.ended.has(id)) return [];
    return ended(thread, id, item);
  }

  /** Without a record per response: the last response, or what was added to the total. */
  function tokenCount(thread: Thread, event: JsonObject): void {
    const info = objectOf(event["info"]);
    const lastUsage = objectOf(info?.["last_token_usage"]);
    const total = JSON.stringify(info?.["total_token_usage"]);
    if (thread.isExact || lastUsage === undefined || total === thread.counted) return;
    thread.counted = total;
    thread.used = addTokens(thread.used, tokensOf(lastUsage));
  }

  function end(): readonly Translated[] {
    const tokens = [...threads.values()].reduce((sum, { used }) => addTokens(sum, used), noTokens);
    return [
      { type: "usage", scope: "total", tokens, covers: "run" },
      ...(last === undefined ? [] : [{ type: "result", ...last, rule: "last-record" } as const]),
    ];
  }

  return { push, end };
}

/** Text that the program puts in front of the user's. */
const INJECTED =
  /^\s*<(environment_context|user_instructions|permissions instructions|skills_instructions|turn_aborted|INSTRUCTIONS)\b|^# AGENTS\.md instructions/;

/** How Codex words a call that its rules or its user did not allow. */
const REJECTED = /^(?:patch|command|exec_command)\b[^\n]*\brejected by user\b[^\n]*/m;
const LONGEST_REASON = 2_000;

function reasoning(item: JsonObject): readonly Translated[] {
  const text = [...(arrayOf(item["summary"]) ?? []), ...(arrayOf(item["content"]) ?? [])].map(partText).filter((part) => part !== "");
  if (text.length > 0) return [{ type: "reasoning", text: text.join("\n\n") }];
  return [{ type: "reasoning", text: "", redacted: true }];
}

function textOf(content: unknown): string {
  return (arrayOf(content) ?? []).map(partText).join("");
}

function partText(part: unknown): string {
  return isObject(part) ? (stringOf(part["text"]) ?? "") : "";
}

function exitCodeIn(output: string): number | undefined {
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(output.slice(0, 400))?.[1];
  return code === undefined ? undefined : Number(code);
}

function head(_path: string, records: readonly JsonObject[]): SessionHead | undefined {
  const meta = records.map((record) => (record["type"] === "session_meta" ? objectOf(record["payload"]) : headerOf(record))).find(Boolean);
  const session = wordOf(meta?.["id"]);
  if (meta === undefined || session === undefined) return undefined;
  const spawn = objectOf(objectOf(objectOf(meta["source"])?.["subagent"])?.["thread_spawn"]);
  const parent = wordOf(meta["parent_thread_id"]) ?? wordOf(spawn?.["parent_thread_id"]);
  const first = records.map(userText).find((text) => text !== undefined);
  const model = records.map((record) => (record["type"] === "turn_context" ? wordOf(objectOf(record["payload"])?.["model"]) : undefined));
  return {
    session,
    parent,
    cwd: wordOf(meta["cwd"]),
    prompt: first,
    model: model.find((name) => name !== undefined),
    forkOf: wordOf(meta["forked_from_id"]),
  };
}

function headerOf(record: JsonObject): JsonObject | undefined {
  return record["type"] === undefined && record["timestamp"] !== undefined && record["instructions"] !== undefined ? record : undefined;
}

function userText(record: JsonObject): string | undefined {
  const item = record["type"] === "response_item" ? objectOf(record["payload"]) : record;
  if (item?.["type"] !== "message" || item["role"] !== "user") return undefined;
  const text = textOf(item["content"]);
  return text === "" || INJECTED.test(text) ? undefined : text;
}

export const codexStore: Store = {
  agent: codex,
  places: [
    { home: ".codex/sessions", moved: [["CODEX_HOME", "sessions"]] },
    { home: ".codex/archived_sessions", moved: [["CODEX_HOME", "archived_sessions"]] },
  ],
  kind: (path) => (/(^|\/)rollout-[^/]+\.jsonl(\.zst)?$/.test(path) ? "lines" : undefined),
  head,
  at: (record) => isoTime(record["timestamp"]),
  open,
};
