// The meaning of single fields in OpenCode's and Kilo's lines.

import { arrayOf, firstWord, isObject, type JsonObject, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { anyTokens, type EventBody, type PlanItem, type RunStatus, type Tokens, type UsageBody } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

export interface Failure {
  readonly message: string;
  /** The CLI's name for the error. */
  readonly name: string | undefined;
  readonly outcome: RunStatus;
}

/** An error is `{name, data: {message, …}}`; Kilo also prints bare strings. Undefined if there is none. */
export function failureOf(line: JsonObject): Failure | undefined {
  const error = line["error"] ?? line["message"];
  if (typeof error === "string") return { message: error, name: undefined, outcome: outcomeOfMessage(error) };
  if (!isObject(error)) return undefined;
  const data = objectOf(error["data"]) ?? error;
  const name = firstWord(error, ["name", "_tag"]);
  const message = firstWord(data, ["message", "error"]) ?? wordOf(error["message"]) ?? name;
  if (message === undefined) return undefined;
  return { message, name, outcome: outcomeOfError(name, message, data) };
}

/** The CLI's own server says this for any internal failure, such as an unknown model. The model's API was never asked. */
const OWN_SERVER = "Unexpected server error. Check server logs";

/** Errors that blame the run, whatever their message. */
const THE_RUN = new Set(["ContextOverflowError", "ContentFilterError", "MessageOutputLengthError", "StructuredOutputError"]);

function outcomeOfError(name: string | undefined, message: string, data: JsonObject): RunStatus {
  if (name === "MessageAbortedError") return "canceled";
  if (name === "ProviderAuthError") return "infrastructure";
  if ((name !== undefined && THE_RUN.has(name)) || message.startsWith(OWN_SERVER)) return "failed";
  const status = numberOf(data["statusCode"]);
  if (name === "APIError" && status === undefined && data["isRetryable"] === true) return "infrastructure";
  return apiFailure(status, message.slice(0, 4096), wordOf(objectOf(data["metadata"])?.["code"]));
}

function outcomeOfMessage(message: string): RunStatus {
  if (/\brejected permission\b/.test(message)) return "blocked";
  if (/^Session interrupted\b/.test(message)) return "canceled";
  return apiFailure(undefined, message.slice(0, 4096));
}

/** Input and output exclude cache and reasoning. All zeros mean that the provider reported nothing. */
export function usageOf(part: JsonObject): UsageBody | undefined {
  const counts = objectOf(part["tokens"]);
  if (counts === undefined) return undefined;
  const cache = objectOf(counts["cache"]);
  const tokens: Tokens = {
    input: numberOf(counts["input"]) ?? null,
    cacheRead: numberOf(cache?.["read"]) ?? null,
    cacheWrite: numberOf(cache?.["write"]) ?? null,
    output: numberOf(counts["output"]) ?? null,
    reasoning: numberOf(counts["reasoning"]) ?? null,
  };
  return anyTokens(tokens) ? { type: "usage", scope: "step", tokens, costUsd: numberOf(part["cost"]), covers: "main" } : undefined;
}

/** `todowrite` sends the whole new list. */
export function planOf(input: JsonObject): readonly PlanItem[] {
  return (arrayOf(input["todos"]) ?? []).filter(isObject).map((todo) => {
    const status = todo["status"];
    const known = status === "pending" || status === "in_progress" || status === "completed";
    return { text: stringOf(todo["content"]) ?? "", status: known ? status : "unknown" };
  });
}

const COLOUR = /\u001b\[[0-9;]*m/g;

/** Known lines on stderr, each with a code to filter by. */
const known: readonly (readonly [RegExp, string])[] = [
  [/^timestamp=\S+ level=(?:INFO|DEBUG) /, "log"],
  [/permission requested: .*; auto-rejecting$/, "permission_rejected"],
  [/Falling back to default agent$/, "agent_fallback"],
  [/network retry limit reached/, "network_retry"],
];

/** A line of stderr without its colours. Kilo repeats `error` lines there; `echo` is the code for that. */
export function stderrLine(line: string, echo?: string): EventBody | undefined {
  const message = line.replace(COLOUR, "");
  const code = known.find(([pattern]) => pattern.test(message))?.[1] ?? (message.startsWith("Error: ") ? echo : undefined);
  if (code === undefined) return message === line ? undefined : { type: "warning", message };
  return { type: "warning", message, code };
}
