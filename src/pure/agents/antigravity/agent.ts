// Antigravity, as others describe `agy` 1.1.8 and later: `--output-format stream-json`. Never run here; there is no recording. Lines of a
// different shape are read like `generic`. Sources: docs/reference/agents/antigravity.md.

import {
  arrayOf,
  type FewMap,
  fewMap,
  firstWord,
  isObject,
  type JsonObject,
  nothing,
  numberOf,
  objectOf,
  resolvePath,
  stringOf,
  wordOf,
} from "../../base/index.ts";
import type { EventBody, Operation } from "../../events/index.ts";
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
import { classifier, placedClassifier } from "../../shell/index.ts";
import { logLine, plainText } from "../generic/index.ts";
import { type InputReader, listInput, readInput, searchInput, writeInput } from "../tool-input.ts";
import { deniedTool, isRefusal, messageOf, outcomeOf, tokensOf, withoutContents } from "./fields.ts";

// ── state ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface State {
  cwd: string | undefined;
  /** Kinds of the open steps: the last update of a step may have only its number. */
  readonly steps: FewMap<number, string>;
  /** Tools of the open calls. */
  readonly open: FewMap<string, string>;
  /** Subagents with an emitted start. */
  readonly subagents: Set<string>;
  /** The step of the last update, and its id. */
  index: number | undefined;
  id: string;
  /** The answer that is being collected. If it is still set at the result, it was not finished. */
  speaking: string | undefined;
  said: string;
}

// ── invocation ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The CLI's own limit of five minutes would end a run as a success. `--timeout` sets ours. */
const LONGEST_RUN = "24h";

/** The prompt goes to stdin, as one event: `-p` would make it an argument, and takes whatever comes next. */
function command(task: Task): Command {
  const args = ["--input-format", "stream-json", "--output-format", "stream-json", "--print-timeout", LONGEST_RUN];
  if (task.model !== undefined) args.push("--model", task.model);
  if (task.permissions === "full") args.push("--dangerously-skip-permissions");
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
  const stdin = `${JSON.stringify({ event: "user", message: { content: task.prompt } })}\n`;
  return { args: [...args, ...(task.extraArgs ?? [])], stdin, ignored };
}

// ── tool table ──────────────────────────────────────────────────────────────────────────────────────────────────────

const FILE = ["AbsolutePath", "TargetFile", "File", "path", "file_path"];
const DIRECTORY = ["DirectoryPath", "SearchPath", "SearchDirectory", "path"];
const COMMAND = ["CommandLine", "command", "Command"];
const WORKING_DIRECTORY = ["Cwd", "cwd"];
const QUERY = ["Query", "Pattern", "query", "pattern"];

function placeOf(input: JsonObject, keys: readonly string[]): string | undefined {
  const place = firstWord(input, keys);
  return place?.startsWith("file://") ? wordOf(place.slice("file://".length)) : place;
}

// Each reader gets only fields it knows, under its own names.
const read: InputReader = (input, cwd) =>
  readInput({ start_line: input["StartLine"], end_line: input["EndLine"] }, cwd, placeOf(input, FILE));
const write: InputReader = (input, cwd) => writeInput({}, cwd, placeOf(input, FILE));
const search: InputReader = (input, cwd) => searchInput({ query: firstWord(input, QUERY) }, cwd, placeOf(input, DIRECTORY));
const list: InputReader = (input, cwd) => listInput({}, cwd, placeOf(input, DIRECTORY));

const tools = new Map<string, InputReader>([
  ["view_file", read],
  ["view_file_outline", read],
  ["write_to_file", write],
  ["replace_file_content", write],
  ["multi_replace_file_content", write],
  ["grep_search", search],
  ["find_by_name", search],
  ["codebase_search", search],
  ["list_dir", list],
]);

const SHELL = "run_command";

// ── translation ─────────────────────────────────────────────────────────────────────────────────────────────────────

function open(run: RunContext): LineTranslator {
  const classify = classifier();
  const classifyIn = placedClassifier();
  const state: State = {
    cwd: run.cwd,
    steps: fewMap(),
    open: fewMap(),
    subagents: new Set(),
    index: undefined,
    id: "step-",
    speaking: undefined,
    said: "",
  };

  function push(line: JsonObject): readonly Translated[] {
    const out: Translated[] = [];
    if (!translate(out, line)) return [logLine(line) ?? { type: "unknown", raw: line }];
    return out.length === 0 ? consumed : out;
  }

  /** Returns false for a line of a different shape. */
  function translate(out: Translated[], line: JsonObject): boolean {
    switch (line["event"]) {
      case "init":
        return init(out, line, objectOf(line["init"]) ?? line);
      case "step_update":
        return stepUpdate(out, line);
      case "result":
        return result(out, objectOf(line["result"]) ?? line);
      case undefined:
      case null:
        return alone(out, line);
      default:
        return false;
    }
  }

  function init(out: Translated[], line: JsonObject, about: JsonObject): boolean {
    const cwd = wordOf(about["cwd"]);
    state.cwd = cwd ?? state.cwd;
    const sessionId = wordOf(line["conversation_id"]) ?? wordOf(about["conversation_id"]);
    out.push({ type: "session", sessionId, model: wordOf(about["model"]), cwd });
    return true;
  }

  // steps ─────────────────────────────────────────────────────────────────────

  function stepUpdate(out: Translated[], line: JsonObject): boolean {
    const step = objectOf(line["step_update"]);
    if (step === undefined) return false;
    const index = numberOf(step["step_index"]);
    const type = wordOf(step["step_type"]) ?? (index === undefined ? undefined : state.steps.get(index));
    const hasEnded = step["state"] === "DONE" || step["state"] === "ERROR";
    if (index !== undefined && hasEnded) state.steps.delete(index);
    else if (index !== undefined && !hasEnded && type !== undefined) state.steps.set(index, type);
    if (!byType(out, type, index, step, hasEnded))
      out.push({ type: "unknown", raw: { event: "step_update", step_update: withoutContents(step) } });
    return true;
  }

  /** Updates of one step follow each other. */
  function idOf(index: number | undefined): string {
    if (index !== state.index) {
      state.index = index;
      state.id = `step-${index ?? ""}`;
    }
    return state.id;
  }

  function byType(out: Translated[], type: string | undefined, index: number | undefined, step: JsonObject, hasEnded: boolean): boolean {
    switch (type) {
      case "agent_response":
        return answer(out, idOf(index), step, hasEnded);
      case "tool":
        return tool(out, index, step, hasEnded);
      case "subagent":
        return subagent(out, step);
      case "error_message":
        return errorMessage(out, step);
      case "user_input":
      case "system_message":
        return said(out, type === "user_input" ? "user" : "system", step);
      case "thinking":
      case "reasoning":
        return thought(out, step);
      case "finish":
        return true; // the turn is over; the result says how it went
      default:
        return false;
    }
  }

  /** The last update has the last piece, nothing, or in some builds the whole text again. */
  function answer(out: Translated[], id: string, step: JsonObject, hasEnded: boolean): boolean {
    const before = state.speaking === id ? state.said : "";
    let piece = stringOf(step["text_delta"]) ?? "";
    if (hasEnded && before !== "" && piece.startsWith(before)) piece = piece.slice(before.length);
    state.speaking = hasEnded ? undefined : id;
    state.said = before + piece;
    out.push({ type: "piece", role: "assistant", text: piece, messageId: id, live: true });
    if (!hasEnded) return true;
    out.push({ type: "pause" });
    const usage = objectOf(step["usage"]);
    const tokens = usage === undefined ? undefined : tokensOf(usage);
    if (tokens !== undefined) out.push({ type: "usage", scope: "step", tokens, covers: "main" });
    return true;
  }

  function tool(out: Translated[], index: number | undefined, step: JsonObject, hasEnded: boolean): boolean {
    const id = idOf(index);
    const info = objectOf(step["tool_info"]) ?? {};
    const known = state.open.get(id);
    const name = wordOf(step["tool_name"]) ?? wordOf(info["name"]) ?? known;
    if (index === undefined || name === undefined) return false;
    if (known === undefined) start(out, id, name, objectOf(info["parameters"]) ?? {}, step);
    else if (!hasEnded) out.push({ type: "tool-progress", callId: id });
    if (hasEnded) finish(out, id, name, info, step);
    if (hasEnded) state.open.delete(id);
    else if (known === undefined) state.open.set(id, name);
    return true;
  }

  function start(out: Translated[], callId: string, name: string, input: JsonObject, step: JsonObject): void {
    const operations = operationsOf(name, input);
    const request =
      operations[0] === undefined || operations[0].kind === "write"
        ? { event: "step_update", step_update: withoutContents(step) }
        : undefined;
    out.push({ type: "tool-start", callId, tool: name, input, operations, request });
  }

  function operationsOf(name: string, input: JsonObject): readonly Operation[] {
    if (name !== SHELL) return tools.get(name)?.(input, state.cwd) ?? nothing;
    const text = firstWord(input, COMMAND);
    if (text === undefined) return nothing;
    const given = firstWord(input, WORKING_DIRECTORY);
    const place = given === undefined ? state.cwd : resolvePath(given, state.cwd);
    return (given === undefined ? classify : classifyIn)(text, place).operations;
  }

  /** A failed command is DONE like any other; there is no exit code. */
  function finish(out: Translated[], callId: string, name: string, info: JsonObject, step: JsonObject): void {
    const error = messageOf(info["error"]) ?? messageOf(step["error"]);
    const hasFailed = step["state"] === "ERROR" || error !== undefined;
    if (error !== undefined && isRefusal(error))
      out.push({ type: "permission-decision", callId, tool: name, decision: "deny", reason: error });
    const output = stringOf(info["output"]) ?? stringOf(step["output"]) ?? error;
    out.push({ type: "tool-end", callId, success: hasFailed ? false : name === SHELL ? undefined : true, output });
  }

  /** A subagent's step is done once the subagent has started. Nothing reports its end. */
  function subagent(out: Translated[], step: JsonObject): boolean {
    const entries = (arrayOf(objectOf(step["subagent_info"])?.["subagents"]) ?? []).filter(isObject);
    const started = entries.flatMap((entry) => {
      const subagentId = wordOf(entry["conversation_id"]);
      return subagentId === undefined ? [] : [{ subagentId, name: wordOf(entry["type_name"]) ?? wordOf(entry["role"]) }];
    });
    if (step["state"] === "ERROR" || (started.length === 0 && step["state"] !== "ACTIVE")) return false;
    if (started.length === 0) out.push({ type: "tool-progress", state: "ACTIVE", message: "A subagent is being started" });
    for (const { subagentId, name } of started) {
      if (state.subagents.has(subagentId)) continue;
      state.subagents.add(subagentId);
      out.push({ type: "subagent-start", subagentId, name });
    }
    return true;
  }

  /** The CLI retries after it. If that fails too, the result gives the reason. */
  function errorMessage(out: Translated[], step: JsonObject): boolean {
    const message = messageOf(step["error"]) ?? wordOf(step["text_delta"]) ?? "The agent reported an error without a message";
    out.push({ type: "warning", message, code: "error_message" });
    return true;
  }

  function said(out: Translated[], role: "user" | "system", step: JsonObject): boolean {
    const text = wordOf(step["text_delta"]);
    if (text !== undefined) out.push({ type: "message", role, text });
    return true;
  }

  function thought(out: Translated[], step: JsonObject): boolean {
    const text = wordOf(step["text_delta"]);
    if (text !== undefined) out.push({ type: "reasoning", text });
    return true;
  }

  // result ────────────────────────────────────────────────────────────────────

  /** `--output-format json` prints only the result, which contains the answer. */
  function alone(out: Translated[], line: JsonObject): boolean {
    const text = stringOf(line["response"]);
    if (text === undefined || typeof line["status"] !== "string") return false;
    const sessionId = wordOf(line["conversation_id"]);
    if (sessionId !== undefined) out.push({ type: "session", sessionId });
    if (text !== "") out.push({ type: "message", role: "assistant", text });
    return result(out, line);
  }

  function result(out: Translated[], about: JsonObject): boolean {
    const isUnfinished = state.speaking !== undefined || state.open.size() > 0;
    for (const action of arrayOf(about["denied_actions"]) ?? []) {
      out.push({ type: "permission-decision", decision: "deny", tool: deniedTool(action) });
    }
    const usage = objectOf(about["usage"]);
    const tokens = usage === undefined ? undefined : tokensOf(usage);
    if (tokens !== undefined) out.push({ type: "usage", scope: "total", tokens, covers: "main" });
    const error = messageOf(about["error"]);
    if (error !== undefined) out.push({ type: "error", message: error });
    const seconds = numberOf(about["duration_seconds"]);
    // When its time is up, the CLI returns what it has and says success: a step is open, or nothing was measured.
    const isCut = isUnfinished || (seconds === 0 && usage !== undefined && tokens === undefined);
    const claim = outcomeOf(about["status"], error);
    const outcome = claim === "completed" && isCut ? "failed" : claim;
    const reason = claim === outcome ? wordOf(about["status"]) : "unfinished";
    const text = outcome === "completed" ? stringOf(about["response"]) : undefined;
    const durationMs = seconds === undefined ? undefined : Math.round(seconds * 1000);
    out.push({ type: "result", outcome, reason, text, durationMs, turns: numberOf(about["num_turns"]) });
    return true;
  }

  // ── end ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  return { push, end: () => nothing };
}

/** The one line of stderr that shows what the result hides. */
function text(line: string): EventBody | undefined {
  return line.startsWith("[agy] print timeout after ") ? { type: "error", message: line, code: "print_timeout" } : undefined;
}

export const antigravity: Agent = {
  id: "antigravity",
  title: "Antigravity (unverified)",
  aliases: ["agy", "google-antigravity", "antigravity-cli"],
  binaries: ["agy"],
  install: "curl -fsSL https://antigravity.google/cli/install.sh | bash",
  terminal: true,
  command,
  open,
  text: (line, stream) => (stream === "stdout" ? plainText(line) : text(line)),
};
