// Pi's tool calls: the request is in `tool_execution_start`, the result in `tool_execution_end`.

import { fewMap, firstWord, type JsonObject, nothing, objectOf, without, wordOf } from "../../base/index.ts";
import type { Operation } from "../../events/index.ts";
import type { Translated } from "../../pipeline/index.ts";
import { classifier } from "../../shell/index.ts";
import { commandInput, type InputReader, listInput, readInput, searchInput, writeInput } from "../tool-input.ts";
import { exitCodeOf, isBlocked, outputOf, successOf } from "./fields.ts";

/** `find` and `ls` are the current names; `search`, `glob` and `list` come from specification 000. Names match in lower case. */
const tools = new Map<string, InputReader>([
  ["read", readInput],
  ["write", writeInput],
  ["edit", writeInput],
  ["search", searchInput],
  ["grep", searchInput],
  ["glob", searchInput],
  ["find", searchInput],
  ["list", listInput],
  ["ls", listInput],
]);

/** PowerShell has its own grammar, so its commands stay commands. */
const SHELLS = new Set(["bash", "shell", "powershell"]);

/** Tools with file text in their input, and its fields. A repeated request leaves them out. */
const PAYLOAD = new Set(["write", "edit"]);
const PAYLOAD_FIELDS = ["content", "edits", "oldText", "newText"];

/** Fields of a call's line that hold its result. */
const RESULT_FIELDS = ["result", "partialResult", "output", "content", "details", "error"];

const INPUT = ["args", "input", "arguments"];
const NAME = ["toolName", "tool", "name"];
const ID = ["toolCallId", "tool_call_id", "callId", "id"];

interface OpenCall {
  readonly isShell: boolean;
  /** Whether its operations are known. */
  readonly isExplained: boolean;
}

export function piCalls() {
  const open = fewMap<string, OpenCall>();
  const classify = classifier();
  let nameless = 0;

  /** Returns false for a line that names no call or no tool. */
  function start(out: Translated[], line: JsonObject, cwd: string | undefined): boolean {
    const callId = firstWord(line, ID);
    const tool = firstWord(line, NAME);
    if (callId === undefined || tool === undefined) return false;
    begin(out, line, callId, tool, cwd);
    return true;
  }

  function begin(out: Translated[], line: JsonObject, callId: string, tool: string, cwd: string | undefined): void {
    const operations = operationsOf(tool, line, cwd);
    open.set(callId, { isShell: SHELLS.has(tool.toLowerCase()), isExplained: operations.length > 0 });
    const request = operations.length === 0 || PAYLOAD.has(tool.toLowerCase()) ? requestOf(line, tool) : undefined;
    out.push({ type: "tool-start", callId, tool, input: inputOf(line) ?? null, operations, request });
  }

  /** An end without a start still counts if the line contains the request: specification 000 knows no other form. */
  function end(out: Translated[], line: JsonObject, cwd: string | undefined): boolean {
    const tool = firstWord(line, NAME);
    const known = firstWord(line, ID);
    if (known !== undefined && open.has(known)) {
      finish(out, known, line, line["result"] ?? line["output"], tool === undefined ? nothing : operationsOf(tool, line, cwd));
      return true;
    }
    if (tool === undefined || objectOf(inputOf(line)) === undefined) {
      refuse(out, known, successOf(line), outputOf(line["result"] ?? line["output"]));
      return false;
    }
    const callId = known ?? `call-${++nameless}`;
    begin(out, line, callId, tool, cwd);
    finish(out, callId, line, line["result"] ?? line["output"], nothing);
    return true;
  }

  /** The conversation repeats the result. It matters only if the line that ends the call was lost. */
  function restated(out: Translated[], message: JsonObject): void {
    const callId = firstWord(message, ID);
    if (callId !== undefined && open.has(callId)) finish(out, callId, message, message, nothing);
  }

  function finish(out: Translated[], callId: string, line: JsonObject, result: unknown, late: readonly Operation[]): void {
    const call = open.get(callId);
    open.delete(callId);
    const output = outputOf(result);
    const success = successOf(line);
    refuse(out, callId, success, output);
    const exitCode = exitCodeOf(result, call?.isShell === true && success === false ? output : undefined);
    const operations = call?.isExplained === true || late.length === 0 ? undefined : late;
    out.push({ type: "tool-end", callId, success, exitCode, output, operations });
  }

  /** Emits a denial even if the call is unknown. */
  function refuse(out: Translated[], callId: string | undefined, success: boolean | undefined, output: string | undefined): void {
    if (success === false && isBlocked(output)) out.push({ type: "permission-decision", callId, decision: "deny" });
  }

  function operationsOf(tool: string, line: JsonObject, cwd: string | undefined): readonly Operation[] {
    const input = objectOf(inputOf(line));
    if (input === undefined) return nothing;
    const name = tool.toLowerCase();
    const command = commandInput(input);
    if (SHELLS.has(name)) {
      if (command === undefined) return nothing;
      return name === "powershell" ? [{ kind: "command", command }] : classify(command, cwd).operations;
    }
    return tools.get(name)?.(withPlainPath(input), cwd) ?? nothing;
  }

  function progress(out: Translated[], line: JsonObject): boolean {
    out.push({ type: "tool-progress", callId: firstWord(line, ID) });
    return true;
  }

  return { start, end, progress, restated };
}

function inputOf(line: JsonObject): unknown {
  return line[INPUT.find((key) => line[key] !== undefined) ?? ""];
}

/** Pi drops an `@` before a path, which its models copy from its own prompts. */
function withPlainPath(input: JsonObject): JsonObject {
  const path = wordOf(input["path"]);
  return path === undefined || path.length === 1 || !path.startsWith("@") ? input : { ...input, path: path.slice(1) };
}

/** The request without its result and without file text. */
function requestOf(line: JsonObject, tool: string): JsonObject {
  const asked = withoutResult(line);
  if (!PAYLOAD.has(tool.toLowerCase())) return asked;
  const key = INPUT.find((name) => asked[name] !== undefined);
  const input = key === undefined ? undefined : objectOf(asked[key]);
  return key === undefined || input === undefined ? asked : { ...asked, [key]: without(input, PAYLOAD_FIELDS) };
}

export function withoutResult(line: JsonObject): JsonObject {
  return without(line, RESULT_FIELDS);
}
