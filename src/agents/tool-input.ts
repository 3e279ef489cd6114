import { firstNumber, firstWord, type JsonObject } from "../core/json.ts";
import type { Operation } from "../core/operation.ts";
import { resolvePath } from "../core/path.ts";

/**
 * What a tool's input says, read from the places where the agents' versions have kept it. Each reader answers with the
 * operations it is sure of; none, when the field it needs is nowhere, and the call then stays `unknown`.
 */
export type InputReader = (input: JsonObject, cwd: string | undefined) => readonly Operation[];

const PATH = ["path", "file_path", "filePath", "filepath", "abs_path", "absolutePath", "notebook_path", "source"];
const FIRST_LINE = ["offset", "start_line", "startLine", "line"];
const LAST_LINE = ["end_line", "endLine"];
const LINE_COUNT = ["limit", "line_count", "lineCount", "num_lines", "numLines"];
const QUERY = ["pattern", "query", "regex", "glob", "search", "searchText", "q"];
const SCOPE = ["path", "dir", "directory", "cwd", "scope"];
const SKILL = ["skill", "name", "skill_name", "skillName"];
const COMMAND = ["command", "cmd", "script"];

export const readInput: InputReader = (input, cwd) => {
  const path = firstWord(input, PATH);
  return path === undefined ? [] : [{ kind: "read", path: resolvePath(path, cwd), ...lineRange(input) }];
};

export const writeInput: InputReader = (input, cwd) => {
  const path = firstWord(input, PATH);
  return path === undefined ? [] : [{ kind: "write", path: resolvePath(path, cwd) }];
};

export const searchInput: InputReader = (input, cwd) => {
  const query = firstWord(input, QUERY);
  if (query === undefined) return [];
  const path = firstWord(input, SCOPE);
  return [path === undefined ? { kind: "search", query } : { kind: "search", query, path: resolvePath(path, cwd) }];
};

export const listInput: InputReader = (input, cwd) => {
  const path = firstWord(input, SCOPE);
  return [path === undefined ? { kind: "list" } : { kind: "list", path: resolvePath(path, cwd) }];
};

/** Where the skill's directory is not told, the place specification 000 synthesizes: skills/<name>/SKILL.md in the workspace. */
export const skillInput: InputReader = (input, cwd) => {
  const skillName = firstWord(input, SKILL);
  return skillName === undefined ? [] : [{ kind: "skill", path: resolvePath(`skills/${skillName}/SKILL.md`, cwd), skillName }];
};

export function commandInput(input: JsonObject): string | undefined {
  return firstWord(input, COMMAND);
}

/** Inclusive and one-based, from a first line and either a last line or a count. */
export function lineRange(input: JsonObject): { startLine?: number; endLine?: number } {
  const first = firstNumber(input, FIRST_LINE);
  const last = firstNumber(input, LAST_LINE);
  const count = firstNumber(input, LINE_COUNT);
  const startLine = first !== undefined && first > 0 ? Math.trunc(first) : count !== undefined || last !== undefined ? 1 : undefined;
  if (startLine === undefined) return {};
  const endLine = last ?? (count !== undefined && count > 0 ? startLine + count - 1 : undefined);
  return endLine === undefined ? { startLine } : { startLine, endLine };
}
