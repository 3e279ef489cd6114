import { type JsonObject, names, numberNamed, resolvePath, wordNamed } from "../base/index.ts";
import type { Operation } from "../events/index.ts";

/**
 * Reads a tool's input from the fields that different agent versions use. A reader returns only operations it is sure of. If the
 * field it needs is missing, it returns none and the call stays `unknown`.
 */
export type InputReader = (input: JsonObject, cwd: string | undefined) => readonly Operation[];

/** `place` overrides the path in the input. */
type PlaceReader = (input: JsonObject, cwd: string | undefined, place?: string) => readonly Operation[];

const PATH = names("path", "file_path", "filePath", "filepath", "abs_path", "absolutePath", "notebook_path", "source");
const FIRST_LINE = names("offset", "start_line", "startLine", "line");
const LAST_LINE = names("end_line", "endLine");
const LINE_COUNT = names("limit", "line_count", "lineCount", "num_lines", "numLines");
const QUERY = names("pattern", "query", "regex", "glob", "search", "searchText", "q");
const SCOPE = names("path", "dir", "directory", "cwd", "scope");
const SKILL = names("skill", "name", "skill_name", "skillName");
const COMMAND = names("command", "cmd", "script");

export const readInput: PlaceReader = (input, cwd, path = wordNamed(input, PATH)) =>
  path === undefined ? [] : [{ kind: "read", path: resolvePath(path, cwd), ...lineRange(input) }];

export const writeInput: PlaceReader = (input, cwd, path = wordNamed(input, PATH)) =>
  path === undefined ? [] : [{ kind: "write", path: resolvePath(path, cwd) }];

export const searchInput: PlaceReader = (input, cwd, path = wordNamed(input, SCOPE)) => {
  const query = wordNamed(input, QUERY);
  if (query === undefined) return [];
  return [path === undefined ? { kind: "search", query } : { kind: "search", query, path: resolvePath(path, cwd) }];
};

export const listInput: PlaceReader = (input, cwd, path = wordNamed(input, SCOPE)) => [
  path === undefined ? { kind: "list" } : { kind: "list", path: resolvePath(path, cwd) },
];

/** If the skill's directory is unknown, uses the path from specification 000: skills/<name>/SKILL.md in the workspace. */
export const skillInput: InputReader = (input, cwd) => {
  const skillName = wordNamed(input, SKILL);
  return skillName === undefined ? [] : [{ kind: "skill", path: resolvePath(`skills/${skillName}/SKILL.md`, cwd), skillName }];
};

export function commandInput(input: JsonObject): string | undefined {
  return wordNamed(input, COMMAND);
}

/** Inclusive and one-based: a first line with either a last line or a count. */
export function lineRange(input: JsonObject): { startLine?: number; endLine?: number } {
  const first = numberNamed(input, FIRST_LINE);
  const last = numberNamed(input, LAST_LINE);
  const count = numberNamed(input, LINE_COUNT);
  const startLine = first !== undefined && first > 0 ? Math.trunc(first) : count !== undefined || last !== undefined ? 1 : undefined;
  if (startLine === undefined) return {};
  const endLine = last ?? (count !== undefined && count > 0 ? startLine + count - 1 : undefined);
  return endLine === undefined ? { startLine } : { startLine, endLine };
}
