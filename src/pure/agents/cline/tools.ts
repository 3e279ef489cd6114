// Cline's tools: what a call asks for, item by item, and how each item ended.
import {
  arrayOf,
  firstWord,
  isObject,
  type JsonObject,
  nothing,
  objectOf,
  resolvePath,
  shallow,
  stringOf,
  without,
  wordOf,
} from "../../base/index.ts";
import type { Ending, Operation } from "../../events/index.ts";
import { commandInput, type InputReader, listInput, readInput, searchInput, skillInput, writeInput } from "../tool-input.ts";

/**
 * Specification 000 counts each command as one `command`, without classification. `spawn_agent`, `team_*`, web and MCP tools have
 * no operation.
 */
const tools = new Map<string, InputReader>([
  ["run_commands", commands],
  ["execute_command", commands],
  ["bash", commands],
  ["read_files", (input, cwd) => batch(input, ["files", "file_paths", "paths"], "path", readInput, cwd)],
  ["read_file", (input, cwd) => batch(input, ["files", "file_paths", "paths"], "path", readInput, cwd)],
  ["editor", writeInput],
  ["write_to_file", writeInput],
  ["replace_in_file", writeInput],
  ["new_rule", writeInput],
  ["apply_patch", patch],
  ["search_files", (input, cwd) => batch(input, ["queries"], "query", searchInput, cwd)],
  ["search_codebase", (input, cwd) => batch(input, ["queries"], "query", searchInput, cwd)],
  ["list_files", listInput],
  ["skills", skillInput],
  ["use_skill", skillInput],
]);

/** If a call's input is not an object, it is the value of the tool's only field. */
const ONLY_FIELD = new Map([
  ["run_commands", "commands"],
  ["execute_command", "commands"],
  ["bash", "commands"],
  ["read_files", "files"],
  ["read_file", "files"],
  ["search_codebase", "queries"],
  ["search_files", "queries"],
  ["apply_patch", "input"],
]);

export function operationsOf(tool: string, input: unknown, cwd: string | undefined): readonly Operation[] {
  const field = ONLY_FIELD.get(tool);
  const fields = objectOf(input) ?? (field === undefined ? undefined : { [field]: input });
  return fields === undefined ? nothing : (tools.get(tool)?.(fields, cwd) ?? nothing);
}

/** One operation per item. A field of the call, such as a scope, applies to every item without its own. */
function batch(input: JsonObject, lists: readonly string[], own: string, read: InputReader, cwd: string | undefined): readonly Operation[] {
  const items = itemsOf(input, lists);
  if (items === undefined) return read(input, cwd);
  const common = without(input, lists);
  const operations: Operation[] = [];
  for (const item of items) operations.push(...read(isObject(item) ? { ...common, ...item } : { ...common, [own]: item }, cwd));
  return operations;
}

/** A list, or a single item in its place. */
function itemsOf(input: JsonObject, lists: readonly string[]): readonly unknown[] | undefined {
  const key = lists.find((name) => input[name] !== undefined && input[name] !== null);
  return key === undefined ? undefined : (arrayOf(input[key]) ?? [input[key]]);
}

function commands(input: JsonObject): readonly Operation[] {
  const items = itemsOf(input, ["commands"]) ?? [input];
  return items.flatMap((item) => {
    const command = isObject(item) ? commandLine(item) : wordOf(item);
    if (command === undefined) return [];
    const workingDirectory = firstWord(isObject(item) ? item : input, ["cwd", "workingDirectory", "working_directory"]);
    return [{ kind: "command" as const, command, ...(workingDirectory === undefined ? {} : { workingDirectory }) }];
  });
}

/** `{command: "echo", args: ["a", "b c"]}` appears in the CLI as `echo a "b c"`. */
function commandLine(item: JsonObject): string | undefined {
  const program = commandInput(item);
  if (program === undefined) return undefined;
  const args = (arrayOf(item["args"]) ?? []).filter((arg) => typeof arg === "string");
  return [program, ...args.map((arg) => (/^[^\s"'\\]+$/.test(arg) ? arg : JSON.stringify(arg)))].join(" ");
}

const PATCH = ["input", "patch", "diff", "content", "patchText"];
const MARKER = /^\*\*\* (?:Add File|Update File|Delete File|Move to):(.+)/gm;

/** One write per file that the markers name, including the target of a move. */
function patch(input: JsonObject, cwd: string | undefined): readonly Operation[] {
  const named = [...(firstWord(input, PATCH) ?? "").matchAll(MARKER)].map((match) => match[1]?.trim() ?? "").filter((path) => path !== "");
  return [...new Set(named.map((path) => resolvePath(path, cwd)))].map((path) => ({ kind: "write", path }));
}

// ── results ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** How an item, or a call without items, ended, and its output. */
export interface Item extends Ending {
  readonly output?: string;
}

interface CallResult {
  /** Absent if the whole call has one answer. */
  readonly items?: readonly Item[];
  readonly whole: Item;
  /** The reason why the call was turned down before it ran. */
  readonly rejected?: string;
}

/**
 * Four shapes: a list of `{query, result, success, error?}`; one of these; `{error}` for a call that was turned down before it
 * ran; and anything else, which does not show success. An `error` next to the output means that it failed.
 */
export function resultOf(tool: string, event: JsonObject): CallResult {
  const output = event["output"];
  const error = wordOf(event["error"]);
  const list = arrayOf(output)?.filter(isObject);
  if (list !== undefined && list.length > 0) {
    const items = list.map(itemOf);
    if (items.length === 1 && items[0] !== undefined) return { items, whole: items[0] };
    return { items, whole: { ...together(items), output: items.map((item) => item.output ?? "").join("\n") } };
  }
  const one = objectOf(output);
  if (typeof one?.["success"] === "boolean") return { whole: itemOf(one) };
  const rejected = one !== undefined && Object.keys(one).length === 1 ? wordOf(one["error"]) : undefined;
  const text = rejected ?? stringOf(output) ?? (output === undefined || output === null ? error : JSON.stringify(shallow(output)));
  const success = error !== undefined || rejected !== undefined ? false : SKILLS.has(tool) ? isSkill(output) : endedAs(one);
  return { whole: { success, output: text }, rejected };
}

function itemOf(item: JsonObject): Item {
  const success = typeof item["success"] === "boolean" ? item["success"] : undefined;
  const error = wordOf(item["error"]);
  const code = /^Command exited with code (\d+)/.exec(error ?? "")?.[1];
  return { success, exitCode: code === undefined ? undefined : Number(code), output: wordOf(item["result"]) ?? error ?? "" };
}

/** The call succeeded if every item did. It has an exit code if all items share one. */
function together(items: readonly Item[]): Ending {
  const [first] = items;
  if (first !== undefined && items.every((item) => endedAlike(item, first))) return { success: first.success, exitCode: first.exitCode };
  return { success: items.some(({ success }) => success === false) ? false : undefined };
}

export function endedAlike(a: Ending, b: Ending | undefined): boolean {
  return a.success === b?.success && a.exitCode === b?.exitCode;
}

const SKILLS = new Set(["skills", "use_skill"]);
const NO_SKILL = /^(?:Skill "|No skills are currently available|Missing skill name)/;

/** A skill is answered in the CLI's own tags; a missing, disabled or ambiguous one with a plain sentence. */
function isSkill(output: unknown): boolean | undefined {
  if (typeof output !== "string") return undefined;
  return output.startsWith("<command-name>") ? true : NO_SKILL.test(output) ? false : undefined;
}

/** A subagent's answer says how it finished; an MCP server's, whether it failed. */
function endedAs(output: JsonObject | undefined): boolean | undefined {
  if (typeof output?.["isError"] === "boolean") return !output["isError"];
  const reason = wordOf(output?.["finishReason"]);
  return reason === undefined ? undefined : reason === "completed";
}
