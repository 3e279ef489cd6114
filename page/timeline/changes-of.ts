import { arrayOf, isObject, type JsonObject, stringOf } from "../../src/pure/base/index.ts";

/** A change that a call requests. */
export type Change =
  | { readonly path: string | undefined; readonly before: string; readonly after: string }
  | { readonly path: string | undefined; readonly patch: string };

const PATH = ["file_path", "filePath", "path", "absolute_path", "TargetFile", "target_file"];
const BEFORE = ["old_string", "oldString", "old_str", "oldText", "old_text", "search"];
const AFTER = ["new_string", "newString", "new_str", "newText", "new_text", "replace", "new_content"];
const WHOLE = ["content", "contents", "file_text", "CodeContent", "text"];
const PATCH = ["patch", "patchText", "diff", "unified_diff", "patch_text"];

/** Reads the field names of all agents; empty if the request does not show the change. */
export function changesOf(input: unknown): readonly Change[] {
  if (typeof input === "string") return isPatch(input) ? [{ path: undefined, patch: input }] : [];
  if (!isObject(input)) return [];
  const path = first(input, PATH);
  const patch = first(input, PATCH);
  if (patch !== undefined && isPatch(patch)) return [{ path, patch }];
  const own = replacement(input, path);
  if (own !== undefined) return [own];
  for (const value of Object.values(input)) {
    const parts = (arrayOf(value) ?? []).filter(isObject).flatMap((part) => replacement(part, first(part, PATH) ?? path) ?? []);
    if (parts.length > 0) return parts;
  }
  const whole = first(input, WHOLE);
  return whole !== undefined && path !== undefined ? [{ path, before: "", after: whole }] : [];
}

function replacement(input: JsonObject, path: string | undefined): Change | undefined {
  const before = first(input, BEFORE);
  const after = first(input, AFTER);
  return before === undefined || after === undefined ? undefined : { path, before, after };
}

function first(input: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = stringOf(input[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

function isPatch(text: string): boolean {
  return /^(\*\*\* Begin Patch|diff --git |--- |@@ )/m.test(text);
}
