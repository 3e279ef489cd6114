// Pi, seen in 0.73.1 and 1.5.0: `pi --mode json --print`. Evidence: docs/reference/agents/pi.md.

import { type JsonObject, objectOf, spelled, stringOf, without, wordOf } from "../../base/index.ts";
import {
  type Agent,
  askedFor,
  type Command,
  type LineTranslator,
  type RunContext,
  type Task,
  type Translated,
} from "../../pipeline/index.ts";
import { lineReader } from "../line-reader.ts";
import { plainProviders } from "../providers.ts";
import { piCalls, withoutResult } from "./calls.ts";
import { piCourse } from "./course.ts";
import { blocksOf, retryMessage, textOf, usageOf } from "./fields.ts";
import { piVolatile } from "./volatile.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface State {
  cwd: string | undefined;
  sessionId: string | undefined;
  model: string | undefined;
  /** The provider's id of the streaming answer, if it is known that early. */
  messageId: string | undefined;
  /** Whether the usage of this turn was emitted; `turn_end` repeats it. */
  measured: boolean;
  /** The last answer, by id and time. */
  answer: string | undefined;
}

/** No file system has longer paths. */
const LONGEST_PATH = 4096;

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Pi never asks for permission; its tools are its limits. Its own help calls this list the read-only mode. */
const READ_ONLY = "read,grep,find,ls";

/** The prompt goes to stdin: 0.73.1 accepts no argument that starts with a dash, and both versions take `@…` for a file. */
function command(task: Task): Command {
  const args = ["--mode", "json", "--print"];
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.effort !== undefined) args.push("--thinking", task.effort);
  if (task.resume !== undefined) args.push("--session", task.resume);
  if (task.permissions === "read-only") args.push("--tools", READ_ONLY);
  if (task.systemPrompt !== undefined) args.push("--system-prompt", task.systemPrompt);
  if (task.appendSystemPrompt !== undefined) args.push("--append-system-prompt", task.appendSystemPrompt);
  const ignored = askedFor(task, "maxTurns", "maxBudgetUsd", "allow", "deny", "mcp", "commandLine");
  const env = { PI_SKIP_VERSION_CHECK: "1" };
  return { args: [...args, ...(task.extraArgs ?? [])], stdin: task.prompt, env, resumes: true, ignored };
}

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const calls = piCalls();
  const course = piCourse(run);
  const state: State = { cwd: run.cwd, sessionId: undefined, model: undefined, messageId: undefined, measured: false, answer: undefined };

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], line: JsonObject): boolean {
    switch (line["type"]) {
      case "session":
        return session(out, line);
      case "agent_start":
        return course.agentStart(out);
      case "agent_end":
        return course.agentEnd(line);
      case "agent_settled":
        return course.agentSettled(out, line);
      case "turn_start":
        state.measured = false;
        return true; // a boundary without content
      case "turn_end":
        return turnEnd(out, line);
      case "message_start":
        return messageStart(out, line);
      case "message_update":
        return messageUpdate(out, line);
      case "message_end":
        return messageEnd(out, line);
      case "tool_execution_start":
        return calls.start(out, line, state.cwd);
      case "tool_execution_update":
        return calls.progress(out, line);
      case "tool_execution_end":
        return calls.end(out, line, state.cwd);
      case "auto_retry_start":
        return course.retryStart(out, line);
      case "auto_retry_end":
        return course.retryEnd(out, line);
      case "summarization_retry_scheduled":
        out.push({ type: "warning", message: retryMessage(line), code: "api_retry" });
        return true;
      case "compaction_end":
      case "auto_compaction_end": // this and `auto_compaction_start`: as in 0.58.3
        return course.compactionEnd(out, line);
      case "entry_appended":
        return entryAppended(out, line);
      case "extension_error": // this and the next: only in its RPC mode, according to its documentation
        out.push({ type: "warning", message: wordOf(line["error"]) ?? "An extension failed", code: "extension_error" });
        return true;
      case "bash_execution_update":
        out.push({ type: "tool-progress" }); // the line holds command output
        return true;
      case "compaction_start":
      case "auto_compaction_start":
      case "summarization_retry_attempt_start":
      case "summarization_retry_finished":
      case "queue_update":
      case "session_info_changed":
      case "thinking_level_changed":
        out.push({ type: "notice", kind: line["type"], message: noticeText(line), raw: line });
        return true;
      default:
        return false;
    }
  }

  function session(out: Translated[], line: JsonObject): boolean {
    const sessionId = wordOf(line["id"]) ?? wordOf(line["sessionId"]);
    const given = wordOf(line["cwd"]);
    const cwd = given !== undefined && given.length <= LONGEST_PATH ? given : undefined;
    if (sessionId === undefined && cwd === undefined) return false;
    state.sessionId = sessionId;
    state.cwd = cwd ?? state.cwd;
    out.push({ type: "session", sessionId, cwd });
    return true;
  }

  /** Used only if the answer's own line had no usage. */
  function turnEnd(out: Translated[], line: JsonObject): boolean {
    const usage = state.measured ? undefined : usageOf(line["usage"] ?? objectOf(line["message"])?.["usage"]);
    if (usage !== undefined) out.push(usage);
    return true;
  }

  /** An entry of the session file, of any content. A request outside the conversation reports its usage here. */
  function entryAppended(out: Translated[], line: JsonObject): boolean {
    const entry = objectOf(line["entry"]);
    const kind = wordOf(entry?.["type"]);
    const usage = kind === "usage" ? usageOf(entry?.["usage"]) : undefined;
    if (usage !== undefined) out.push(usage);
    const raw = { type: line["type"], entry: { type: kind, id: wordOf(entry?.["id"]) } };
    out.push({ type: "notice", kind: "entry_appended", message: kind, raw });
    return true;
  }

  // messages ──────────────────────────────────────────────────────────────────

  function messageStart(out: Translated[], line: JsonObject): boolean {
    const message = messageOf(line);
    if (message?.["role"] === "assistant") begin(out, message);
    return true; // `message_end` has the whole text
  }

  function begin(out: Translated[], message: JsonObject): void {
    state.messageId = wordOf(message["responseId"]);
    const model = wordOf(message["model"]);
    if (model === undefined || model === state.model) return;
    state.model = model;
    out.push({ type: "session", sessionId: state.sessionId, model });
  }

  /** 0.73.1 repeats the whole answer, twice, in each of these. Only the delta is read. */
  function messageUpdate(out: Translated[], line: JsonObject): boolean {
    const event = objectOf(line["assistantMessageEvent"]);
    if (event === undefined) return true;
    if (event["partial"] === undefined && line["message"] === undefined) course.willSettle(); // only deltas: 0.84.0 and later
    const text = stringOf(event["delta"]);
    if (text === undefined) return true; // starts and ends of blocks, which `message_end` has completely
    const messageId = wordOf(objectOf(event["partial"])?.["responseId"]) ?? state.messageId;
    if (event["type"] === "text_delta") out.push({ type: "text-delta", text, messageId });
    else if (event["type"] === "thinking_delta") out.push({ type: "reasoning-delta", text, messageId });
    return true;
  }

  function messageEnd(out: Translated[], line: JsonObject): boolean {
    const message = messageOf(line);
    const role = wordOf(message?.["role"]);
    if (message === undefined || role === undefined) return false;
    switch (role) {
      case "assistant":
        return assistant(out, message);
      case "user":
        out.push({ type: "message", role, text: textOf(message) });
        return true;
      case "toolResult":
        return toolResult(out, message);
      default:
        return put(out, role, message);
    }
  }

  function assistant(out: Translated[], message: JsonObject): boolean {
    const answer = answerOf(message);
    if (answer !== undefined && answer === state.answer) return true; // the same line repeated
    state.answer = answer;
    begin(out, message);
    const text = textOf(message);
    const { messageId } = state;
    const repeats = course.answered(message, text);
    for (const block of blocksOf(message)) {
      const thought = stringOf(block["thinking"]) ?? "";
      if (block["type"] === "text" && !repeats)
        out.push({ type: "piece", role: "assistant", text: stringOf(block["text"]) ?? "", messageId });
      else if (block["type"] === "thinking" && block["redacted"] === true) out.push({ type: "reasoning", text: "", redacted: true });
      else if (block["type"] === "thinking" && thought !== "") out.push({ type: "reasoning", text: thought });
    }
    if (repeats && text !== "") out.push({ type: "message", role: "assistant", text, messageId, repeats });
    out.push({ type: "pause" });
    const usage = usageOf(message["usage"]);
    if (usage !== undefined) out.push(usage);
    state.measured ||= usage !== undefined;
    if (message["stopReason"] === "length") out.push({ type: "warning", message: CUT_SHORT, code: "output_limit" });
    return true;
  }

  /** The call's output was emitted before. Only this line reports model usage of the tool itself. */
  function toolResult(out: Translated[], message: JsonObject): boolean {
    calls.restated(out, message);
    const usage = usageOf(message["usage"]);
    if (usage !== undefined) out.push(usage);
    return true;
  }

  /** Text that the program or an extension added to the conversation. `sections` holds Pi's own prompt and is dropped. */
  function put(out: Translated[], role: string, message: JsonObject): boolean {
    const text = textOf(message);
    if (role === "system") course.willSettle(); // 0.86.0 and later
    if (text !== "") out.push({ type: "message", role: "system", text });
    else if (role !== "system") out.push({ type: "notice", kind: role });
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

  return { push: lineReader(translate, withoutContents), end: course.end };
}

const CUT_SHORT = "The model reached its output limit: its answer is cut off";

function messageOf(line: JsonObject): JsonObject | undefined {
  return objectOf(line["message"]) ?? (line["role"] === undefined ? undefined : line);
}

/** Undefined for an answer without an id. */
function answerOf(message: JsonObject): string | undefined {
  const id = wordOf(message["responseId"]);
  return id === undefined ? undefined : `${id} ${spelled(message["timestamp"])}`;
}

function noticeText(line: JsonObject): string | undefined {
  return wordOf(line["reason"]) ?? wordOf(line["source"]) ?? wordOf(line["name"]) ?? wordOf(line["level"]);
}

/** An unreadable line without the fields that hold tool results. */
function withoutContents(line: JsonObject): JsonObject {
  const type = wordOf(line["type"]) ?? "";
  if (type.startsWith("tool_execution_")) return withoutResult(line);
  return type.startsWith("message_") ? without(line, ["message", "content"]) : line;
}

export const pi: Agent = {
  id: "pi",
  title: "Pi",
  aliases: ["pi-coding-agent"],
  binaries: ["pi"],
  install: "npm install -g @earendil-works/pi-coding-agent",
  skillFolder: ".agents/skills",
  credentials: ["ANTHROPIC_API_KEY", "ANTHROPIC_OAUTH_TOKEN", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  credentialFiles: [".pi/agent/auth.json", ".pi/agent/models.json", ".pi/agent/settings.json"],
  refreshedFiles: [".pi/agent/auth.json"],
  sessionFolders: [".pi/agent/sessions"],
  providers: plainProviders,
  volatile: piVolatile,
  needs: {
    login: "Run pi and log in, or set the key of a provider, such as ANTHROPIC_API_KEY",
    otherLogins: ["*_API_KEY", "*_TOKEN", "AWS_PROFILE", "GOOGLE_APPLICATION_CREDENTIALS"],
    moved: { PI_CODING_AGENT_DIR: ".pi/agent" },
  },
  seen: "1.5.0",
  terminal: true,
  withheld: [{ says: /^Tool \S+ not found$/, tools: ["write", "edit", "bash", "shell", "powershell"] }],
  command,
  open,
};
