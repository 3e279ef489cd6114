// The sessions of Claude Code, seen in 2.1.325: `~/.claude/projects/<directory>/<session>.jsonl`, and one file per subagent. The lines are
// those of its stream with other names around them, so the translator of the stream reads them. Evidence: docs/reference/agents/claude.md.

import { arrayOf, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { addTokens, noTokens, type Tokens } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { isoTime, type SessionHead, type Store, type StoreTranslator } from "../store.ts";
import { claude } from "./agent.ts";
import { blocksOf, isText, recordedTokens } from "./fields.ts";

const SUBAGENT = /^(.+)\/subagents\/(?:.+\/)?agent-[^/]+\.(?:jsonl|meta\.json)$/;

/** A message whose usage the next lines may repeat or replace. */
interface Answer {
  id: string | undefined;
  tokens: Tokens;
}

function open(run: RunContext): StoreTranslator {
  const stream = claude.open(run);
  const calls = new Map<string, string>(); // the subagent of each open call that started one
  const starters = new Map<string, string>(); // the call that started a subagent
  const callers = new Map<string, string>(); // the subagent that made a call
  const answers = new Map<string, Answer>();
  let used = noTokens;
  let cost: number | undefined;
  let model: string | undefined;
  let cwd: string | undefined;
  let last: { readonly outcome: "completed" | "failed" | "canceled"; readonly reason: string } | undefined;

  function push(record: JsonObject): readonly Translated[] {
    const type = record["type"];
    if (type === "assistant") return [...changed(record), ...assistant(record)];
    if (type === "user") return [...changed(record), ...user(record)];
    if (type === "system") return stream.push({ ...record, compact_metadata: record["compactMetadata"] });
    if (type === "queue-operation") return notified(record);
    if (type === "cost-state") cost = numberOf(record["totalCostUSD"]) ?? cost;
    else if (typeof type !== "string") return [{ type: "unknown", raw: { type } }];
    return []; // what was put into the context, requests as sent, and the program's own notes
  }

  /** The directory and the model of a session can change from line to line. */
  function changed(record: JsonObject): readonly Translated[] {
    const answered = wordOf(objectOf(record["message"])?.["model"]);
    const nextModel = answered === undefined || answered === "<synthetic>" ? model : answered;
    const nextCwd = wordOf(record["cwd"]) ?? cwd;
    if (record["isSidechain"] === true || (nextModel === model && nextCwd === cwd)) return [];
    model = nextModel;
    cwd = nextCwd;
    const init = { type: "system", subtype: "init", session_id: record["sessionId"], cwd, model, claude_code_version: record["version"] };
    return stream.push(init);
  }

  function assistant(record: JsonObject): readonly Translated[] {
    const message = objectOf(record["message"]);
    const thread = wordOf(record["agentId"]) ?? "";
    const isError = record["isApiErrorMessage"] === true;
    if (message !== undefined && !isError) count(thread, message);
    for (const block of blocksOf(message) ?? []) {
      const id = isObject(block) && block["type"] === "tool_use" ? wordOf(block["id"]) : undefined;
      if (id !== undefined && thread !== "") callers.set(id, thread);
    }
    if (record["isSidechain"] !== true) last = endOf(message, isError);
    return stream.push({ ...asStreamed(record), ...(isError && { is_api_error_message: true }) });
  }

  /** All lines of a message repeat its usage. If they differ, the last one is right. */
  function count(thread: string, message: JsonObject): void {
    const tokens = recordedTokens(message);
    if (tokens === undefined) return;
    const id = wordOf(message["id"]);
    const answer = answers.get(thread);
    if (answer !== undefined && id !== undefined && answer.id === id) {
      answer.tokens = tokens;
      return;
    }
    if (answer !== undefined) used = addTokens(used, answer.tokens);
    answers.set(thread, { id, tokens });
  }

  function user(record: JsonObject): readonly Translated[] {
    const message = objectOf(record["message"]);
    const content = message?.["content"];
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : (arrayOf(content) ?? []);
    const isMain = record["isSidechain"] !== true;
    const interrupted = isMain && blocks.some((block) => isText(block) && INTERRUPTED.test(block.text));
    if (isMain) last = interrupted ? { outcome: "canceled", reason: "interrupted" } : undefined;
    const text = isText(blocks[0]) ? blocks[0].text : "";
    const injected = record["isMeta"] === true || record["isCompactSummary"] === true || NOTIFICATION.test(text);
    const line = { ...asStreamed(record), message: { ...message, content: blocks }, ...(injected && { isSynthetic: true }) };
    return [...denials(record, blocks), ...(isLaunch(record) ? [] : ends(blocks)), ...stream.push(line)];
  }

  function denials(record: JsonObject, blocks: readonly unknown[]): readonly Translated[] {
    const decision = objectOf(record["permissionDecision"]);
    const kind = wordOf(decision?.["decision"]);
    if (kind !== "deny" && kind !== "reject") return [];
    const callId = blocks.map((block) => (isObject(block) ? wordOf(block["tool_use_id"]) : undefined)).find((id) => id !== undefined);
    const reason = wordOf(decision?.["reasonType"]) ?? wordOf(decision?.["source"]);
    return stream.push({ type: "system", subtype: "permission_denied", tool_use_id: callId, message: reason });
  }

  /** The result of the call that started a subagent is its end. */
  function ends(blocks: readonly unknown[]): readonly Translated[] {
    return blocks.flatMap((block) => {
      const callId = isObject(block) && block["type"] === "tool_result" ? wordOf(block["tool_use_id"]) : undefined;
      const agent = callId === undefined ? undefined : calls.get(callId);
      if (agent === undefined || callId === undefined) return [];
      calls.delete(callId);
      const status = isObject(block) && block["is_error"] === true ? "failed" : "completed";
      return stream.push({ type: "system", subtype: "task_notification", task_id: agent, status });
    });
  }

  /** A subagent in the background reports its end in the queue of prompts. */
  function notified(record: JsonObject): readonly Translated[] {
    const [, agent, status] = (record["operation"] === "enqueue" && NOTIFICATION.exec(stringOf(record["content"]) ?? "")) || [];
    const call = agent === undefined ? undefined : starters.get(agent);
    if (agent === undefined || call === undefined || !calls.delete(call)) return [];
    return stream.push({ type: "system", subtype: "task_notification", task_id: agent, status });
  }

  function asStreamed(record: JsonObject): JsonObject {
    const agent = wordOf(record["agentId"]);
    const isMain = record["isSidechain"] !== true;
    return {
      type: record["type"],
      message: record["message"],
      session_id: record["sessionId"],
      tool_use_result: record["toolUseResult"],
      error: record["error"],
      parent_tool_use_id: isMain ? null : ((agent === undefined ? undefined : starters.get(agent)) ?? agent ?? "sidechain"),
      ...(!isMain && agent !== undefined && { agent_id: agent }),
    };
  }

  /** `agent-<id>.meta.json` names the call that started the subagent. It comes right before the subagent's first line. */
  function document(value: JsonObject, path: string): readonly Translated[] {
    const agent = /agent-([^/]+)\.meta\.json$/.exec(path)?.[1];
    if (agent === undefined) return [];
    const callId = wordOf(value["toolUseId"]);
    if (callId !== undefined) {
      calls.set(callId, agent);
      starters.set(agent, callId);
    }
    const caller = callId === undefined ? undefined : callers.get(callId);
    return stream.push({
      type: "system",
      subtype: "task_started",
      task_id: agent,
      task_type: "local_agent",
      subagent_type: value["agentType"],
      tool_use_id: callId,
      description: value["description"],
      ...(caller !== undefined && { parent_task_id: caller }),
    });
  }

  function end(): readonly Translated[] {
    const tokens = [...answers.values()].reduce((sum, answer) => addTokens(sum, answer.tokens), used);
    const rest = stream.end().filter(({ type }) => type !== "usage");
    return [
      ...rest,
      { type: "usage", scope: "total", tokens, costUsd: cost, covers: "run" },
      ...(last === undefined ? [] : [{ type: "result", ...last, rule: "last-record" } as const]),
    ];
  }

  return { push, document, end };
}

const NOTIFICATION = /^<task-notification>\n<task-id>([^<]+)<\/task-id>(?:\n<(?!status)[^\n]*)*\n<status>([^<]+)<\/status>/;

/** The call returned when the subagent had started. */
function isLaunch(record: JsonObject): boolean {
  return objectOf(record["toolUseResult"])?.["isAsync"] === true;
}

const INTERRUPTED = /^\[Request interrupted by user/;

/** A session has no record of its end. Its last answer says whether the model was done. */
function endOf(message: JsonObject | undefined, isError: boolean) {
  if (isError) return { outcome: "failed", reason: "api_error" } as const;
  const stop = wordOf(message?.["stop_reason"]);
  return stop === "end_turn" || stop === "stop_sequence" ? ({ outcome: "completed", reason: stop } as const) : undefined;
}

function head(path: string, records: readonly JsonObject[]): SessionHead | undefined {
  const chained = records.find((record) => wordOf(record["sessionId"]) !== undefined && wordOf(record["type"]) !== undefined);
  if (chained === undefined) return undefined;
  const inFile = /([^/]+)\.jsonl$/.exec(path)?.[1];
  const session = inFile ?? wordOf(chained["sessionId"]);
  if (session === undefined) return undefined;
  const first = records.find((record) => record["type"] === "user" && record["isMeta"] !== true);
  const content = objectOf(first?.["message"])?.["content"];
  const prompt = stringOf(content) ?? (arrayOf(content) ?? []).find(isText)?.text;
  const answer = records.find((record) => record["type"] === "assistant");
  const cwd = records.map((record) => wordOf(record["cwd"])).find((given) => given !== undefined);
  return { session, cwd, prompt, model: wordOf(objectOf(answer?.["message"])?.["model"]) };
}

export const claudeStore: Store = {
  agent: claude,
  places: [
    { home: ".claude/projects", moved: [["CLAUDE_CONFIG_DIR", "projects"]] },
    { home: ".config/claude/projects", moved: [["XDG_CONFIG_HOME", "claude/projects"]] },
  ],
  kind(path) {
    if (SUBAGENT.test(path)) return path.endsWith(".json") ? "document" : "lines";
    return /^[^/]+\/[^/]+\.jsonl$/.test(path) ? "lines" : undefined;
  },
  mainOf(path) {
    const main = SUBAGENT.exec(path)?.[1];
    return main === undefined ? undefined : `${main}.jsonl`;
  },
  head,
  at: (record) => isoTime(record["timestamp"]),
  open,
};
