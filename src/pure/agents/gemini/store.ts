// The sessions of Gemini CLI, seen in 0.61.0: `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, and a folder of files for its
// subagents. A message is written again, complete, when its calls have ended. Evidence: docs/reference/agents/gemini.md.

import { arrayOf, isObject, type JsonObject, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { addTokens, noTokens, type Tokens } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { isoTime, type SessionHead, type Store, type StoreTranslator } from "../store.ts";
import { gemini } from "./agent.ts";
import { messageTokens } from "./fields.ts";

interface Message {
  text: string;
  thoughts: number;
  /** The calls that were reported. */
  readonly calls: Set<string>;
  tokens: Tokens;
}

interface Thread {
  readonly stream: ReturnType<typeof gemini.open>;
  readonly parent: string | undefined;
  readonly messages: Map<string, Message>;
}

function open(run: RunContext): StoreTranslator {
  const threads = new Map<string, Thread>();
  const callers = new Map<string, string>(); // the call that started each subagent
  let main: string | undefined;
  let model: string | undefined;
  let last: { readonly outcome: "completed" | "failed"; readonly reason: string } | undefined;

  function push(record: JsonObject, path: string): readonly Translated[] {
    main ??= path;
    const thread = threads.get(path) ?? { stream: gemini.open(run), parent: subagentOf(path, record), messages: new Map() };
    threads.set(path, thread);
    const found = translate(thread, record);
    return thread.parent === undefined ? found : found.map((body) => ({ ...body, parent: thread.parent }));
  }

  function subagentOf(path: string, header: JsonObject): string | undefined {
    if (path === main) return undefined;
    const id = wordOf(header["sessionId"]) ?? path;
    return callers.get(id) ?? id;
  }

  function translate(thread: Thread, record: JsonObject): readonly Translated[] {
    const set = objectOf(record["$set"]);
    if (set !== undefined) return (arrayOf(set["messages"]) ?? []).filter(isObject).flatMap((message) => translate(thread, message));
    if (record["$rewindTo"] !== undefined) return [{ type: "notice", kind: "rewind", message: wordOf(record["$rewindTo"]) }];
    const all = arrayOf(record["messages"]); // a session of an older version is one document
    const header = wordOf(record["sessionId"]) === undefined ? [] : session(thread, record);
    if (all !== undefined) return [...header, ...all.filter(isObject).flatMap((message) => translate(thread, message))];
    switch (record["type"]) {
      case "user":
        return user(thread, record);
      case "gemini":
        return answer(thread, record);
      case "error":
        if (thread.parent === undefined) last = { outcome: "failed", reason: "error" };
        return thread.stream.push({ type: "error", severity: "error", message: textOf(record["content"]) });
      case "warning":
      case "info":
        return thread.stream.push({ type: "error", severity: record["type"], message: textOf(record["content"]) });
      default:
        return header.length > 0 || record["type"] === undefined ? header : [{ type: "unknown", raw: { type: record["type"] } }];
    }
  }

  function session(thread: Thread, header: JsonObject): readonly Translated[] {
    return thread.parent === undefined ? [{ type: "session", sessionId: wordOf(header["sessionId"]) }] : [];
  }

  /** Results of calls are in the message that asked for them. */
  function user(thread: Thread, record: JsonObject): readonly Translated[] {
    const id = wordOf(record["id"]) ?? "";
    const text = textOf(record["content"]);
    if (text === "" || thread.messages.has(id) || CONTEXT.test(text)) return [];
    thread.messages.set(id, { text, thoughts: 0, calls: new Set(), tokens: noTokens });
    if (thread.parent === undefined) last = undefined;
    return [{ type: "message", role: "user", text }];
  }

  function answer(thread: Thread, record: JsonObject): readonly Translated[] {
    const id = wordOf(record["id"]) ?? "";
    const known = thread.messages.get(id) ?? { text: "", thoughts: 0, calls: new Set<string>(), tokens: noTokens };
    thread.messages.set(id, known);
    const thoughts = (arrayOf(record["thoughts"]) ?? []).filter(isObject);
    const text = textOf(record["content"]);
    const calls = (arrayOf(record["toolCalls"]) ?? []).filter(isObject);
    const out: Translated[] = [...named(thread, record)];
    for (const thought of thoughts.slice(known.thoughts)) out.push({ type: "reasoning", text: thoughtText(thought) });
    if (text !== known.text && text !== "") out.push({ type: "message", role: "assistant", text, messageId: id || undefined });
    for (const call of calls) out.push(...called(thread, known, call));
    known.thoughts = thoughts.length;
    known.text = text;
    known.tokens = messageTokens(objectOf(record["tokens"])) ?? known.tokens;
    if (thread.parent === undefined) last = calls.length === 0 && text !== "" ? { outcome: "completed", reason: "answered" } : undefined;
    return out;
  }

  function named(thread: Thread, record: JsonObject): readonly Translated[] {
    const answering = wordOf(record["model"]);
    if (thread.parent !== undefined || answering === undefined || answering === model) return [];
    model = answering;
    return [{ type: "session", model }];
  }

  function called(thread: Thread, message: Message, call: JsonObject): readonly Translated[] {
    const id = wordOf(call["id"]);
    if (id === undefined || message.calls.has(id)) return [];
    message.calls.add(id);
    const agent = wordOf(call["agentId"]);
    if (agent !== undefined) callers.set(agent, id);
    const asked = thread.stream.push({ type: "tool_use", tool_id: id, tool_name: call["name"], parameters: call["args"] });
    const status = call["status"] === "success" ? "success" : "error";
    const output = outputOf(call);
    const error = status === "error" ? { error: { type: errorType(call, output ?? ""), message: output } } : {};
    const exitCode = exitCodeOf(call);
    const ended = thread.stream.push({ type: "tool_result", tool_id: id, status, output, ...error });
    return [...asked, ...(exitCode === undefined ? ended : ended.map((body) => withExit(body, exitCode)))];
  }

  function end(): readonly Translated[] {
    const messages = [...threads.values()].flatMap((thread) => [...thread.messages.values()]);
    const tokens = messages.reduce((sum, message) => addTokens(sum, message.tokens), noTokens);
    return [
      { type: "usage", scope: "total", tokens, covers: "run", incomplete: true }, // requests outside the conversation, such as those that choose a model, are not kept
      ...(last === undefined ? [] : [{ type: "result", ...last, rule: "last-record" } as const]),
    ];
  }

  return { push, document: push, end };
}

const CONTEXT = /^<session_context>|^This is the Gemini CLI\. We are setting up the context/;

function thoughtText(thought: JsonObject): string {
  return [wordOf(thought["subject"]), wordOf(thought["description"])].filter((part) => part !== undefined).join("\n");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (arrayOf(content) ?? [])
    .map((part) => (isObject(part) ? (stringOf(part["text"]) ?? "") : typeof part === "string" ? part : ""))
    .join("");
}

/** What the user saw, which is what the stream prints, or what the model got. */
function outputOf(call: JsonObject): string | undefined {
  return stringOf(call["resultDisplay"]) ?? answerOf(call);
}

function answerOf(call: JsonObject): string | undefined {
  const parts = (arrayOf(call["result"]) ?? []).map((part) => objectOf(objectOf(objectOf(part)?.["functionResponse"])?.["response"]));
  const texts = parts
    .map((response) => stringOf(response?.["output"]) ?? stringOf(response?.["error"]))
    .filter((text) => text !== undefined);
  return texts.length > 0 ? texts.join("\n") : undefined;
}

/** The model is always given the exit code; the user only sometimes. */
function exitCodeOf(call: JsonObject): number | undefined {
  const code = call["name"] === "run_shell_command" ? /^Exit Code: (\d+)$/m.exec(answerOf(call) ?? "")?.[1] : undefined;
  return code === undefined ? undefined : Number(code);
}

/** The stream names the kind of an error; a session has only its text. */
function errorType(call: JsonObject, output: string): string {
  return output.startsWith(`Tool "${wordOf(call["name"])}" not found`) ? "tool_not_registered" : (wordOf(call["status"]) ?? "error");
}

function withExit(body: Translated, exitCode: number): Translated {
  return body.type === "tool-end" ? { ...body, exitCode, success: exitCode === 0 } : body;
}

function head(_path: string, records: readonly JsonObject[]): SessionHead | undefined {
  const header = records.find((record) => wordOf(record["sessionId"]) !== undefined);
  const session = wordOf(header?.["sessionId"]);
  if (header === undefined || session === undefined) return undefined;
  const all = [...records, ...(arrayOf(header["messages"]) ?? []).filter(isObject)];
  const asked = all.find(
    (record) => record["type"] === "user" && textOf(record["content"]) !== "" && !CONTEXT.test(textOf(record["content"])),
  );
  const answered = all.find((record) => record["type"] === "gemini");
  const context = records.flatMap((record) => arrayOf(objectOf(record["$set"])?.["messages"]) ?? []).filter(isObject);
  const listed = wordOf((arrayOf(header["directories"]) ?? [])[0]);
  const cwd = listed ?? context.map((message) => WORKSPACE.exec(textOf(message["content"]))?.[1]).find((path) => path !== undefined);
  const parent = header["kind"] === "subagent" ? /(?:^|\/)chats\/([^/]+)\/[^/]+$/.exec(_path)?.[1] : undefined;
  return { session, parent, cwd, prompt: asked === undefined ? undefined : textOf(asked["content"]), model: wordOf(answered?.["model"]) };
}

const WORKSPACE = /^ *- \*\*Workspace Directories:\*\*\s*\n\s*- (.+)$/m;

export const geminiStore: Store = {
  agent: gemini,
  places: [{ home: ".gemini/tmp", moved: [["GEMINI_CLI_HOME", ".gemini/tmp"]] }],
  kind(path) {
    if (!/(^|\/)chats\//.test(path)) return undefined;
    return path.endsWith(".jsonl") ? "lines" : /\/session-[^/]+\.json$/.test(path) ? "document" : undefined;
  },
  head,
  at: (record) => isoTime(record["timestamp"]) ?? isoTime(record["startTime"]) ?? isoTime(objectOf(record["$set"])?.["lastUpdated"]),
  open,
};
