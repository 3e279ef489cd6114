// The sessions of OpenCode, seen in 1.18.33: rows of `session`, `message` and `part` in `~/.local/share/opencode/opencode.db`. A part is what
// its stream prints, so the translator of the stream reads it. Kilo stores the same. Evidence: docs/reference/agents/opencode.md.

import { type JsonObject, numberOf, objectOf, parseObject, stringOf, wordOf } from "../../base/index.ts";
import type { Agent, RunContext, Translated } from "../../pipeline/index.ts";
import { rowOf, type SessionHead, type Store, type StoreTranslator } from "../store.ts";
import { opencode } from "./agent.ts";
import { failureOf } from "./fields.ts";

function open(agent: Agent, run: RunContext): StoreTranslator {
  const stream = agent.open(run);
  const asked = new Set<string>(); // messages of the user
  const started = new Set<string>(); // subagents
  let main: string | undefined;
  let model: string | undefined;

  function push(record: JsonObject): readonly Translated[] {
    const { table, row } = rowOf(record) ?? {};
    if (row === undefined) return [{ type: "unknown", raw: {} }];
    if (table === "session") return session(row);
    const data = parseObject(stringOf(row["data"]) ?? "");
    if (data === undefined) return [{ type: "unknown", raw: { table, id: row["id"] } }];
    if (table === "message") return message(row, data);
    return table === "part" ? part(row, data) : [];
  }

  /** The first session is the run's own. Each other one is a subagent. */
  function session(row: JsonObject): readonly Translated[] {
    const id = wordOf(row["id"]);
    if (main === undefined) {
      main = id;
      return [{ type: "session", sessionId: id, cwd: wordOf(row["directory"]), agentVersion: wordOf(row["version"]) }];
    }
    return id === undefined ? [] : start({ subagentId: id, name: wordOf(row["agent"]), description: wordOf(row["title"]) });
  }

  function start(body: { readonly subagentId: string; readonly name?: string; readonly description?: string }): readonly Translated[] {
    if (started.has(body.subagentId)) return [];
    started.add(body.subagentId);
    return [{ type: "subagent-start", ...body }];
  }

  function message(row: JsonObject, data: JsonObject): readonly Translated[] {
    const id = wordOf(row["id"]);
    if (data["role"] === "user") {
      if (id !== undefined) asked.add(id);
      return [];
    }
    return [...changed(row, data), ...failed(row, data)];
  }

  function changed(row: JsonObject, data: JsonObject): readonly Translated[] {
    const next = wordOf(data["modelID"]);
    if (next === undefined || next === model || row["session_id"] !== main) return [];
    model = next;
    return [{ type: "session", sessionId: main, model }];
  }

  function failed(row: JsonObject, data: JsonObject): readonly Translated[] {
    if (data["error"] === undefined || data["error"] === null) return [];
    const owner = wordOf(row["session_id"]);
    const line = { type: "error", sessionID: owner, error: data["error"] };
    if (owner === main) return stream.push(line);
    const failure = failureOf(line);
    return failure === undefined ? [] : [{ type: "error", message: failure.message, code: failure.name, parent: owner }];
  }

  function part(row: JsonObject, data: JsonObject): readonly Translated[] {
    const [id, messageID, sessionID] = [row["id"], row["message_id"], row["session_id"]];
    const owner = wordOf(sessionID);
    if (asked.has(wordOf(messageID) ?? "")) return said(data, messageID, owner);
    const type = PRINTED.get(wordOf(data["type"]) ?? "");
    if (type === undefined) return noted(data, owner);
    const line = { type, sessionID: main, part: { ...data, id, messageID, sessionID } };
    return stream.push(line).flatMap((body): readonly Translated[] => {
      if (body.type === "usage") return [{ ...body, covers: "run" as const }];
      if (body.type === "session") return [];
      return body.type === "subagent-start" && started.has(body.subagentId) ? [] : [body];
    });
  }

  function said(data: JsonObject, messageID: unknown, owner: string | undefined): readonly Translated[] {
    const text = data["type"] === "text" ? stringOf(data["text"]) : undefined;
    if (text === undefined || text === "") return [];
    const role = data["synthetic"] === true || data["ignored"] === true ? "system" : "user";
    return [{ type: "message", role, text, messageId: wordOf(messageID), parent: owner === main ? undefined : owner }];
  }

  /** What the stream does not print: snapshots, patches, retries, compactions. */
  function noted(data: JsonObject, owner: string | undefined): readonly Translated[] {
    const parent = owner === main ? undefined : owner;
    if (data["type"] === "compaction") return [{ type: "compaction", trigger: data["auto"] === true ? "auto" : undefined, parent }];
    if (data["type"] !== "retry") return [];
    const message = failureOf(data)?.message ?? "The request was sent again";
    return [{ type: "warning", message, code: "step_retry", parent }];
  }

  return { push, document: push, end: () => stream.end() };
}

/** Parts that the stream prints, and the names of their lines. */
const PRINTED = new Map([
  ["step-start", "step_start"],
  ["step-finish", "step_finish"],
  ["text", "text"],
  ["reasoning", "reasoning"],
  ["tool", "tool_use"],
]);

function head(_path: string, records: readonly JsonObject[]): SessionHead | undefined {
  const rows = records.map(rowOf);
  const session = rows.find((each) => each?.table === "session")?.row;
  const id = wordOf(session?.["id"]);
  if (session === undefined || id === undefined) return undefined;
  const parts = rows.filter((each) => each?.table === "part").map((each) => parseObject(stringOf(each?.row["data"]) ?? ""));
  const prompt = parts.find((part) => part?.["type"] === "text" && part["synthetic"] !== true);
  const model = parseObject(stringOf(session["model"]) ?? "");
  return {
    session: id,
    parent: wordOf(session["parent_id"]),
    cwd: wordOf(session["directory"]),
    prompt: stringOf(prompt?.["text"]),
    model: wordOf(model?.["id"]),
    changedAt: numberOf(session["time_updated"]),
  };
}

/** A part counts when it ended, as it is printed then. A message counts when it began, unless it failed. */
function at(record: JsonObject): number | undefined {
  const { table, row } = rowOf(record) ?? {};
  const created = numberOf(row?.["time_created"]);
  if (row === undefined || table === "session") return created;
  const data = parseObject(stringOf(row["data"]) ?? "");
  const time = objectOf(data?.["time"]);
  if (table === "message") return data?.["error"] ? (numberOf(time?.["completed"]) ?? numberOf(row["time_updated"])) : created;
  const type = data?.["type"];
  if (type === "tool") return numberOf(objectOf(objectOf(data?.["state"])?.["time"])?.["end"]) ?? numberOf(row["time_updated"]);
  return type === "text" || type === "reasoning" ? (numberOf(time?.["end"]) ?? created) : created;
}

/** The store of OpenCode, and of those who use its tables. */
export function opencodeStoreOf(agent: Agent, name: string, moved: readonly (readonly [string, string])[] = []): Store {
  const file = new RegExp(`(^|/)${name}(-[^/]+)?\\.db$`);
  return {
    agent,
    places: [{ home: `.local/share/${name}`, moved: [...moved, ["XDG_DATA_HOME", name]] }],
    kind: (path) => (file.test(path) ? "database" : undefined),
    without: ["snapshot", "log", "bin", "repos", "tool-output", "worktree", "storage"],
    tables: {
      sessions: ["session", "id"],
      rows: [
        ["message", "session_id"],
        ["part", "session_id"],
      ],
    },
    head,
    at,
    open: (run) => open(agent, run),
  };
}

export const opencodeStore = opencodeStoreOf(opencode, "opencode", [["OPENCODE_DATA_DIR", ""]]);
