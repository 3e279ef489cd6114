// The sessions of Pi, seen in 0.73.1 and 1.5.0: `~/.pi/agent/sessions/--<directory>--/<time>_<id>.jsonl`, a tree of entries. Its messages are
// those of the stream. Evidence: docs/reference/agents/pi.md.

import { arrayOf, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { isoTime, type SessionHead, type Store, type StoreTranslator } from "../store.ts";
import { pi } from "./agent.ts";
import { textOf } from "./fields.ts";

function open(run: RunContext): StoreTranslator {
  const stream = pi.open(run);
  let leaf: string | undefined;
  let last: { readonly outcome: "completed" | "failed" | "canceled"; readonly reason: string } | undefined;

  function push(entry: JsonObject): readonly Translated[] {
    return [...branched(entry), ...translate(entry)];
  }

  /** An entry that does not follow the one before it continues an earlier point of the conversation. */
  function branched(entry: JsonObject): readonly Translated[] {
    const before = leaf;
    const parent = wordOf(entry["parentId"]);
    leaf = wordOf(entry["id"]) ?? leaf;
    if (before === undefined || parent === undefined || parent === before || entry["type"] === "session") return [];
    return [{ type: "notice", kind: "branch", message: parent }];
  }

  function translate(entry: JsonObject): readonly Translated[] {
    switch (entry["type"]) {
      case "session":
        leaf = undefined;
        return stream.push(entry);
      case "message":
        return message(entry);
      case "compaction":
        return [{ type: "compaction", tokensBefore: numberOf(entry["tokensBefore"]) }];
      case "usage":
        return stream.push({ type: "entry_appended", entry });
      default:
        return typeof entry["type"] === "string" ? [] : [{ type: "unknown", raw: { type: entry["type"] } }];
    }
  }

  function message(entry: JsonObject): readonly Translated[] {
    const message = objectOf(entry["message"]);
    if (message === undefined) return [{ type: "unknown", raw: { type: "message" } }];
    if (message["role"] === "toolResult") return stream.push(resultOf(message)).concat(stream.push({ type: "message_end", message }));
    last = message["role"] === "assistant" ? endOf(message) : undefined;
    const out = [...stream.push({ type: "message_end", message })];
    for (const block of arrayOf(message["content"]) ?? []) {
      if (!isObject(block) || block["type"] !== "toolCall") continue;
      const call = { toolCallId: block["id"], toolName: block["name"], args: block["arguments"] };
      out.push(...stream.push({ type: "tool_execution_start", ...call }));
    }
    return out;
  }

  function end(): readonly Translated[] {
    const rest = stream.end().filter(({ type }) => type !== "result" && (type !== "error" || last?.outcome !== "completed"));
    return [...rest, ...(last === undefined ? [] : [{ type: "result", ...last, rule: "last-record" } as const])];
  }

  return { push, end };
}

function resultOf(message: JsonObject): JsonObject {
  const result = { content: message["content"], details: message["details"] };
  return {
    type: "tool_execution_end",
    toolCallId: message["toolCallId"],
    toolName: message["toolName"],
    result,
    isError: message["isError"],
  };
}

/** A session has no record of its end. Its last answer says whether the model was done. */
function endOf(message: JsonObject) {
  const stop = wordOf(message["stopReason"]);
  if (stop === "stop") return { outcome: "completed", reason: stop } as const;
  if (stop === "aborted") return { outcome: "canceled", reason: stop } as const;
  return stop === "error" ? ({ outcome: "failed", reason: stop } as const) : undefined;
}

function head(_path: string, records: readonly JsonObject[]): SessionHead | undefined {
  const header = records.find((record) => record["type"] === "session");
  const session = wordOf(header?.["id"]);
  if (header === undefined || session === undefined) return undefined;
  const messages = records.map((record) => objectOf(record["message"]));
  const asked = messages.find((message) => message?.["role"] === "user");
  const answer = messages.find((message) => message?.["role"] === "assistant");
  const prompt = asked === undefined ? undefined : textOf(asked);
  return {
    session,
    cwd: wordOf(header["cwd"]),
    prompt,
    model: wordOf(answer?.["model"]),
    forkOf: parentOf(stringOf(header["parentSession"])),
  };
}

/** `parentSession` is the path of the file that was forked. */
function parentOf(path: string | undefined): string | undefined {
  return path === undefined ? undefined : /_([^/_]+)\.jsonl$/.exec(path)?.[1];
}

export const piStore: Store = {
  agent: pi,
  places: [
    {
      home: ".pi/agent/sessions",
      moved: [
        ["PI_CODING_AGENT_DIR", "sessions"],
        ["PI_AGENT_DIR", "sessions"],
      ],
    },
  ],
  kind: (path) => (/(^|\/)[^/]+_[^/]+\.jsonl$/.test(path) ? "lines" : undefined),
  head,
  at: (record) => isoTime(record["timestamp"]),
  open,
};
