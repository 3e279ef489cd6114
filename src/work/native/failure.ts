import { STATUS_CODES } from "node:http";
import { errorWords, isObject, isTransientStatus, numberOf, objectOf, retryAfter, spelled, wordOf } from "../../pure/base/index.ts";

/** Why a model did not answer. */
export interface Failure {
  readonly message: string;
  readonly code: "http" | "stream" | "canceled" | "timeout" | "refusal" | "request" | "unfinished" | "empty" | "context";
  /** The HTTP status. */
  readonly status?: number;
  /** A retry may help. */
  readonly isTransient: boolean;
  /** The wait that the provider asks for. */
  readonly retryAfterMs?: number;
}

/** A longer message is the provider's whole error page. */
const LONGEST = 2000;

/** Describes what a model's client threw or reported in the middle of its stream. Never repeats `secret`. */
export function failureOf(error: unknown, secret: string | undefined): Failure {
  const { status, headers, isRetryable } = answerOf(error);
  const text = hushed(textOf(error), secret);
  if (status === undefined) return { message: text, code: "stream", isTransient: isRetryable ?? true };
  const fields = objectOf(headers) ?? {};
  const retryAfterMs = retryAfter((name) => wordOf(fields[name]), Date.now());
  const wait = retryAfterMs === undefined ? "" : ` (asks to wait ${Math.ceil(retryAfterMs / 1000)} s)`;
  const title = STATUS_CODES[status] ?? "";
  const said = text === title || text === "" ? "" : `: ${text}`;
  return {
    message: `HTTP ${status} ${title}`.trim() + said + wait,
    code: "http",
    status,
    isTransient: isTransientStatus(status) || isRetryable === true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function answerOf(error: unknown): { status?: number; headers?: unknown; isRetryable?: boolean } {
  if (!isObject(error)) return {};
  const status = numberOf(error["statusCode"]);
  const isHttp = status !== undefined && status >= 400; // an interrupted stream still has the 200 of its start
  return {
    ...(isHttp && { status, headers: error["responseHeaders"] }),
    ...(isHttp && typeof error["isRetryable"] === "boolean" && { isRetryable: error["isRetryable"] }),
  };
}

/** From an `Error`, a string, or a provider's error frame: `{message}`, `{error: {message}}`. */
function textOf(error: unknown): string {
  if (error instanceof Error) return chainOf(error);
  if (!isObject(error)) return spelled(error);
  return wordOf(error["message"]) ?? wordOf(objectOf(error["error"])?.["message"]) ?? wordOf(error["error"]) ?? spelled(error);
}

/** undici's own message is only "fetch failed" or "terminated"; the reason is in its cause. A client that read invalid data repeats all of it. */
function chainOf(error: Error, depth = 0): string {
  const own =
    error.name === "AI_TypeValidationError" || error.name === "AI_JSONParseError"
      ? NONSENSE + error.message.slice(0, 200)
      : errorWords(error);
  const { cause } = error;
  if (!(cause instanceof Error) || cause.message === "" || depth === 3 || own.includes(cause.message)) return own;
  const code = "code" in cause && typeof cause.code === "string" ? `${cause.code} ` : "";
  return `${own}: ${code}${chainOf(cause, depth + 1)}`;
}

const NONSENSE = "The model's server sent data that its protocol does not allow: ";

function hushed(text: string, secret: string | undefined): string {
  const clear = secret === undefined || secret.length < 4 ? text : text.replaceAll(secret, "…");
  return clear.length > LONGEST ? `${clear.slice(0, LONGEST)}…` : clear;
}
