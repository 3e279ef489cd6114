// Claude Code's tool calls: the request is in an `assistant` line, the result in a later `user` line.

import { fewMap, isObject, type JsonObject, nothing, objectOf, resolvePath, without, wordOf } from "../../base/index.ts";
import type { BodyOf, Operation } from "../../events/index.ts";
import type { Agent, RunContext, Translated } from "../../pipeline/index.ts";
import { classifier } from "../../shell/index.ts";
import { commandInput, type InputReader, lineRange, listInput, readInput, searchInput, writeInput } from "../tool-input.ts";
import { exitCodeOf, planOf, successOf, textOf } from "./fields.ts";
import { claudeSkills } from "./skills.ts";
import type { claudeTasks } from "./tasks.ts";

/**
 * Tools that are one operation. `Bash` is classified, skills.ts reads `Skill`, task lines report `Agent` and `Task`, and other
 * tools stay unknown.
 */
const tools = new Map<string, InputReader>([
  ["Read", readInput],
  ["Write", writeInput],
  ["Edit", writeInput],
  ["MultiEdit", writeInput],
  ["NotebookEdit", writeInput],
  ["Grep", searchInput],
  ["Glob", searchInput],
  ["LS", listInput],
]);

/** The CLI prints this when a `cd` left the directories it may work in. */
const RESET = "Shell cwd was reset to ";

/** Tools with file text in their input, and its fields. A repeated request leaves them out. */
const PAYLOAD = new Set(["Write", "Edit", "MultiEdit", "NotebookEdit"]);

export const withheld: Agent["withheld"] = [
  { says: /^(<tool_use_error>)?(Error: )?No such tool available: /, tools: [...PAYLOAD, "Bash"] },
];
const PAYLOAD_FIELDS = ["content", "old_string", "new_string", "edits", "new_source"];

interface Classified {
  readonly operations: readonly Operation[];
  readonly directory?: string | null;
}

interface OpenCall {
  readonly tool: string;
  /** The shell's directory if this call succeeds; null if unknown. */
  readonly directory?: string | null;
}

export function claudeCalls(run: RunContext, tasks: ReturnType<typeof claudeTasks>) {
  const open = fewMap<string, OpenCall>();
  const classify = classifier();
  const places = new Map<string, string | undefined>(); // a subagent's directory, by the call that started it
  const skills = claudeSkills(run);
  let workspace = run.cwd; // skills are found here, wherever the shell is
  let here = run.cwd; // the shell's directory, which all tools share; undefined if unknown

  /** `thread` is the call that started the requesting subagent; undefined for the main thread. */
  function request(out: Translated[], block: JsonObject, thread: string | undefined, parent: string | undefined): void {
    const callId = wordOf(block["id"]);
    const tool = wordOf(block["name"]);
    const input = block["input"];
    if (callId === undefined || tool === undefined || !isObject(input)) {
      out.push({ type: "unknown", raw: withoutPayload(block), parent });
      return;
    }
    const place = thread === undefined ? here : places.get(thread);
    const { operations, directory } = operationsOf(callId, tool, input, place);
    open.set(callId, { tool, directory: thread === undefined ? directory : undefined });
    if (tool === "Agent" || tool === "Task") places.set(callId, input["isolation"] === undefined ? place : undefined);
    const asked = operations.length === 0 || PAYLOAD.has(tool) ? withoutPayload(block) : undefined;
    const silent = tool === "StructuredOutput" ? (true as const) : undefined; // the final answer, delivered as a call
    out.push({ type: "tool-start", callId, tool, input, operations, request: asked, silent, parent });
    if (tool === "TodoWrite") out.push({ type: "plan", items: planOf(input), parent });
  }

  function operationsOf(callId: string, tool: string, input: JsonObject, place: string | undefined): Classified {
    if (tool === "Skill") return { operations: skills.request(callId, input, workspace) };
    if (tool !== "Bash") return { operations: tools.get(tool)?.(input, place) ?? nothing };
    const text = commandInput(input);
    if (text === undefined) return { operations: nothing };
    const { operations, directory } = classify(text, place);
    return input["run_in_background"] === true ? { operations } : { operations, directory }; // a background command does not move the shell
  }

  /** `detail` is the line's `tool_use_result`: facts that the CLI does not show the model. */
  function result(out: Translated[], block: JsonObject, detail: unknown, parent: string | undefined): void {
    const callId = wordOf(block["tool_use_id"]);
    const call = callId === undefined ? undefined : open.get(callId);
    if (callId === undefined || call === undefined) {
      stray(out, block, callId, detail, parent);
      return;
    }
    open.delete(callId);
    const output = textOf(block["content"]);
    const success = successOf(block, detail, output);
    const exitCode = call.tool === "Bash" && success === false ? exitCodeOf(output) : undefined;
    move(call, success, output, objectOf(detail));
    if (call.tool === "Agent" || call.tool === "Task") out.push(...tasks.fromResult(callId, objectOf(detail), success));
    const end: BodyOf<"tool-end"> = { type: "tool-end", callId, success, exitCode, output, parent };
    if (call.tool === "Skill") skills.result(out, { ...end, from: [run.here] });
    else out.push(end);
  }

  /**
   * A `cd` takes effect only if its command exited with 0. A search without matches is not an error, but the shell does not keep
   * its `cd`.
   */
  function move(call: OpenCall, success: boolean | undefined, output: string, detail: JsonObject | undefined): void {
    if (call.directory !== undefined) {
      const last = output.slice(output.lastIndexOf("\n") + 1);
      if (last.startsWith(RESET)) here = last.slice(RESET.length);
      else if (success === true && !detail?.["returnCodeInterpretation"]) here = call.directory ?? undefined;
    } else if (call.tool === "EnterWorktree") here = wordOf(detail?.["worktreePath"]) ?? here;
    else if (call.tool === "ExitWorktree") here = wordOf(detail?.["restoredCwd"]) ?? here;
  }

  /** If a read's request is missing, the returned file identifies it. Any other stray result is unknown, without its contents. */
  function stray(out: Translated[], block: JsonObject, callId: string | undefined, detail: unknown, parent: string | undefined): void {
    const file = objectOf(objectOf(detail)?.["file"]);
    const path = wordOf(file?.["filePath"]);
    if (callId === undefined || file === undefined || path === undefined) {
      out.push({ type: "unknown", raw: without(block, ["content"]), parent });
      return;
    }
    const operations = [
      { kind: "read" as const, path: resolvePath(path, here), ...lineRange({ offset: file["startLine"], limit: file["numLines"] }) },
    ];
    const output = textOf(block["content"]);
    out.push({ type: "tool-start", callId, tool: "Read", input: null, operations, rule: "read-from-result", parent });
    out.push({ type: "tool-end", callId, success: successOf(block, detail, output), output, parent });
  }

  return {
    request,
    result,
    settleSkills: (out: Translated[], line: JsonObject | undefined) => skills.settle(out, line),
    /** The workspace, from `init`. */
    workIn(directory: string): void {
      workspace ??= directory;
      here = directory;
    },
  };
}

/** A malformed call may lack the name that explains its fields; then it shows none of them. */
function withoutPayload(block: JsonObject): JsonObject {
  const input = block["input"];
  const tool = block["name"];
  if (!isObject(input) || (typeof tool === "string" && !PAYLOAD.has(tool))) return block;
  return { ...block, input: without(input, PAYLOAD_FIELDS) };
}
