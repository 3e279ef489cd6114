// The meaning of single fields in Antigravity's lines.

import { isObject, type JsonObject, numberOf, objectOf, stringOf, without, wordOf } from "../../base/index.ts";
import { anyTokens, type RunStatus, type Tokens } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

const FAILED = new Set(["ERROR", "FAILURE", "FAILED", "TIMEOUT", "WAITING"]);

/** Undefined for an undocumented status: then the run has claimed nothing. */
export function outcomeOf(status: unknown, error: string | undefined): RunStatus | undefined {
  const word = stringOf(status)?.toUpperCase() ?? "";
  if (word === "SUCCESS" || word === "OK") return "completed";
  if (word === "CANCELLED" || word === "CANCELED") return "canceled";
  return FAILED.has(word) ? failureOf(error ?? "") : undefined;
}

/** "RESOURCE_EXHAUSTED (code 429): …", "Error 500, Message: …" */
function failureOf(message: string): RunStatus {
  const code = /\(code (\d{3})\)/.exec(message)?.[1];
  return apiFailure(code === undefined ? undefined : Number(code), message);
}

/** A string, or an object with a message. */
export function messageOf(error: unknown): string | undefined {
  return wordOf(error) ?? wordOf(objectOf(error)?.["message"]);
}

export function isRefusal(message: string): boolean {
  return /\b(denied permission|permission check failed|auto-denied|permission denied by)\b/i.test(message);
}

/** The name of a denied action. */
export function deniedTool(action: unknown): string | undefined {
  if (!isObject(action)) return wordOf(action);
  return wordOf(action["tool_name"]) ?? wordOf(action["display_name"]) ?? wordOf(action["action"]);
}

/**
 * No source says which counts include others, but the total shows it: cached and thinking tokens that it does not add are part of
 * input and output. Errors report only zeros: nothing was measured.
 */
export function tokensOf(usage: JsonObject): Tokens | undefined {
  const input = numberOf(usage["input_tokens"]) ?? null;
  const output = numberOf(usage["output_tokens"]) ?? null;
  const cacheRead = numberOf(usage["cache_read_tokens"]) ?? null;
  const reasoning = numberOf(usage["thinking_tokens"]) ?? null;
  const total = numberOf(usage["total_tokens"]);
  const separate = total === undefined ? undefined : total - (input ?? 0) - (output ?? 0);
  const [cached, thought] = [cacheRead ?? 0, reasoning ?? 0];
  const isCacheInside = separate === 0 || (separate === thought && separate !== cached);
  const isThoughtInside = separate === 0 || (separate === cached && separate !== cached + thought);
  const tokens = {
    input: input !== null && isCacheInside ? Math.max(0, input - cached) : input,
    cacheRead,
    cacheWrite: null,
    output: output !== null && isThoughtInside ? Math.max(0, output - thought) : output,
    reasoning,
  };
  return anyTokens(tokens) ? tokens : undefined;
}

/** Text that a tool was asked to write. The documentation says that the CLI leaves it out. */
const PAYLOAD_FIELDS = ["CodeContent", "ReplacementContent", "TargetContent", "ReplacementChunks", "CodeEdit", "content"];

/** A step without tool results and file text. */
export function withoutContents(step: JsonObject): JsonObject {
  const info = objectOf(step["tool_info"]);
  const shown = without(step, ["output", "error", "text_delta"]);
  if (info === undefined) return shown;
  const asked = without(info, ["output", "error"]);
  const input = objectOf(info["parameters"]);
  return { ...shown, tool_info: input === undefined ? asked : { ...asked, parameters: without(input, PAYLOAD_FIELDS) } };
}
