// Gemini CLI's tool calls: `tool_use`, and `tool_result` once all calls of the turn are done.

import {
  arrayOf,
  fewMap,
  firstWord,
  type JsonObject,
  nothing,
  numberOf,
  objectOf,
  resolvePath,
  stringOf,
  without,
  wordOf,
} from "../../base/index.ts";
import type { Ending, Operation } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { classifier, placedClassifier } from "../../shell/index.ts";
import { commandInput, type InputReader, listInput, readInput, searchInput, skillInput, writeInput } from "../tool-input.ts";
import { isRefusal, PAYLOAD, planOf, shellEnding, successOf, withoutPayload } from "./fields.ts";

/** Field names of all versions. */
const FILE = ["file_path", "absolute_path", "path"];
const DIRECTORY = ["dir_path", "directory", "path"];

/** Older versions counted `offset` from 0. */
const read: InputReader = (input, cwd) => {
  const offset = numberOf(input["offset"]);
  const asked = offset === undefined ? input : { ...input, offset: undefined, start_line: offset + 1 };
  return readInput(asked, cwd, firstWord(input, FILE));
};

/** A glob hides which files were read, so there is no operation. */
const readMany: InputReader = (input, cwd) => {
  const paths = (arrayOf(input["include"]) ?? arrayOf(input["paths"]) ?? []).map(wordOf);
  if (!paths.every((path) => path !== undefined && !/[*?[{]/.test(path))) return nothing;
  return paths.flatMap((path) => (path === undefined ? [] : [{ kind: "read" as const, path: resolvePath(path, cwd) }]));
};

const search: InputReader = (input, cwd) => searchInput(input, cwd, firstWord(input, DIRECTORY));
const list: InputReader = (input, cwd) => listInput(input, cwd, firstWord(input, DIRECTORY));

/** Tools that are operations. `run_shell_command` is classified, agents become subagents, others stay unknown. */
const tools = new Map<string, InputReader>([
  ["read_file", read],
  ["read_many_files", readMany],
  ["write_file", writeInput],
  ["replace", writeInput],
  ["grep_search", search],
  ["search_file_content", search],
  ["glob", search],
  ["list_directory", list],
  ["activate_skill", skillInput],
]);

const SHELL = "run_shell_command";

/** Before `invoke_agent`, each subagent was its own tool. */
const AGENT_TOOLS = new Set(["codebase_investigator", "generalist", "cli_help", "browser_agent"]);

interface OpenCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly operations: readonly Operation[];
  /** The name of the subagent it starts. */
  readonly agent: string | undefined;
  /** Stderr says that the subagent failed. */
  failed?: true;
}

export function geminiCalls(run: RunContext) {
  const open = fewMap<string, OpenCall>();
  const classify = classifier();
  const classifyIn = placedClassifier();
  /** In plan mode a relative path is one of the CLI's own plans, and their directory is unknown. */
  let isPlanning = false;

  /** Returns false for a line it cannot read. */
  function request(out: Translated[], line: JsonObject): boolean {
    const callId = wordOf(line["tool_id"]);
    const tool = wordOf(line["tool_name"]);
    const input = objectOf(line["parameters"]);
    if (callId === undefined || tool === undefined || input === undefined) return false;
    const operations = operationsOf(tool, input);
    const agent = tool === "invoke_agent" ? wordOf(input["agent_name"]) : AGENT_TOOLS.has(tool) ? tool : undefined;
    open.set(callId, { tool, input, operations, agent });
    const asked = operations.length === 0 || PAYLOAD.has(tool) ? withoutPayload(line) : undefined;
    out.push({ type: "tool-start", callId, tool, input, operations, request: asked });
    if (agent !== undefined) out.push({ type: "subagent-start", subagentId: callId, name: agent, callId });
    if (tool === "write_todos") out.push({ type: "plan", items: planOf(input) });
    return true;
  }

  function operationsOf(tool: string, input: JsonObject): readonly Operation[] {
    if (tool !== SHELL) {
      const reader = tools.get(tool);
      return reader?.(input, isPlanning && reader === writeInput ? undefined : run.cwd) ?? nothing;
    }
    const text = commandInput(input);
    if (text === undefined) return nothing;
    const given = firstWord(input, DIRECTORY);
    const place = given === undefined ? run.cwd : resolvePath(given, run.cwd);
    return (given === undefined ? classify : classifyIn)(text, place).operations;
  }

  /** Returns false for a result without a request. */
  function result(out: Translated[], line: JsonObject): boolean {
    const callId = wordOf(line["tool_id"]);
    const call = callId === undefined ? undefined : open.get(callId);
    const error = objectOf(line["error"]);
    if (callId === undefined || call === undefined) {
      if (error !== undefined && isRefusal("", error)) out.push({ type: "permission-decision", callId, decision: "deny" });
      return false;
    }
    open.delete(callId);
    const output = stringOf(line["output"]);
    const status = successOf(line["status"]);
    const ending = endingOf(call, status === true && wordOf(error?.["message"]) !== undefined ? false : status, output); // the CLI itself counts only `error` as an error
    if (ending.success !== false && call.tool.endsWith("_plan_mode")) isPlanning = call.tool === "enter_plan_mode";
    if (error !== undefined && ending.success === false && isRefusal(call.tool, error)) {
      out.push({ type: "permission-decision", callId, tool: call.tool, decision: "deny", reason: stringOf(error["message"]) });
    }
    if (call.agent !== undefined) out.push({ type: "subagent-end", subagentId: callId, name: call.agent, callId, success: ending.success });
    const text = output ?? stringOf(error?.["message"]);
    const operations = betterOperations(call, ending.success, output);
    out.push({ type: "tool-end", callId, success: ending.success, exitCode: ending.exitCode, output: text, operations });
    return true;
  }

  /** Its result will say `success` nevertheless. Of several subagents with this name, it is unknown which one failed. */
  function subagentFailed(name: string): void {
    const running = [...open.values()].filter(({ agent, failed }) => agent === name && !failed);
    if (running[0] !== undefined && running.length === 1) running[0].failed = true;
  }

  return {
    request,
    result,
    subagentFailed,
    /** An unreadable result without contents. */
    withoutResult: (line: JsonObject) => without(line, ["output", "error"]),
  };
}

/** A command's `success` means only that it ran. A subagent's `success` does not even mean that (`full`, `subagent-401`). */
function endingOf(call: OpenCall, success: boolean | undefined, output: string | undefined): Ending {
  if (success !== true) return { success };
  if (call.agent !== undefined) return { success: call.failed ? false : undefined };
  return call.tool === SHELL ? shellEnding(output, commandInput(call.input) ?? "") : { success };
}

/** The result names a skill's directory, and the lines it read of a long file. */
function betterOperations(call: OpenCall, success: boolean | undefined, output: string | undefined): readonly Operation[] | undefined {
  const operation = call.operations[0];
  if (success !== true || output === undefined || operation === undefined) return undefined;
  if (operation.kind === "skill") {
    const directory = /Resources loaded from `([^`\n]+)`/.exec(output)?.[1];
    return directory === undefined ? undefined : [{ ...operation, path: `${directory}/SKILL.md` }];
  }
  if (operation.kind !== "read" || call.tool !== "read_file") return undefined;
  const lines = /^Read lines (\d+)-(\d+) of \d+ from /.exec(output);
  return lines === null ? undefined : [{ ...operation, startLine: Number(lines[1]), endLine: Number(lines[2]) }];
}
