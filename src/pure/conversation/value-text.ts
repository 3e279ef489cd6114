import { isObject } from "../base/index.ts";
import type { StepState } from "./step.ts";

/** The parameters of tools, the most informative first. */
const INFORMATIVE = [
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

function patchFiles(patch: string): string {
  const files = [...patch.matchAll(/^\*\*\* (?:(?:Add|Delete|Update) File|Move to): (.+)$/gm)].map((match) => match[1] ?? "");
  return files.length === 0 ? patch : files.join(", ");
}

/** A short text for a value: an object's most informative field, or the files that a patch changes. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value.startsWith(PATCH) ? patchFiles(value) : value;
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(valueText).join(" ");
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  const name = INFORMATIVE.find((key) => Object.hasOwn(value, key) && valueText(value[key]) !== "");
  return name === undefined ? jsonText(value) : valueText(value[name]);
}

/** How a call ended, and its result as a short text. */
export function resultText(output: unknown): { readonly state: StepState; readonly text: string } {
  if (!isObject(output)) return { state: "ok", text: valueText(output) };
  if (output["status"] === "denied") return { state: "denied", text: valueText(output["reason"]) };
  if (output["error"] !== undefined) return { state: "failed", text: valueText(output["error"]) };
  return { state: hasFailed(output["result"]) ? "failed" : "ok", text: valueText(output["context"] ?? output["result"]) };
}

/** A failed command's result is its output, so only its exit code shows the failure. A success reported by the agent outweighs it. */
function hasFailed(result: unknown): boolean {
  if (!isObject(result) || !("exitCode" in result) || result["success"] === true) return false;
  return result["exitCode"] !== 0;
}

function jsonText(value: object): string {
  const text = JSON.stringify(value);
  return text === "{}" ? "" : text;
}
