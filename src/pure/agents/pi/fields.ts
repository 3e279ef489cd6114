// The meaning of single fields in Pi's lines.

import { arrayOf, firstWord, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { anyTokens, type RunStatus, type Tokens, type UsageBody } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

/** A message's text. Its parts are joined like their deltas. */
export function textOf(message: JsonObject): string {
  const content = message["content"] ?? message["text"];
  if (typeof content === "string") return content;
  return (arrayOf(content) ?? []).map((part) => (isObject(part) && part["type"] === "text" ? (stringOf(part["text"]) ?? "") : "")).join("");
}

/** Content that is a string is one block of text. */
export function blocksOf(message: JsonObject): readonly JsonObject[] {
  const content = message["content"] ?? message["text"];
  return typeof content === "string" ? [{ type: "text", text: content }] : (arrayOf(content) ?? []).filter(isObject);
}

/** The usage of one answer or one summary; undefined if nothing was measured. Failed requests report zeros. */
export function usageOf(value: unknown): UsageBody | undefined {
  const usage = objectOf(value);
  if (usage === undefined) return undefined;
  const tokens = tokensOf(usage);
  return anyTokens(tokens) ? { type: "usage", scope: "step", tokens, costUsd: costOf(usage), covers: "run" } : undefined;
}

/** `input` excludes the cache; `output` includes reasoning, which only newer versions report separately. */
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

/** If Pi does not know a model's price, it reports a cost of zero. */
function costOf(usage: JsonObject): number | undefined {
  const total = numberOf(objectOf(usage["cost"])?.["total"]);
  return total === 0 ? undefined : total;
}

const GOOD = new Set(["completed", "success", "done", "ok"]);
const BAD = new Set(["error", "failed", "failure", "cancelled", "canceled"]);

/** `isError` decides; specification 000 uses a status or an error instead. */
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

/** Newer versions have it in `structuredContent`; older ones in the last line that a failed command printed. */
export function exitCodeOf(result: unknown, failure: string | undefined): number | undefined {
  const code = numberOf(objectOf(objectOf(result)?.["structuredContent"])?.["exit_code"]);
  if (code !== undefined) return code;
  const digits = /(?:^|\n)Command exited with code (\d{1,10})\s*$/.exec(failure?.slice(-64) ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Pi answers with this if an extension blocks a tool and gives no reason. */
export function isBlocked(output: string | undefined): boolean {
  return output !== undefined && /^(Tool execution was blocked$|Extension failed, blocking execution: )/.test(output.slice(0, 256));
}

/** How a run ended, and Pi's name for it. */
export interface Ending {
  readonly outcome: RunStatus | undefined;
  readonly reason: string | undefined;
}

/** What the last answer says about the run. Pi exits with 0 in every case. */
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

/** Why an answer failed. */
export function errorOf(message: JsonObject): string {
  const text = firstWord(message, ["errorMessage", "error"]) ?? wordOf(objectOf(message["error"])?.["message"]);
  return text ?? (message["stopReason"] === "aborted" ? "Request was aborted" : "The model's answer ended in an error");
}

export function retryMessage(line: JsonObject): string {
  const { attempt, maxAttempts, delayMs } = line;
  const which = typeof attempt === "number" ? ` ${attempt}${typeof maxAttempts === "number" ? `/${maxAttempts}` : ""}` : "";
  const when = typeof delayMs === "number" ? ` in ${delayMs} ms` : "";
  return `API request failed (${wordOf(line["errorMessage"]) ?? "no reason given"}); retry${which}${when}`;
}
