import { isObject } from "../base/index.ts";
import type { StepState } from "./step.ts";

/** Which parameter tells most, of those that tools have. */
const TELLING = [
  "command",
  "commands",
  "cmd",
  "file_path",
  "filePath",
  "pattern",
  "query",
  "path",
  "url",
  "description",
  "prompt",
  "task",
  "code",
  "patchText",
  "patch",
];

const PATCH = "*** Begin Patch";

function patchWords(patch: string): string {
  const files = [...patch.matchAll(/^\*\*\* (?:(?:Add|Delete|Update) File|Move to): (.+)$/gm)].map((match) => match[1] ?? "");
  return files.length === 0 ? patch : files.join(", ");
}

/** A value in a few words: of an object its most telling field, of a patch the files that it changes. */
export function valueWords(value: unknown): string {
  if (typeof value === "string") return value.startsWith(PATCH) ? patchWords(value) : value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(valueWords).join(" ");
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  const name = TELLING.find((key) => Object.hasOwn(value, key) && valueWords(value[key]) !== "");
  return name === undefined ? jsonWords(value) : valueWords(value[name]);
}

/** How a call ended, and what it said of it. */
export function resultWords(output: unknown): { readonly state: StepState; readonly words: string } {
  if (!isObject(output)) return { state: "ok", words: valueWords(output) };
  if (output["status"] === "denied") return { state: "denied", words: valueWords(output["reason"]) };
  if (output["error"] !== undefined) return { state: "failed", words: valueWords(output["error"]) };
  return { state: hasFailed(output["result"]) ? "failed" : "ok", words: valueWords(output["context"] ?? output["result"]) };
}

/** A command that ended badly is told as what it printed. An agent that says of it that it went well knows better than its exit code. */
function hasFailed(result: unknown): boolean {
  if (!isObject(result) || !("exitCode" in result) || result["success"] === true) return false;
  return result["exitCode"] !== 0;
}

function jsonWords(value: object): string {
  const text = JSON.stringify(value);
  return text === "{}" ? "" : text;
}
