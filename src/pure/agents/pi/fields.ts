// What single fields of Pi's lines say. Part of pi.ts.

import { arrayOf, firstWord, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { anyTokens, type RunStatus, type Tokens, type UsageBody } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

/** A message's own words; its parts are joined as their deltas were. */
export function textOf(message: JsonObject): string {
  const content = message["content"] ?? message["text"];
  if (typeof content === "string") return content;
  return (arrayOf(content) ?? []).map((part) => (isObject(part) && part["type"] === "text" ? (stringOf(part["text"]) ?? "") : "")).join("");
}

export function blocksOf(message: JsonObject, type: string): readonly JsonObject[] {
  return (arrayOf(message["content"]) ?? []).filter((part): part is JsonObject => isObject(part) && part["type"] === type);
}

/** What one answer of the model, or one summary, has taken; undefined where nothing was measured: failed requests tell zeros. */
export function usageOf(value: unknown): UsageBody | undefined {
  const usage = objectOf(value);
  if (usage === undefined) return undefined;
  const tokens = tokensOf(usage);
  return anyTokens(tokens) ? { type: "usage", scope: "step", tokens, costUsd: costOf(usage) } : undefined;
}

/** `input` is net; `output` includes the reasoning, which only newer versions tell apart. */
function tokensOf(usage: JsonObject): Tokens {
  const reasoning = numberOf(usage["reasoning"]) ?? null;
  const output = numberOf(usage["output"]);
  return {
    input: numberOf(usage["input"]) ?? null,
    cacheRead: numberOf(usage["cacheRead"]) ?? null,
    cacheWrite: numberOf(usage["cacheWrite"]) ?? null,
    output: output === undefined ? null : Math.max(0, output - (reasoning ?? 0)),
    reasoning,
  };
}

/** Zero for tokens that were used is what it says of a model whose price it does not know. */
function costOf(usage: JsonObject): number | undefined {
  const total = numberOf(objectOf(usage["cost"])?.["total"]);
  return total === 0 ? undefined : total;
}

const GOOD = new Set(["completed", "success", "done", "ok"]);
const BAD = new Set(["error", "failed", "failure", "cancelled", "canceled"]);

/** `isError` is the truth; specification 000 has a status or an error instead. */
export function successOf(line: JsonObject): boolean | undefined {
  const isError = line["isError"] ?? objectOf(line["result"])?.["isError"];
  if (typeof isError === "boolean") return !isError;
  const status = stringOf(line["status"])?.toLowerCase();
  if (status !== undefined && BAD.has(status)) return false;
  if (wordOf(line["error"]) !== undefined || isObject(line["error"])) return false;
  return status !== undefined && GOOD.has(status) ? true : undefined;
}

export function outputOf(result: unknown): string | undefined {
  if (typeof result === "string") return result;
  const object = objectOf(result);
  return object === undefined || object["content"] === undefined ? undefined : textOf(object);
}

/** In a field since it has `structuredContent`; before that in the last line of what a command that failed has printed. */
export function exitCodeOf(result: unknown, failure: string | undefined): number | undefined {
  const code = numberOf(objectOf(objectOf(result)?.["structuredContent"])?.["exit_code"]);
  if (code !== undefined) return code;
  const told = /(?:^|\n)Command exited with code (\d{1,10})\s*$/.exec(failure?.slice(-64) ?? "")?.[1];
  return told === undefined ? undefined : Number(told);
}

/** What Pi answers in place of a tool that an extension did not let run, where the extension gives no reason of its own. */
export function isBlocked(output: string | undefined): boolean {
  return output !== undefined && /^(Tool execution was blocked$|Extension failed, blocking execution: )/.test(output.slice(0, 256));
}

/** How a run ended, and in which word of Pi. */
export interface Ending {
  readonly outcome: RunStatus | undefined;
  readonly reason: string | undefined;
}

/** What the last answer says about the run: Pi itself ends with exit code 0 in every case. */
export function endingOf(message: JsonObject): Ending {
  const reason = wordOf(message["stopReason"]);
  switch (reason) {
    case undefined:
    case "stop":
    case "toolUse":
    case "length":
      return { outcome: "completed", reason };
    case "aborted":
      return { outcome: "canceled", reason };
    case "error":
      return { outcome: failureOf(errorOf(message)), reason };
    default:
      return { outcome: undefined, reason };
  }
}

/** "401 invalid api key", "529 {…}", "500: {…}", `{"error":{"code":429,…`, `{"error":{"type":"overloaded_error",…`. */
function failureOf(message: string): RunStatus {
  const start = message.slice(0, 4096);
  const status = /^\s*(\d{3})\b/.exec(start)?.[1] ?? /"(?:code|status)"\s*:\s*(\d{3})\b/.exec(start)?.[1];
  return apiFailure(status === undefined ? undefined : Number(status), start);
}

/** Why an answer failed; its own words where it has some. */
export function errorOf(message: JsonObject): string {
  const told = firstWord(message, ["errorMessage", "error"]) ?? wordOf(objectOf(message["error"])?.["message"]);
  return told ?? (message["stopReason"] === "aborted" ? "Request was aborted" : "The model's answer ended in an error");
}

export function retryMessage(line: JsonObject): string {
  const { attempt, maxAttempts, delayMs } = line;
  const which = typeof attempt === "number" ? ` ${attempt}${typeof maxAttempts === "number" ? `/${maxAttempts}` : ""}` : "";
  const when = typeof delayMs === "number" ? ` in ${delayMs} ms` : "";
  return `API request failed (${wordOf(line["errorMessage"]) ?? "no reason given"}); retry${which}${when}`;
}
