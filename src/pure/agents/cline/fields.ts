// What single fields of Cline's records mean: usage, outcome, errors, notices, lines of stderr. Part of cline.ts.

import { isObject, type JsonObject, numberOf, objectOf, parseObject, stringOf, wordOf } from "../../base/index.ts";
import { anyTokens, type EventBody, type RunStatus, type UsageBody } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

/** Keys under which its records hold what a tool returned, what a file is to hold, or a whole conversation. */
const CONTENTS = new Set(["output", "update", "result", "accumulated", "chunk", "media", "messages", "new_text", "old_text", "stack"]);

/** A record that is repeated because nobody could read it, without the contents it may hold. */
export function withoutContents(value: unknown, depth = 6): unknown {
  if (Array.isArray(value)) return depth === 0 ? [] : value.map((item) => withoutContents(item, depth - 1));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (!CONTENTS.has(key)) copy[key] = depth === 0 && typeof value[key] === "object" ? null : withoutContents(value[key], depth - 1);
  }
  return copy;
}

// ── usage ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * `inputTokens` is gross: it includes what was read from and written to the cache; output includes reasoning, which is told
 * nowhere. Nothing but zeros, as error runs have it, measured nothing; a cost of zero may be a model without a price.
 */
export function usageOf(usage: JsonObject | undefined, scope: UsageBody["scope"]): UsageBody | undefined {
  if (usage === undefined) return undefined;
  const cacheRead = numberOf(usage["cacheReadTokens"]) ?? null;
  const cacheWrite = numberOf(usage["cacheWriteTokens"]) ?? null;
  const input = numberOf(usage["inputTokens"]);
  const tokens = {
    input: input === undefined ? null : Math.max(0, input - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    cacheRead,
    cacheWrite,
    output: numberOf(usage["outputTokens"]) ?? null,
    reasoning: null,
  };
  if (!anyTokens(tokens)) return undefined;
  const costUsd = numberOf(usage[scope === "total" ? "totalCost" : "cost"]) || undefined;
  return { type: "usage", scope, tokens, costUsd };
}

// ── errors and ends ─────────────────────────────────────────────────────────────────────────────────────────────────

/** `error` is an object with a message, or the message itself. */
export function messageOf(record: JsonObject): string | undefined {
  const error = record["error"];
  return wordOf(objectOf(error)?.["message"]) ?? wordOf(error) ?? wordOf(record["message"]);
}

const HTTP_STATUS = /(?<![\w.,-])(4[0-4]\d|5[0-3]\d)(?![\w,-]|\.\d)/;

/** A request that is refused is refused at once; what it was silent about for longer it has tried again (429 and 5xx: 62 s, seen in 3.0.65). */
const PATIENCE_MS = 30_000;

/** Whether nothing came of a request for so long that only its provider can be to blame. */
export function hasWaited(asked: string | undefined, now: string | undefined): boolean {
  return asked !== undefined && now !== undefined && Date.parse(now) - Date.parse(asked) >= PATIENCE_MS;
}

/**
 * The HTTP status is told nowhere but in the provider's words, if there; `errorClass` says that there was a provider, and
 * knows only `auth`, `context_window_exceeded` and `unknown`. Who waited in vain is told as HTTP 408.
 */
export function failureOf(errorClass: string | undefined, message: string, waited = false): RunStatus {
  if (errorClass === undefined) return apiFailure(undefined, message);
  if (errorClass === "auth") return apiFailure(401);
  const status = HTTP_STATUS.exec(message)?.[1] ?? (waited ? 408 : undefined);
  return apiFailure(status === undefined ? undefined : Number(status), errorClass, message);
}

/** What the CLI answers in place of a tool that nobody was there to approve, or that its mode or its settings forbid. */
const REFUSED = /requires approval|rejected by the user|NOT a tool or system failure|is disabled by policy|blocked in plan mode/;

export function isRefusal(error: string): boolean {
  return REFUSED.test(error);
}

// ── notices ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A request that is tried again is a warning; a compaction that took place is one; all else is the CLI speaking of itself. */
export function noticeOf(event: JsonObject, parent: string | undefined): EventBody {
  const metadata = objectOf(event["metadata"]) ?? {};
  const kind = wordOf(metadata["kind"]) ?? wordOf(event["reason"]) ?? wordOf(metadata["reason"]) ?? wordOf(event["noticeType"]) ?? "notice";
  const message = stringOf(event["message"]);
  if (kind.includes("compaction") && metadata["phase"] === "completed") {
    return { type: "compaction", trigger: kind, tokensBefore: numberOf(metadata["tokensBefore"]), parent, raw: withoutContents(event) };
  }
  if (message !== undefined && (kind.endsWith("_recovery") || event["noticeType"] === "recovery")) {
    return { type: "warning", message, code: kind, parent };
  }
  return { type: "notice", kind, message, parent, raw: withoutContents(event) };
}

// ── stderr ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Printed on every request of a healthy run, with three lines of stack each. */
const NOISE = /^(Warning: AI SDK|DeprecationWarning: AI SDK)|^\s+at .*[( ](\/\$bunfs\/|native:|unknown:)/;

/** Its own limit of time, which its result calls `aborted` like a cancel. */
const TIMED_OUT = /^run timed out after \d+/;

/** A fatal error is repeated on stderr as a JSON line; what it says is its message. */
export function stderrLine(line: string): EventBody | readonly EventBody[] | undefined {
  if (NOISE.test(line)) return { type: "warning", message: line, code: "ai_sdk_warning" };
  if (!line.startsWith('{"ts":')) return undefined;
  const record = parseObject(line);
  const message = record?.["type"] === "error" ? wordOf(record["message"]) : undefined;
  if (message !== undefined && TIMED_OUT.test(message)) {
    return [
      { type: "warning", message, code: "run_timeout" },
      { type: "result", outcome: "timed_out", reason: "run_timeout" },
    ];
  }
  return message === undefined ? undefined : { type: "warning", message };
}
