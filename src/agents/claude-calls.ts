// Claude Code's tool calls: the request in an `assistant` line, the result in a later `user` line. Part of claude.ts.
import type { RunContext } from "../core/agent.ts";
import type { BodyOf, EventBody } from "../core/event.ts";
import { isObject, type JsonObject, objectOf, shallow, without, wordOf } from "../core/json.ts";
import type { Operation } from "../core/operation.ts";
import { nothing } from "../core/translator.ts";
import { classifier } from "../shell/classifier.ts";
import { exitCodeOf, planOf, successOf, textOf } from "./claude-fields.ts";
import type { claudeTasks } from "./claude-tasks.ts";
import { commandInput, type InputReader, lineRange, listInput, readInput, searchInput, skillInput, writeInput } from "./tool-input.ts";

/** Tools that are one operation. `Bash` is classified, `Agent` and `Task` are told by the task lines, others stay unknown. */
const tools = new Map<string, InputReader>([
  ["Read", readInput],
  ["Write", writeInput],
  ["Edit", writeInput],
  ["MultiEdit", writeInput],
  ["NotebookEdit", writeInput],
  ["Grep", searchInput],
  ["Glob", searchInput],
  ["LS", listInput],
  ["Skill", skillInput],
]);

/** What the CLI says when a `cd` left the directories it may work in. */
const RESET = "Shell cwd was reset to ";

interface OpenCall {
  readonly tool: string;
  /** Where the shell stands once this call has succeeded; null for somewhere unknown. */
  readonly directory?: string | null;
}

export function claudeCalls(run: RunContext, tasks: ReturnType<typeof claudeTasks>) {
  const open = new Map<string, OpenCall>();
  const classify = classifier();
  let cwd = run.cwd;
  let shellCwd = run.cwd; // `cd` persists from one Bash call to the next; undefined once it cannot be told
  let skill: BodyOf<"tool-end"> | undefined; // launched; the next line tells its directory

  function request(out: EventBody[], block: JsonObject, parent: string | undefined): void {
    const callId = wordOf(block["id"]);
    const tool = wordOf(block["name"]);
    const input = block["input"];
    if (callId === undefined || tool === undefined || !isObject(input)) {
      out.push({ type: "unknown", raw: block, parent });
      return;
    }
    const { operations, directory } = operationsOf(tool, input, parent);
    open.set(callId, { tool, directory });
    const { length } = run.here;
    const asked = operations.length === 0 ? shallow(block, length) : undefined;
    const silent = tool === "StructuredOutput" ? (true as const) : undefined; // the answer itself, delivered as a call
    out.push({ type: "tool-start", callId, tool, input: shallow(input, length), operations, request: asked, silent, parent });
    if (tool === "TodoWrite") out.push({ type: "plan", items: planOf(input), parent });
  }

  function operationsOf(
    tool: string,
    input: JsonObject,
    parent: string | undefined,
  ): { operations: readonly Operation[]; directory?: string | null } {
    if (tool !== "Bash") return { operations: tools.get(tool)?.(input, cwd) ?? nothing };
    const text = commandInput(input);
    if (text === undefined) return { operations: nothing };
    // A subagent has a shell of its own, and a command in the background moves nobody's.
    if (parent !== undefined) return { operations: classify(text, cwd).operations };
    const { operations, directory } = classify(text, shellCwd);
    return input["run_in_background"] === true ? { operations } : { operations, directory };
  }

  /** `detail` is the line's `tool_use_result`: what the CLI knows beyond the text that the model gets. */
  function result(out: EventBody[], block: JsonObject, detail: unknown, parent: string | undefined): void {
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
    if (call.tool === "Bash") moveShell(call, success, output);
    if (call.tool === "Agent" || call.tool === "Task") out.push(...tasks.fromResult(callId, objectOf(detail), success));
    const end: BodyOf<"tool-end"> = { type: "tool-end", callId, success, exitCode, output, parent };
    if (call.tool === "Skill" && success === true) skill = { ...end, from: [run.here] };
    else out.push(end);
  }

  function moveShell(call: OpenCall, success: boolean | undefined, output: string): void {
    const reset = output.includes(RESET) ? /Shell cwd was reset to (\S.*)$/.exec(output)?.[1] : undefined;
    if (reset !== undefined) shellCwd = reset;
    else if (success === true && call.directory !== undefined) shellCwd = call.directory ?? undefined;
  }

  /** A read whose request we never saw is told by the file it returned; any other stray result is unknown, without contents. */
  function stray(out: EventBody[], block: JsonObject, callId: string | undefined, detail: unknown, parent: string | undefined): void {
    const file = objectOf(objectOf(detail)?.["file"]);
    const path = wordOf(file?.["filePath"]);
    if (callId === undefined || file === undefined || path === undefined) {
      out.push({ type: "unknown", raw: without(block, ["content"]), parent });
      return;
    }
    const operations = [{ kind: "read" as const, path, ...lineRange({ offset: file["startLine"], limit: file["numLines"] }) }];
    const output = textOf(block["content"]);
    out.push({ type: "tool-start", callId, tool: "Read", input: null, operations, rule: "read-from-result", parent });
    out.push({ type: "tool-end", callId, success: successOf(block, detail, output), output, parent });
  }

  /** The line after a skill's result says where the skill really is; without it, the place 000 synthesizes stays. */
  function settleSkill(out: EventBody[], line: JsonObject | undefined): void {
    if (skill === undefined) return;
    const text = line?.["isSynthetic"] === true ? textOf(objectOf(line["message"])?.["content"]) : "";
    const directory = /^Base directory for this skill: (.+)/.exec(text)?.[1];
    const found = directory && [{ kind: "skill" as const, path: `${directory}/SKILL.md`, skillName: directory.replace(/^.*\//, "") }];
    out.push(found ? { ...skill, operations: found } : skill);
    skill = undefined;
  }

  return {
    request,
    result,
    settleSkill,
    /** The workspace, as `init` tells it. */
    workIn(directory: string): void {
      cwd = shellCwd = directory;
    },
  };
}
