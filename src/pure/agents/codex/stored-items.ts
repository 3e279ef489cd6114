// The items of a Codex session, in the shape of its stream.

import { arrayOf, isObject, type JsonObject, objectOf, parseObject, stringOf, wordOf } from "../../base/index.ts";

/** What a request of the model will become, if that is known from its name. Undefined: its item says what it was, if it has one. */
export function requestedItem(item: JsonObject, id: string): JsonObject | undefined {
  if (item["type"] === "local_shell_call")
    return { id, type: "command_execution", command: commandOf(objectOf(item["action"])?.["command"]) };
  const name = wordOf(item["name"]) ?? "";
  const input = item["type"] === "custom_tool_call" ? item["input"] : parseObject(stringOf(item["arguments"]) ?? "");
  if (name === "apply_patch") return patchItem(id, stringOf(input) ?? stringOf(objectOf(input)?.["input"]) ?? "");
  if (!SHELLS.has(name) || !isObject(input)) return undefined;
  const command = commandOf(input["cmd"] ?? input["command"]);
  const patch = PATCH.exec(command)?.[0];
  if (patch !== undefined) return patchItem(id, patch);
  return { id, type: "command_execution", command };
}

const SHELLS = new Set(["exec_command", "shell", "shell_command", "container.exec", "local_shell"]);
const PATCH = /(?<=^apply_patch\b.*)\*\*\* Begin Patch.*/s;
const PATCHED = /^\*\*\* (Add|Update|Delete) File: (.+?)\r?$/gm;

function patchItem(id: string, patch: string): JsonObject {
  const changes = Array.from(patch.matchAll(PATCHED), ([, kind = "", path = ""]) => ({ path: path.trim(), kind: kind.toLowerCase() }));
  return { id, type: "file_change", changes };
}

/** `["bash", "-lc", "ls"]` is the command `ls`. */
function commandOf(command: unknown): string {
  if (typeof command === "string") return command;
  const words = (arrayOf(command) ?? []).filter((word) => typeof word === "string");
  const [shell = "", flag = "", script] = words;
  if (words.length === 3 && script !== undefined && /^-l?c$/.test(flag) && /(^|\/)(ba|z|da)?sh$/.test(shell)) return script;
  return words.join(" ");
}

/** The command line as the stream prints it: `/bin/bash -lc 'ls -l'`. */
function lineOf(command: unknown): string {
  if (typeof command === "string") return command;
  return (arrayOf(command) ?? [])
    .filter((word) => typeof word === "string")
    .map(quoted)
    .join(" ");
}

function quoted(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return word.includes("'") ? `"${word.replace(/["$`\\]/g, "\\$&")}"` : `'${word}'`;
}

/** An item of `item_completed` as the stream prints it. Undefined for messages, which `response_item` has as well. */
export function itemOf(item: JsonObject): JsonObject | undefined {
  const id = item["id"];
  switch (item["type"]) {
    case "CommandExecution":
      return {
        id,
        type: "command_execution",
        command: lineOf(item["command"]),
        aggregated_output: item["aggregated_output"],
        exit_code: item["exit_code"],
        status: item["status"],
      };
    case "FileChange":
      return { id, type: "file_change", changes: changesOf(item["changes"]), status: item["status"] };
    case "McpToolCall":
      return { ...item, type: "mcp_tool_call" };
    case "CollabAgentToolCall":
      return { ...item, type: "collab_tool_call", agents_states: statesOf(item["agents_states"]) };
    case "WebSearch":
      return { ...item, type: "web_search" };
    case "Plan":
    case "TodoList":
      return { ...item, type: "todo_list" };
    default:
      return undefined;
  }
}

/** The stream lists them by path, and a moved file under its old one. */
function changesOf(changes: unknown): readonly JsonObject[] {
  const entries = Object.entries(objectOf(changes) ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([path, change]) => ({ path, kind: isObject(change) ? change["type"] : undefined }));
}

/** A state is a word, or an object whose only key is that word: `{"completed": "Done."}`. */
function statesOf(states: unknown): JsonObject {
  const entries = Object.entries(objectOf(states) ?? {}).map(([id, state]) => {
    const [status, message] = isObject(state) ? (Object.entries(state)[0] ?? []) : [state];
    return [id, { status, message: message ?? null }] as const;
  });
  return Object.fromEntries(entries);
}
