// Tool calls of `native` and `rlm`.

import { type JsonObject, nothing, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { Operation } from "../../events/index.ts";
import type { Translated } from "../../pipeline/index.ts";
import { classifier } from "../../shell/index.ts";
import { patchedFiles } from "../patched-files.ts";
import { commandInput, type InputReader, listInput, readInput, searchInput, writeInput } from "../tool-input.ts";

const PATTERN = "pattern";

/** Others (task, MCP tools) have no operation. */
const tools: ReadonlyMap<string, InputReader> = new Map<string, InputReader>([
  ["read", (input, cwd) => readInput(input, cwd)],
  ["write", (input, cwd) => writeInput(input, cwd)],
  ["edit", (input, cwd) => writeInput(input, cwd)],
  ["apply_patch", (input, cwd) => patchedFiles(stringOf(input["patchText"]) ?? "", cwd)],
  ["search", (input, cwd) => searchInput(input, cwd)],
  ["list", (input, cwd) => (wordOf(input[PATTERN]) === undefined ? listInput(input, cwd) : searchInput(input, cwd))],
]);

/** Each call has one start and one end, even if it was denied and only its result appears. */
export function nativeCalls() {
  let cwd: string | undefined;
  const directories = new Map<string | undefined, string>(); // of each thread's shell, if it is not the workspace
  const classify = classifier();
  const open = new Set<string>();
  const asked = new Set<string>();

  function operationsOf(tool: string, input: JsonObject, parent: string | undefined): readonly Operation[] {
    if (tool !== "shell") return tools.get(tool)?.(input, cwd) ?? nothing;
    const command = commandInput(input);
    return command === undefined ? nothing : classify(command, directories.get(parent) ?? cwd).operations;
  }

  function begin(out: Translated[], callId: string, tool: string, input: unknown, parent: string | undefined): void {
    const operations = operationsOf(tool, objectOf(input) ?? {}, parent);
    const request = operations.length === 0 ? { name: tool, input } : undefined;
    out.push({ type: "tool-start", callId, tool, input, operations, request, parent });
  }

  return {
    /** The workspace. */
    workIn(directory: string | undefined): void {
      cwd = directory ?? cwd;
    },
    /** Returns false for a line it cannot read. */
    start(out: Translated[], line: JsonObject, parent: string | undefined): boolean {
      const [callId, tool] = [wordOf(line["id"]), wordOf(line["name"])];
      if (callId === undefined || tool === undefined) return false;
      open.add(callId);
      begin(out, callId, tool, line["input"], parent);
      const reason = wordOf(line["permission"]);
      if (asked.delete(callId)) out.push({ type: "permission-decision", callId, tool, decision: "allow", reason, parent });
      return true;
    },
    end(out: Translated[], line: JsonObject, parent: string | undefined): boolean {
      const [callId, tool] = [wordOf(line["id"]), wordOf(line["name"])];
      if (callId === undefined || tool === undefined) return false;
      const output = objectOf(line["output"]) ?? {};
      const isDenied = output["status"] === "denied";
      const reason = stringOf(output["reason"]);
      if (!open.delete(callId)) begin(out, callId, tool, line["input"], parent);
      asked.delete(callId);
      if (isDenied) out.push({ type: "permission-decision", callId, tool, decision: "deny", reason, parent });
      const result = objectOf(output["result"]);
      const exitCode = tool === "shell" ? numberOf(result?.["exitCode"]) : undefined;
      const directory = tool === "shell" ? wordOf(result?.["directory"]) : undefined;
      if (directory !== undefined) directories.set(parent, directory);
      const isBackground = result?.["background"] !== undefined; // it neither succeeded nor failed yet
      const isDone = isBackground ? undefined : "context" in output && (tool !== "shell" || exitCode === 0);
      const text = stringOf(output["context"]) ?? stringOf(output["error"]) ?? reason;
      out.push({ type: "tool-end", callId, success: isDone, exitCode, output: text, parent });
      return true;
    },
    ask(out: Translated[], line: JsonObject, parent: string | undefined): boolean {
      const [callId, tool] = [wordOf(line["toolCallId"]), wordOf(line["tool"])];
      if (callId === undefined) return false;
      asked.add(callId);
      out.push({ type: "permission-request", callId, tool, parent });
      return true;
    },
  };
}
