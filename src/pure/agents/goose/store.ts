// The sessions of Goose, seen in 1.52.0: rows of `sessions`, `messages` and `usage_ledger` in `~/.local/share/goose/sessions/sessions.db`. Its
// messages are those of the stream, complete. Evidence: docs/reference/agents/goose.md.

import {
  arrayOf,
  isObject,
  isShallow,
  type JsonObject,
  numberOf,
  objectOf,
  parseJson,
  parseObject,
  stringOf,
  wordOf,
} from "../../base/index.ts";
import { anyTokens } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { rowOf, type SessionHead, type Store, type StoreTranslator } from "../store.ts";
import { goose, tokensOf } from "./agent.ts";

/** The run's own session, or that of a subagent. */
interface Thread {
  readonly stream: ReturnType<typeof goose.open>;
  readonly parent: string | undefined;
  readonly row: JsonObject;
  /** What the model thought last: each call of an answer repeats it. */
  thought: string | undefined;
  /** The ledger has requests of this session. Earlier versions keep only sums. */
  isCounted: boolean;
  /** The last message is an answer without a call. */
  isDone: boolean;
}

function open(run: RunContext): StoreTranslator {
  const threads = new Map<string, Thread>();
  const started = new Set<string>(); // subagents

  function push(record: JsonObject): readonly Translated[] {
    const { table, row } = rowOf(record) ?? {};
    if (row === undefined) return [{ type: "unknown", raw: {} }];
    if (table === "sessions") return session(row);
    const thread = threads.get(wordOf(row["session_id"]) ?? "");
    if (thread === undefined) return [{ type: "unknown", raw: { table, id: row["id"] } }];
    if (table === "messages") return message(thread, row).map((body) => owned(thread, body));
    return table === "usage_ledger" ? used(thread, row) : [];
  }

  /** The first session is the run's own. Each other one is a subagent. */
  function session(row: JsonObject): readonly Translated[] {
    const id = wordOf(row["id"]) ?? "";
    const parent = threads.size === 0 ? undefined : id;
    threads.set(id, { stream: goose.open(run), parent, row, thought: undefined, isCounted: false, isDone: false });
    if (parent === undefined) return [{ type: "session", sessionId: id, model: modelOf(row), cwd: wordOf(row["working_dir"]) }];
    return started.has(id) ? [] : start(id, wordOf(row["name"]));
  }

  function start(subagentId: string, name: string | undefined): readonly Translated[] {
    started.add(subagentId);
    return [{ type: "subagent-start", subagentId, name }];
  }

  function message(thread: Thread, row: JsonObject): readonly Translated[] {
    const content = parsed(row["content_json"]);
    const metadata = parseObject(stringOf(row["metadata_json"]) ?? "");
    if (content === undefined) return [{ type: "unknown", raw: { table: "messages", id: row["id"] } }];
    const isAnswer = row["role"] === "assistant";
    const calls = content.some((block) => isObject(block) && block["type"] === "toolRequest");
    if (metadata?.["turnContext"] !== true) thread.isDone = isAnswer && !calls && content.length > 0;
    const isFirst = objectOf(metadata?.["usage"]) !== undefined;
    const blocks = isAnswer && !isFirst ? content.filter((block) => !isRepeated(thread, block)) : content;
    for (const block of content) thread.thought = thoughtOf(block) ?? thread.thought;
    const said = { id: row["message_id"], role: row["role"], created: row["created_timestamp"], content: blocks, metadata };
    return thread.stream.push({ type: "message", message: said }).filter((body) => {
      if (body.type === "session") return body.model !== undefined;
      if (body.type !== "subagent-start") return true;
      const isNew = !started.has(body.subagentId);
      started.add(body.subagentId);
      return isNew;
    });
  }

  function used(thread: Thread, row: JsonObject): readonly Translated[] {
    thread.isCounted = true;
    return counted(thread, row, "");
  }

  function counted(thread: Thread, row: JsonObject, prefix: string): readonly Translated[] {
    const tokens = tokensOf({
      input_tokens: row[`${prefix}input_tokens`],
      output_tokens: row[`${prefix}output_tokens`],
      cache_read_input_tokens: row[`${prefix}cache_read_tokens`],
      cache_write_input_tokens: row[`${prefix}cache_write_tokens`],
    });
    if (!anyTokens(tokens)) return [];
    const costUsd = numberOf(row[`${prefix}cost`]);
    return [owned(thread, { type: "usage", scope: "step", tokens, costUsd, covers: "run" })];
  }

  function end(): readonly Translated[] {
    const all = [...threads.values()];
    const sums = all.filter(({ isCounted }) => !isCounted).flatMap((thread) => counted(thread, thread.row, "accumulated_"));
    const main = all.find(({ parent }) => parent === undefined);
    const rest = all.flatMap((thread) => thread.stream.end().map((body) => owned(thread, body)));
    if (main?.isDone !== true) return [...sums, ...rest];
    const last = main.stream.push({ type: "complete" });
    return [...sums, ...rest, ...last.map((body) => (body.type === "result" ? { ...body, rule: "last-record" } : body))];
  }

  return { push, document: push, end };
}

function owned({ parent }: Thread, body: Translated): Translated {
  return parent === undefined ? body : { ...body, parent };
}

function thoughtOf(block: unknown): string | undefined {
  return isObject(block) && block["type"] === "thinking" ? stringOf(block["thinking"]) : undefined;
}

function isRepeated({ thought }: Thread, block: unknown): boolean {
  return thought !== undefined && thoughtOf(block) === thought;
}

function modelOf(session: JsonObject): string | undefined {
  return wordOf(parseObject(stringOf(session["model_config_json"]) ?? "")?.["model_name"]);
}

function parsed(text: unknown): readonly unknown[] | undefined {
  try {
    const value: unknown = parseJson(stringOf(text) ?? "");
    return isShallow(value) ? arrayOf(value) : undefined;
  } catch {
    return undefined;
  }
}

function head(_path: string, records: readonly JsonObject[]): SessionHead | undefined {
  const rows = records.map(rowOf);
  const session = rows.find((each) => each?.table === "sessions")?.row;
  const id = wordOf(session?.["id"]);
  if (session === undefined || id === undefined) return undefined;
  const asked = rows.find((each) => each?.table === "messages" && each.row["role"] === "user")?.row;
  const text = parsed(asked?.["content_json"])?.find((block) => isObject(block) && block["type"] === "text");
  return {
    session: id,
    unique: `${id} ${wordOf(session["created_at"]) ?? ""}`,
    parent: wordOf(session["parent_session_id"]),
    cwd: wordOf(session["working_dir"]),
    prompt: stringOf(objectOf(text)?.["text"]),
    model: modelOf(session),
    changedAt: utc(session["updated_at"]),
  };
}

/** `2026-11-15 23:23:46`, in UTC. */
function utc(value: unknown): number | undefined {
  const time = Date.parse(`${stringOf(value)?.replace(" ", "T")}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Whole seconds. */
function at(record: JsonObject): number | undefined {
  const row = rowOf(record)?.row;
  const seconds = numberOf(row?.["created_timestamp"]);
  return seconds === undefined ? utc(row?.["created_at"]) : seconds * 1000;
}

export const gooseStore: Store = {
  agent: goose,
  places: [{ home: ".local/share/goose/sessions", moved: [["XDG_DATA_HOME", "goose/sessions"]] }],
  kind: (path) => (/(^|\/)sessions\.db$/.test(path) ? "database" : undefined),
  tables: {
    sessions: ["sessions", "id"],
    rows: [
      ["messages", "session_id"],
      ["usage_ledger", "session_id"],
    ],
  },
  head,
  at,
  open,
};
