import { arrayOf, type JsonObject, objectOf, shellLine, spelled, stringOf } from "../base/index.ts";
import type { Operation } from "../events/index.ts";
import { classifier, placedClassifier } from "../shell/index.ts";
import { effectOf, shortName } from "./acp/index.ts";
import { patchedFiles } from "./patched-files.ts";
import { commandInput } from "./tool-input.ts";

/** A call before it runs, as far as its tool and input show. */
export interface PlannedCall {
  readonly operations: readonly Operation[];
  readonly command?: string;
}

/** What a call of any agent would do. Agents that share a tool name mean the same tool. */
export function plannedCall(tool: string, input: JsonObject, cwd: string | undefined): PlannedCall {
  const name = shortName(tool);
  const patch = name === "apply_patch" ? patchIn(input) : undefined;
  if (patch !== undefined) return { operations: patchedFiles(patch, cwd) };
  const known = { callId: "", tool: name, kind: undefined, title: undefined, input, locations: [], written: [] };
  const shell = { classify: classifier(), classifyIn: placedClassifier() };
  const { operations } = effectOf({ ...known, explanation: undefined, metadata: {}, output: undefined }, cwd, shell);
  const command = commandInput(input) ?? listedCommand(input);
  return { operations, ...(command !== undefined && { command }) };
}

/** `["bash", "-lc", "rm x"]`, as one line. */
function listedCommand(input: JsonObject): string | undefined {
  const parts = arrayOf(input["command"] ?? input["cmd"]);
  return parts === undefined ? undefined : shellLine(parts.map(spelled));
}

/** Codex calls the patch `command`, our agent and OpenCode `patchText`. */
function patchIn(input: JsonObject): string | undefined {
  return stringOf(input["command"]) ?? stringOf(input["patchText"]) ?? stringOf(input["input"]);
}

const TEXTS = ["content", "new_string", "new_str", "newString", "new", "new_source", "file_text"];

/** The lines that a call would add to files, as far as its input shows. */
export function addedLines(tool: string, input: unknown): readonly string[] {
  const given = objectOf(input) ?? {};
  const patch = shortName(tool) === "apply_patch" ? patchIn(given) : undefined;
  if (patch !== undefined) return patch.split("\n").flatMap((line) => (line.startsWith("+") ? [line.slice(1)] : []));
  const parts = [given, ...(arrayOf(given["edits"]) ?? []).map((each) => objectOf(each) ?? {})];
  return parts.flatMap((part) => TEXTS.flatMap((name) => stringOf(part[name])?.split("\n") ?? []));
}
