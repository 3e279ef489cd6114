// Goose's tool calls and subagents: the request is in an assistant message, the response in a later user message.

import {
  arrayOf,
  fewMap,
  firstWord,
  isObject,
  type JsonObject,
  nothing,
  numberOf,
  objectOf,
  resolvePath,
  stringOf,
  without,
  wordOf,
} from "../../base/index.ts";
import type { Operation, PlanItem } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { classifier } from "../../shell/index.ts";
import { commandInput, type InputReader, lineRange, listInput, readInput, searchInput, writeInput } from "../tool-input.ts";
import { isFailedAnswer, refusalOf } from "./own-text.ts";

/**
 * By name without the extension's prefix. `shell` is classified, `load_skill` is below, `delegate` and `load` become subagents,
 * others stay unknown. `text_editor`, `read`, `grep`, `glob` and `list` come from specification 000; 1.52.0 has none of them.
 */
const tools = new Map<string, InputReader>([
  ["text_editor", editorInput],
  ["read", readInput],
  ["read_image", (input, cwd) => (/^[a-z]+:\/\//i.test(stringOf(input["source"]) ?? "") ? nothing : readInput(input, cwd))],
  ["write", writeInput],
  ["edit", writeInput],
  ["grep", searchInput],
  ["glob", searchInput],
  ["list", listInput],
  ["tree", listInput],
]);

/** Tools with file text in their input, and its fields. A repeated request leaves them out. */
const PAYLOAD = new Set(["text_editor", "write", "edit"]);
const PAYLOAD_FIELDS = ["content", "before", "after", "file_text", "old_str", "new_str", "old_string", "new_string", "diff"];

const SKILL = ["name", "skill", "skill_name", "skillName"];

interface OpenCall {
  readonly tool: string;
  readonly input: JsonObject;
}

export function gooseCalls(run: RunContext) {
  const classify = classifier();
  const open = fewMap<string, OpenCall>();
  const skills = new Map<string, string>(); // name → directory, once a result has named it
  const running = new Set<string>(); // subagents that started and have not ended

  /** A call that could not be dispatched (malformed JSON, unknown tool) has neither a name nor arguments. */
  function request(out: Translated[], block: JsonObject): void {
    const callId = wordOf(block["id"]);
    const toolCall = objectOf(block["toolCall"]);
    if (callId === undefined || toolCall === undefined) {
      out.push({ type: "unknown", raw: withoutPayload(block, undefined) });
      return;
    }
    const asked = objectOf(toolCall["value"]) ?? toolCall;
    const name = wordOf(asked["name"]) ?? nameIn(stringOf(toolCall["error"]));
    const input = objectOf(asked["arguments"]) ?? {};
    const tool = name === undefined ? "unknown" : shortName(name);
    open.set(callId, { tool, input });
    const silent = isTodo(name, block) ? (true as const) : undefined;
    const operations = silent || wordOf(asked["name"]) === undefined ? nothing : operationsOf(tool, input);
    const raw = operations.length === 0 || PAYLOAD.has(tool) ? withoutPayload(block, name === undefined ? undefined : tool) : undefined;
    out.push({ type: "tool-start", callId, tool: name ?? "unknown", input: asked["arguments"] ?? null, operations, request: raw, silent });
    const plan = silent === undefined ? undefined : planOf(stringOf(input["content"]));
    if (plan !== undefined) out.push({ type: "plan", items: plan });
  }

  /** Every command starts in the working directory, so a `cd` ends with its command. */
  function operationsOf(tool: string, input: JsonObject): readonly Operation[] {
    if (tool === "load_skill" || tool === "skill") return skillOf(input);
    if (tool !== "shell") return tools.get(tool)?.(input, run.cwd) ?? nothing;
    const command = commandInput(input);
    return command === undefined ? nothing : classify(command, run.cwd).operations;
  }

  /** `name`, or `name/file` for a supporting file. Only a skill with supporting files names its directory, in the result. */
  function skillOf(input: JsonObject): readonly Operation[] {
    const name = firstWord(input, SKILL);
    const skillName = name?.split("/", 1)[0];
    if (name === undefined || !skillName) return nothing;
    const file = name.slice(skillName.length + 1) || "SKILL.md";
    const directory = skills.get(skillName) ?? `skills/${skillName}`;
    return [{ kind: "skill", path: resolvePath(`${directory}/${file}`, run.cwd), skillName }];
  }

  function result(out: Translated[], block: JsonObject): void {
    const callId = wordOf(block["id"]);
    const call = callId === undefined ? undefined : open.get(callId);
    const toolResult = objectOf(block["toolResult"]) ?? {};
    const value = objectOf(toolResult["value"]) ?? {};
    const structured = objectOf(value["structuredContent"]);
    const output = stringOf(toolResult["error"]) ?? textOf(value["content"] ?? toolResult["value"]);
    const refusal = structured === undefined ? refusalOf(output) : undefined;
    if (refusal !== undefined) out.push({ type: "permission-decision", callId, tool: call?.tool, decision: "deny", reason: refusal });
    if (callId === undefined || call === undefined) {
      out.push({ type: "unknown", raw: without(block, ["toolResult"]) });
      return;
    }
    open.delete(callId);
    const success = refusal === undefined ? successOf(toolResult, value, structured) : false;
    orchestration(out, callId, call, objectOf(value["_meta"]), success, output);
    out.push({ type: "tool-end", callId, success, exitCode: numberOf(structured?.["exit_code"]), output, operations: found(call, output) });
  }

  /** The skill's directory, if the result names it. */
  function found(call: OpenCall, output: string): readonly Operation[] | undefined {
    if (call.tool !== "load_skill" && call.tool !== "skill") return undefined;
    const name = firstWord(call.input, SKILL)?.split("/", 1)[0];
    const directory = /^Skill directory: (.+)$/m.exec(output)?.[1];
    if (name === undefined || directory === undefined) return undefined;
    skills.set(name, directory);
    return skillOf(call.input);
  }

  /** The result of `delegate` names the subagent. A background one has only started by then; `load` reports its end. */
  function orchestration(
    out: Translated[],
    callId: string,
    { tool, input }: OpenCall,
    meta: JsonObject | undefined,
    success: boolean | undefined,
    output: string,
  ): void {
    const subagentId = wordOf(meta?.["subagent_session_id"]);
    if (subagentId === undefined) return;
    const name = tool === "delegate" ? wordOf(input["source"]) : undefined;
    if (tool === "delegate" && !running.has(subagentId)) {
      running.add(subagentId);
      out.push({ type: "subagent-start", subagentId, name, callId, description: stringOf(input["instructions"]) });
    }
    const status = wordOf(meta?.["task_status"]);
    const isOver = status === undefined ? tool === "delegate" && input["async"] !== true : !/^(running|pending|started)$/.test(status);
    if (!isOver || !running.delete(subagentId)) return;
    const isGood = success !== false && (status === undefined || status === "completed") && !isFailedAnswer(output);
    out.push({ type: "subagent-end", subagentId, name, callId, success: isGood });
  }

  /**
   * Text about a running call. For a subagent it names the tool in use. For any other call it may be the tool's output, which
   * specification 000 excludes.
   */
  function notification(out: Translated[], line: JsonObject): boolean {
    const progress = objectOf(line["progress"]);
    const said = objectOf(line["log"]) ?? progress;
    if (said === undefined) return false;
    const id = wordOf(line["extension_id"]);
    const call = id === undefined ? undefined : open.get(id);
    const isShown = call === undefined || call.tool === "delegate" || call.tool === "load";
    const raw = isShown ? line : { ...line, [said === progress ? "progress" : "log"]: without(said, ["message"]) };
    const source = call?.tool === "load" ? wordOf(call.input["source"]) : undefined;
    const parent = source !== undefined && running.has(source) ? source : undefined; // a foreground subagent has no name yet
    const [done, total] = [numberOf(progress?.["progress"]), numberOf(progress?.["total"])];
    const state = done === undefined ? undefined : total === undefined ? String(done) : `${done}/${total}`;
    out.push({ type: "tool-progress", callId: call && id, message: stringOf(said["message"]), state, parent, raw });
    return true;
  }

  return { request, result, notification };
}

/** `developer__shell` → `shell`. */
function shortName(name: string): string {
  return name.slice(name.lastIndexOf("__") + (name.includes("__") ? 2 : 1));
}

/** "-32600: Tool 'no_such_tool' was not advertised for this model turn" */
function nameIn(error: string | undefined): string | undefined {
  return error === undefined ? undefined : /^(?:-?\d+: )?Tool '([^']+)'/.exec(error)?.[1];
}

/** Goose's own notes, which specification 000 drops. */
function isTodo(name: string | undefined, block: JsonObject): boolean {
  if (name === undefined) return false;
  return name.startsWith("todo__") || /^todo_(write|read)$/.test(name) || objectOf(block["_meta"])?.["goose_extension"] === "todo";
}

/** The list is Markdown. */
function planOf(content: string | undefined): readonly PlanItem[] | undefined {
  const items = content?.split("\n").flatMap((line): PlanItem[] => {
    const [, mark, text] = /^\s*[-*] \[(.)\] (.+)$/.exec(line) ?? [];
    if (mark === undefined || text === undefined) return [];
    return [{ text, status: mark === " " ? "pending" : mark === "x" || mark === "X" ? "completed" : "unknown" }];
  });
  return items?.length ? items : undefined;
}

/** Commands of `text_editor` that write. An unknown one may do anything. */
const EDITS = new Set(["write", "create", "str_replace", "insert", "undo_edit", "edit_file"]);

/** `view_range` is inclusive, and −1 means the end. */
function editorInput(input: JsonObject, cwd: string | undefined): readonly Operation[] {
  const command = stringOf(input["command"]);
  if (command === undefined) return nothing;
  if (EDITS.has(command)) return writeInput(input, cwd);
  if (command !== "view" && command !== "read") return nothing;
  const [first, last] = arrayOf(input["view_range"]) ?? [];
  const end = numberOf(last);
  const range = lineRange({ offset: first, end_line: end !== undefined && end > 0 ? end : undefined });
  return readInput(without(input, ["offset", "limit"]), cwd).map((operation) => ({ ...operation, ...range }));
}

/** `status` says only that the call was dispatched. Success is in `isError`, and for commands in the exit code. */
function successOf(toolResult: JsonObject, value: JsonObject, structured: JsonObject | undefined): boolean | undefined {
  if (toolResult["status"] === "error" || value["isError"] === true || structured?.["timed_out"] === true) return false;
  const exitCode = numberOf(structured?.["exit_code"]);
  if (exitCode !== undefined && exitCode !== 0) return false;
  return toolResult["status"] === "success" ? true : undefined;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (arrayOf(content) ?? [])
    .map((block) => {
      const text = objectOf(block);
      return stringOf(text?.["text"]) ?? stringOf(objectOf(text?.["resource"])?.["text"]) ?? `[${wordOf(text?.["type"]) ?? "?"}]`;
    })
    .join("\n");
}

/** A request without file text. If a call could not be dispatched, its result quotes the arguments. */
function withoutPayload(block: JsonObject, tool: string | undefined): JsonObject {
  const toolCall = objectOf(block["toolCall"]);
  if (toolCall === undefined) return without(block, ["toolCall"]);
  const error = stringOf(toolCall["error"]);
  if (error !== undefined) return { ...block, toolCall: { ...toolCall, error: error.split("\n", 1)[0] } };
  if (tool !== undefined && !PAYLOAD.has(tool)) return block;
  const asked = objectOf(toolCall["value"]);
  if (asked === undefined) return { ...block, toolCall: withoutText(toolCall) };
  return { ...block, toolCall: { ...toolCall, value: withoutText(asked) } };
}

function withoutText(asked: JsonObject): JsonObject {
  const input = asked["arguments"];
  return isObject(input) ? { ...asked, arguments: without(input, PAYLOAD_FIELDS) } : without(asked, ["arguments"]);
}
