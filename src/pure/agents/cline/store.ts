// The sessions of Cline, seen in 3.0.65: `~/.cline/data/sessions/<id>/<id>.json` about the session, `<id>.messages.json` with its messages, and
// one such file for each subagent. A file is rewritten as a whole. Evidence: docs/reference/agents/cline.md.

import { arrayOf, isObject, type JsonObject, numberOf, objectOf, parseObject, stringOf, wordOf } from "../../base/index.ts";
import type { RunStatus } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { isoTime, type SessionHead, type Store, type StoreTranslator } from "../store.ts";
import { cline } from "./agent.ts";

/** The session's own messages, or those of a subagent. */
interface Thread {
  readonly stream: ReturnType<typeof cline.open>;
  readonly parent: string | undefined;
  /** The tool of each call. */
  readonly tools: Map<string, string>;
  /** The last message is an answer without a call. */
  isDone: boolean;
}

function open(run: RunContext): StoreTranslator {
  const threads = new Map<string, Thread>();
  let status: string | undefined;

  function document(value: JsonObject, path: string): readonly Translated[] {
    if (wordOf(value["session_id"]) === undefined) return threadOf(path).start; // what is around a list of messages
    status = wordOf(value["status"]);
    return [{ type: "session", sessionId: wordOf(value["session_id"]), model: wordOf(value["model"]), cwd: wordOf(value["cwd"]) }];
  }

  function threadOf(path: string): { readonly thread: Thread; readonly start: readonly Translated[] } {
    const known = threads.get(path);
    if (known !== undefined) return { thread: known, start: [] };
    const parent = SUBAGENT.exec(path)?.[1];
    const thread: Thread = { stream: cline.open(run), parent, tools: new Map(), isDone: false };
    threads.set(path, thread);
    return { thread, start: parent === undefined ? [] : [{ type: "subagent-start", subagentId: parent }] };
  }

  function push(message: JsonObject, path: string): readonly Translated[] {
    const { thread, start } = threadOf(path);
    const out = message["role"] === "assistant" ? answered(thread, message) : asked(thread, message);
    return [...start, ...(thread.parent === undefined ? out : out.map((body) => ({ ...body, parent: thread.parent })))];
  }

  function answered(thread: Thread, message: JsonObject): readonly Translated[] {
    const { stream, tools } = thread;
    const blocks = blocksOf(message);
    const calls = blocks.filter((block) => block["type"] === "tool_use");
    for (const call of calls) tools.set(wordOf(call["id"]) ?? "", wordOf(call["name"]) ?? "unknown");
    thread.isDone = blocks.length > 0 && calls.length === 0;
    const metrics = objectOf(message["metrics"]);
    const model = wordOf(objectOf(message["modelInfo"])?.["id"]);
    return [
      ...(model === undefined ? [] : stream.push({ type: "run_start", modelId: model })),
      ...blocks.flatMap((block) => eventsOf(block).flatMap((event) => stream.push({ type: "agent_event", event }))),
      ...(metrics === undefined ? [] : stream.push({ type: "agent_event", event: { ...metrics, type: "usage" } })),
    ];
  }

  function asked(thread: Thread, message: JsonObject): readonly Translated[] {
    thread.isDone = false;
    return blocksOf(message).flatMap((block): readonly Translated[] => {
      if (block["type"] === "tool_result") return ended(thread, block);
      const text = stringOf(block["text"]);
      if (text === undefined) return [];
      return [{ type: "message", role: "user", text: INPUT.exec(text)?.[1] ?? text, messageId: wordOf(message["id"]) }];
    });
  }

  function ended({ stream, tools }: Thread, block: JsonObject): readonly Translated[] {
    const toolCallId = wordOf(block["tool_use_id"]) ?? "";
    const content = block["content"];
    const output = (typeof content === "string" ? parseObject(content) : undefined) ?? content;
    const event = { type: "content_end", contentType: "tool", toolCallId, toolName: block["name"] ?? tools.get(toolCallId), output };
    return stream.push({ type: "agent_event", event });
  }

  function end(): readonly Translated[] {
    const all = [...threads.values()];
    const rest = all.flatMap(({ stream, parent }) => stream.end().map((body) => (parent === undefined ? body : { ...body, parent })));
    const subagents = all.flatMap(({ parent, isDone }): readonly Translated[] =>
      parent === undefined ? [] : [{ type: "subagent-end", subagentId: parent, ...(isDone && { success: true }) }],
    );
    const isDone = all.some((thread) => thread.parent === undefined && thread.isDone);
    const outcome = OUTCOMES.get(status ?? "") ?? (status === undefined && isDone ? "completed" : undefined);
    if (outcome === undefined) return [...rest, ...subagents];
    return [...rest, ...subagents, { type: "result", outcome, reason: status ?? "answered", rule: "last-record" }];
  }

  return { push, document, end };
}

/** How a session ended, by its own record. One that is `running` may have been killed. */
const OUTCOMES = new Map<string, RunStatus>([
  ["completed", "completed"],
  ["failed", "failed"],
  ["error", "failed"],
  ["cancelled", "canceled"],
  ["canceled", "canceled"],
  ["aborted", "canceled"],
]);

const SUBAGENT = /(?:^|\/)(agent_[^/]+)\.messages\.json$/;

/** What the user wrote is wrapped when it is sent. */
const INPUT = /^<user_input[^>]*>([\s\S]*)<\/user_input>$/;

function blocksOf(message: JsonObject): readonly JsonObject[] {
  const { content } = message;
  return typeof content === "string" ? [{ type: "text", text: content }] : (arrayOf(content) ?? []).filter(isObject);
}

/** A block as the stream prints it. */
function eventsOf(block: JsonObject): readonly JsonObject[] {
  switch (block["type"]) {
    case "thinking":
      return [{ type: "content_end", contentType: "reasoning", reasoning: block["thinking"] }];
    case "text":
      return [{ type: "content_end", contentType: "text", text: block["text"] }];
    case "tool_use":
      return [{ type: "content_start", contentType: "tool", toolName: block["name"], toolCallId: block["id"], input: block["input"] }];
    default:
      return [];
  }
}

function head(path: string, records: readonly JsonObject[]): SessionHead | undefined {
  const [about] = records;
  const session = wordOf(about?.["session_id"]) ?? (path.endsWith(".messages.json") ? wordOf(about?.["sessionId"]) : undefined);
  if (about === undefined || session === undefined) return undefined;
  const first = records.find((record) => record["role"] === "user");
  const text = first === undefined ? undefined : stringOf(blocksOf(first)[0]?.["text"]);
  const prompt = stringOf(about["prompt"]) ?? (text === undefined ? undefined : (INPUT.exec(text)?.[1] ?? text));
  return { session, cwd: wordOf(about["cwd"]), prompt, model: wordOf(about["model"]) };
}

export const clineStore: Store = {
  agent: cline,
  places: [{ home: ".cline/data/sessions" }],
  kind(path) {
    if (!/(^|\/)[^/]+\/[^/]+\.json$/.test(path)) return undefined;
    if (path.endsWith(".messages.json")) return "list";
    return /(^|\/)([^/]+)\/\2\.json$/.test(path) ? "document" : undefined;
  },
  mainOf(path) {
    const folder = /^(.*?)([^/]+)\/[^/]+\.messages\.json$/.exec(path);
    return folder === null ? undefined : `${folder[1]}${folder[2]}/${folder[2]}.json`;
  },
  split({ messages, ...about }) {
    return { about, records: (arrayOf(messages) ?? []).filter(isObject) };
  },
  head,
  at: (record) => numberOf(record["ts"]) ?? isoTime(record["started_at"]),
  open,
};
