// Gemini CLI, seen in 0.61.0: `gemini --output-format stream-json`, and the document of `--output-format json`. Evidence:
// docs/reference/agents/gemini.md.

import { arrayOf, type JsonObject, numberOf, objectOf, stringOf, without, wordOf } from "../../base/index.ts";
import type { EventBody, RecordRef } from "../../events/index.ts";
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
import { lineReader } from "../line-reader.ts";
import { geminiProviders } from "../providers.ts";
import { geminiCalls } from "./calls.ts";
import { geminiDocument, type Held, type Places } from "./document.ts";
import { diagnosticOf, documentUsageOf, failureOf, successOf, type Trouble, troubleOf, usageOf, withoutPayload } from "./fields.ts";
import { geminiVolatile } from "./volatile.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface State {
  /** The model has answered since its last input. Without an answer no run is a success. */
  answered: boolean;
  /** The reason why the run stopped, unless it continues. */
  trouble: Trouble | undefined;
  /** The last emitted error; `result` may repeat it. */
  lastError: string | undefined;
}

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The user's settings may trust a server, and its tools then run unasked. A server of this name does not exist. */
const NO_SERVER = "harness-allows-none";

/**
 * The prompt goes to stdin, which may be 8 MiB; an argument is limited to 128 KiB. In an untrusted directory nothing runs. By
 * default the CLI starts a second process, and signals reach only the first. There is no read-only mode: the tool
 * `exit_plan_mode` leaves the default mode and the plan mode without asking.
 */
function command(task: Task): Command {
  const args = ["--output-format", "stream-json", "--skip-trust"];
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.permissions === "full") args.push("--yolo");
  if (task.permissions === "read-only") args.push("--approval-mode", "default", "--allowed-mcp-server-names", NO_SERVER);
  if (task.resume !== undefined) args.push("--resume", task.resume);
  const unable = [
    "maxTurns",
    "maxBudgetUsd",
    "effort",
    "systemPrompt",
    "appendSystemPrompt",
    "commandLine",
    "allow",
    "deny",
    "mcp",
  ] as const;
  const ignored = askedFor(task, ...unable, ...(task.permissions === "read-only" ? (["permissions"] as const) : []));
  const env = { GEMINI_CLI_NO_RELAUNCH: "true" };
  const overlay = task.hook !== undefined && task.hookFolder !== undefined && { overlay: hooked(task.hook, task.hookFolder) };
  return { args: [...args, ...(task.extraArgs ?? [])], stdin: task.prompt, env, resumes: true, ignored, ...overlay };
}

/**
 * Gemini CLI takes hooks only from settings: the user's, those of a workspace, and those that root owns. A hook can change a call that
 * another one has decided, so ours is the only one before a call.
 */
function hooked(command: string, folder: string): NonNullable<Command["overlay"]> {
  const before = [{ matcher: ".*", hooks: [{ type: "command", name: "harness", command, timeout: 3_600_000 }] }];
  return {
    variable: "GEMINI_CLI_HOME",
    home: `${folder}/home`,
    folder: ".gemini",
    file: "settings.json",
    merged: (settings) => ({
      ...settings,
      hooksConfig: { ...objectOf(settings["hooksConfig"]), enabled: true, disabled: [] },
      hooks: { ...objectOf(settings["hooks"]), BeforeTool: before },
    }),
    guarded: ["hooks", "hooksConfig"],
  };
}

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator & { text(line: string): readonly Translated[] | undefined } {
  const calls = geminiCalls(run);
  const indented = geminiDocument(run);
  const state: State = { answered: false, trouble: undefined, lastError: undefined };

  /** Returns false for a line it cannot read. */
  function translate(out: Translated[], line: JsonObject): boolean {
    switch (line["type"]) {
      case "init":
        out.push({ type: "session", sessionId: wordOf(line["session_id"]), model: wordOf(line["model"]) });
        return true;
      case "message":
        return message(out, line);
      case "tool_use":
        return toolUse(out, line);
      case "tool_result":
        return toolResult(out, line);
      case "error":
        return error(out, line);
      case "result":
        return result(out, line);
      case undefined:
      case null:
        return document(out, line);
      default:
        return false;
    }
  }

  // messages ──────────────────────────────────────────────────────────────────

  /** Text deltas have no end mark; any other line ends them. */
  function message(out: Translated[], line: JsonObject): boolean {
    const text = stringOf(line["content"]);
    const role = line["role"];
    if (text === undefined || (role !== "assistant" && role !== "user")) return false;
    if (role === "user") {
      state.answered = false;
      out.push({ type: "message", role, text });
      return true;
    }
    if (text === "") return true; // an empty delta
    state.answered = true;
    state.trouble = undefined;
    out.push(line["delta"] === true ? { type: "piece", role, text, live: true } : { type: "message", role, text });
    return true;
  }

  // calls ─────────────────────────────────────────────────────────────────────

  function toolUse(out: Translated[], line: JsonObject): boolean {
    if (!calls.request(out, line)) return false;
    state.trouble = undefined;
    return true;
  }

  function toolResult(out: Translated[], line: JsonObject): boolean {
    if (!calls.result(out, line)) return false;
    state.answered = false;
    // A hook ends the run here; its result says success.
    if (objectOf(line["error"])?.["type"] === "stop_execution") state.trouble = { outcome: "blocked", reason: "stop_execution" };
    return true;
  }

  // the program about itself, and the end ─────────────────────────────────────

  /** The CLI reports even a fatal problem as a warning (`loop`, `hook-blocks-prompt`). */
  function error(out: Translated[], line: JsonObject): boolean {
    const text = stringOf(line["message"]);
    if (text === undefined) return false;
    diagnose(out, text, line["severity"] !== "warning" && line["severity"] !== "info");
    return true;
  }

  function diagnose(out: Translated[], text: string, isError: boolean): void {
    state.trouble = troubleOf(text, isError) ?? state.trouble;
    if (isError) state.lastError = text;
    out.push(diagnosticOf(text, isError));
  }

  function result(out: Translated[], line: JsonObject): boolean {
    const stats = objectOf(line["stats"]) ?? {};
    const usage = usageOf(stats);
    if (usage !== undefined) out.push(usage);
    const { outcome, reason } = claimOf(out, objectOf(line["error"]), successOf(line["status"]));
    // Zero on an error, because nothing was measured.
    out.push({ type: "result", outcome, reason, durationMs: numberOf(stats["duration_ms"]) || undefined });
    return true;
  }

  /** The whole run of `--output-format json`: its answer and its counts, none of its steps. */
  function document(out: Translated[], line: JsonObject, places?: Places): boolean {
    const response = stringOf(line["response"]);
    const stats = objectOf(line["stats"]);
    const failure = objectOf(line["error"]);
    if (response === undefined && stats === undefined && failure === undefined) return false;
    const sessionId = wordOf(line["session_id"]);
    if (sessionId !== undefined) out.push({ type: "session", sessionId, from: placeOf(places, "session_id") });
    if (response) {
      state.answered = true;
      out.push({ type: "message", role: "assistant", text: response, from: placeOf(places, "response") });
    }
    const usage = stats === undefined ? undefined : documentUsageOf(stats);
    if (usage !== undefined) out.push({ ...usage, from: placeOf(places, "stats") });
    const diagnostics: EventBody[] = [];
    for (const warning of arrayOf(line["warnings"]) ?? []) if (typeof warning === "string") diagnose(diagnostics, warning, false);
    const { outcome, reason } = claimOf(diagnostics, failure, failure === undefined);
    for (const body of diagnostics) out.push({ ...body, from: placeOf(places, body.type === "error" ? "error" : "warnings") });
    out.push({ type: "result", outcome, reason, text: outcome === "completed" ? response : undefined, from: placeOf(places, "") });
    return true;
  }

  /** The lines of a member, and the line that completed the document. */
  function placeOf(places: Places | undefined, key: string): readonly RecordRef[] | undefined {
    const lines = places?.get(key);
    return lines === undefined || lines.at(-1) === run.here ? lines : [...lines, run.here];
  }

  /** A line that is not a JSON object: part of a multi-line document, or undefined. */
  function text(line: string): readonly Translated[] | undefined {
    const held = indented.line(line);
    return held === undefined || held === "held" ? held && consumed : whole(held);
  }

  function whole({ text, value, places }: Held): readonly Translated[] {
    const out: Translated[] = [];
    if (value !== undefined && document(out, value, places)) return out;
    return [{ type: "unknown", raw: value ?? text, from: [...places.values()].flat() }];
  }

  /** The CLI says `success` even for a run that was stopped, and for one that never asked the model (`prompt-too-long`). */
  function claimOf(out: Translated[], failure: JsonObject | undefined, success: boolean | undefined): Partial<Trouble> {
    if (failure !== undefined) {
      const text = stringOf(failure["message"]) ?? "Gemini CLI reported an error without a message";
      const code = wordOf(failure["type"]);
      if (text !== state.lastError) out.push({ type: "error", message: text, code: code === "unknown" ? undefined : code });
      state.lastError = text;
      return failureOf(code, text);
    }
    if (success === undefined) return {};
    if (state.trouble !== undefined) return state.trouble;
    if (!success) return { outcome: "failed", reason: "error" };
    return state.answered ? { outcome: "completed", reason: "success" } : { outcome: "failed", reason: "no_answer" };
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  function end(): readonly Translated[] {
    const out: Translated[] = [];
    const rest = indented.rest();
    if (rest !== undefined) out.push({ type: "unknown", raw: rest.text, truncated: true, from: [...rest.places.values()].flat() });
    return out;
  }

  /** An unreadable line without contents. */
  function withoutContents(line: JsonObject): JsonObject {
    if (line["type"] === "tool_use") return withoutPayload(line);
    if (line["type"] === "message") return line["role"] === "assistant" ? line : without(line, ["content"]);
    return line["type"] === "tool_result" || "tool_id" in line ? calls.withoutResult(line) : line;
  }

  /** Only stderr says that a subagent failed: its result says `success`. */
  function learn(fact: EventBody): void {
    const name = failedSubagent(fact);
    if (name !== undefined) calls.subagentFailed(name);
  }

  return { push: lineReader(translate, withoutContents), text, end, learn };
}

const FAILED_SUBAGENT = /^Subagent '([^']*)' failed: /;

/** The name of a subagent that failed, if stderr says so. */
export function failedSubagent(fact: EventBody): string | undefined {
  return fact.type === "warning" && fact.code === "subagent_failed" ? FAILED_SUBAGENT.exec(fact.message)?.[1] : undefined;
}

/** Lines on stderr, each with a code to filter by. Those of a healthy run come first. */
const noise: readonly (readonly [RegExp, string])[] = [
  [/^Warning: (Basic terminal|256-color support|True color)/, "terminal_notice"],
  [/^YOLO mode is enabled/, "yolo_notice"],
  [/^Ripgrep is not available/, "ripgrep_fallback"],
  [/^\[STARTUP\] /, "startup_notice"],
  [/^Could not find promptId in context for /, "prompt_id_notice"], // over the protocol, before it chooses a model
  [/MaxListenersExceededWarning|^\(Use `node --trace-warnings /, "node_warning"],
  [/^Error executing tool |^\[WebFetchTool\] /, "tool_error"],
  [/^Attempt \d+ failed/, "api_retry"],
  [FAILED_SUBAGENT, "subagent_failed"],
  [/^Warning: stdin input truncated to /, "prompt_truncated"],
  [/^Error when talking to Gemini API Full report available at: /, "error_report"], // the result has the error, the report file the request
  [/^ {2,}at /, "stack_frame"],
  [/^ +\[?\w+\]?: |^ *[}\]],?$/, "error_detail"], // the rest of an error object, as Node prints it
];

/** Without credentials it does not start. Stdout is empty, and other failures may also exit with 41. */
const NO_CREDENTIALS = /^(When using (Gemini API|Vertex AI), you must specify |Please set an Auth method |Invalid auth method selected)/;

function stderrLine(line: string): EventBody | readonly EventBody[] | undefined {
  if (NO_CREDENTIALS.test(line)) {
    return [
      { type: "warning", message: line },
      { type: "result", outcome: "infrastructure", reason: "auth_required" },
    ];
  }
  const code = noise.find(([pattern]) => pattern.test(line))?.[1];
  return code === undefined ? undefined : { type: "warning", message: line, code };
}

export const gemini: Agent = {
  id: "gemini",
  title: "Gemini CLI",
  aliases: ["gemini-cli", "google-gemini"],
  binaries: ["gemini"],
  install: "npm install -g @google/gemini-cli",
  skillFolder: ".agents/skills",
  credentials: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  credentialFiles: [".gemini/oauth_creds.json", ".gemini/google_accounts.json", ".gemini/settings.json"],
  refreshedFiles: [".gemini/oauth_creds.json", ".gemini/google_accounts.json"],
  sessionFolders: [".gemini/tmp"],
  providers: geminiProviders,
  volatile: geminiVolatile,
  needs: {
    login: "Run gemini and log in, or set GEMINI_API_KEY",
    otherLogins: ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA", "GOOGLE_APPLICATION_CREDENTIALS"],
    level: true,
    sandbox: { env: { SANDBOX: "harness" } }, // its own one is a container, which no program inside can start
  },
  seen: "0.61.0",
  terminal: true,
  hook: "silent",
  command,
  open,
  text: (line, stream) => (stream === "stderr" ? stderrLine(line) : undefined),
};
