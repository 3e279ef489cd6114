// Codex's items: which are calls, what each asks for and does, and what its fields mean.

import {
  arrayOf,
  isObject,
  type JsonObject,
  nothing,
  numberOf,
  objectOf,
  resolvePath,
  shallow,
  stringOf,
  without,
  wordOf,
} from "../../base/index.ts";
import type { Operation, PlanItem, Tokens } from "../../events/index.ts";
import type { classifier } from "../../shell/index.ts";

/** A kind of item that is a call: its name, request and operations. The request never holds the result. */
export interface ItemKind {
  tool(item: JsonObject): string;
  input(item: JsonObject): unknown;
  operations(item: JsonObject, cwd: string | undefined, classify: ReturnType<typeof classifier>): readonly Operation[];
}

const noOperations = () => nothing;

export const callItems = new Map<unknown, ItemKind>([
  [
    "command_execution",
    {
      tool: () => "command_execution",
      input: (item) => ({ command: item["command"] }),
      operations: (item, cwd, classify) => {
        const text = wordOf(item["command"]);
        return text === undefined ? nothing : classify(text, cwd).operations;
      },
    },
  ],
  [
    "file_change",
    {
      tool: () => "file_change",
      input: (item) => ({ changes: item["changes"] }),
      operations: (item, cwd) => {
        const writes: Operation[] = [];
        for (const change of arrayOf(item["changes"]) ?? nothing) {
          const path = wordOf(objectOf(change)?.["path"]);
          if (path !== undefined) writes.push({ kind: "write", path: resolvePath(path, cwd) });
        }
        return writes;
      },
    },
  ],
  [
    "mcp_tool_call",
    {
      tool: (item) => [wordOf(item["server"]), wordOf(item["tool"])].filter((name) => name !== undefined).join(".") || "mcp_tool_call",
      input: (item) => item["arguments"] ?? null,
      operations: noOperations,
    },
  ],
  [
    "collab_tool_call",
    {
      tool: (item) => wordOf(item["tool"]) ?? "collab_tool_call",
      input: (item) => ({ prompt: item["prompt"] ?? null, receiver_thread_ids: item["receiver_thread_ids"] ?? [] }),
      operations: noOperations,
    },
  ],
  [
    "web_search",
    { tool: () => "web_search", input: (item) => ({ query: item["query"], action: item["action"] }), operations: noOperations },
  ],
  ["todo_list", { tool: () => "todo_list", input: (item) => ({ items: item["items"] }), operations: noOperations }],
]);

/** Fields of a completed item that are not part of the request. */
const RESULT_FIELDS = ["aggregated_output", "result", "error", "exit_code", "status", "agents_states"];

/** The request without its result. */
export function requestOf(item: JsonObject): unknown {
  return without(item, RESULT_FIELDS);
}

/** Undefined for an agent that has not ended. */
export function agentSuccess(status: unknown): boolean | undefined {
  if (status === "completed" || status === "shutdown") return true;
  if (status === "errored" || status === "failed" || status === "interrupted" || status === "not_found") return false;
  return undefined;
}

/** −1 means that the command never started, so there is no exit code. */
export function exitCodeOf(item: JsonObject): number | undefined {
  const code = numberOf(item["exit_code"]);
  return code === undefined || code < 0 ? undefined : code;
}

/** `exit_code` and `status` agree if both are present. */
export function successOf(item: JsonObject, exitCode: number | undefined): boolean | undefined {
  if (exitCode !== undefined) return exitCode === 0;
  if (item["status"] === "completed") return true;
  if (item["status"] === "failed" || item["status"] === "declined") return false;
  return undefined;
}

export function outputOf(item: JsonObject): string | undefined {
  const text = stringOf(item["aggregated_output"]);
  if (text !== undefined) return text;
  const answer =
    objectOf(item["error"]) ??
    objectOf(item["result"]) ??
    (item["type"] === "collab_tool_call" ? objectOf(item["agents_states"]) : undefined);
  return answer === undefined ? undefined : JSON.stringify(shallow(answer));
}

export function planOf(item: JsonObject): readonly PlanItem[] {
  return (arrayOf(item["items"]) ?? []).filter(isObject).map((step) => ({
    text: stringOf(step["text"]) ?? "",
    status: step["completed"] === true ? "completed" : step["completed"] === false ? "pending" : "unknown",
  }));
}

/** `input_tokens` includes the cached tokens, `output_tokens` the reasoning tokens. */
export function tokensOf(usage: JsonObject): Tokens {
  const cacheRead = numberOf(usage["cached_input_tokens"]) ?? null;
  const cacheWrite = numberOf(usage["cache_write_input_tokens"]) ?? null;
  const reasoning = numberOf(usage["reasoning_output_tokens"]) ?? null;
  const input = numberOf(usage["input_tokens"]);
  const output = numberOf(usage["output_tokens"]);
  return {
    input: input === undefined ? null : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: output === undefined ? null : Math.max(0, output - (reasoning ?? 0)),
    reasoning,
  };
}
