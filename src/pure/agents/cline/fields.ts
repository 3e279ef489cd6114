// The meaning of single fields in Cline's records: outcome, errors, notices, stderr lines.

import { isObject, type JsonObject, numberOf, objectOf, parseObject, stringOf, wordOf } from "../../base/index.ts";
import type { EventBody, RunStatus } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

/** Keys that hold tool results, file text or a whole conversation. */
const CONTENTS = new Set(["output", "update", "result", "accumulated", "chunk", "media", "messages", "new_text", "old_text", "stack"]);

/** An unreadable record without its contents. */
export function withoutContents(value: unknown, depth = 6): unknown {
  if (Array.isArray(value)) return depth === 0 ? [] : value.map((item) => withoutContents(item, depth - 1));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) {
    if (!CONTENTS.has(key)) copy[key] = depth === 0 && typeof value[key] === "object" ? null : withoutContents(value[key], depth - 1);
  }
  return copy;
}

// ── errors and ends ─────────────────────────────────────────────────────────────────────────────────────────────────

/** `error` is an object with a message, or the message itself. */
export function messageOf(record: JsonObject): string | undefined {
  const error = record["error"];
  return wordOf(objectOf(error)?.["message"]) ?? wordOf(error) ?? wordOf(record["message"]);
}

const HTTP_STATUS = /(?<![\w.,-])(4[0-4]\d|5[0-3]\d)(?![\w,-]|\.\d)/;

/** A rejected request fails immediately. After a longer silence Cline has retried it (429 and 5xx: 62 s, seen in 3.0.65). */
const PATIENCE_MS = 30_000;

/** Whether a request took so long that only the provider can be to blame. */
export function hasWaited(asked: string | undefined, now: string | undefined): boolean {
  return asked !== undefined && now !== undefined && Date.parse(now) - Date.parse(asked) >= PATIENCE_MS;
}

/**
 * The HTTP status appears only in the provider's text, if at all. `errorClass` shows that a provider was involved; its only
 * values are `auth`, `context_window_exceeded` and `unknown`. A request that waited in vain counts as HTTP 408.
 */
export function failureOf(errorClass: string | undefined, message: string, waited = false): RunStatus {
  if (errorClass === undefined) return apiFailure(undefined, message);
  if (errorClass === "auth") return apiFailure(401);
  const status = HTTP_STATUS.exec(message)?.[1] ?? (waited ? 408 : undefined);
  return apiFailure(status === undefined ? undefined : Number(status), errorClass, message);
}

/** The CLI answers a tool call with this if no one could approve it, or if its mode or settings forbid it. */
const REFUSED = /requires approval|rejected by the user|NOT a tool or system failure|is disabled by policy|blocked in plan mode/;

export function isRefusal(error: string): boolean {
  return REFUSED.test(error);
}

// ── notices ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A retried request is a warning, a finished compaction is a compaction, and the rest are notices about the CLI. */
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

/** Healthy runs print this on every request, each with three stack lines. */
const NOISE = /^(Warning: AI SDK|DeprecationWarning: AI SDK)|^\s+at .*[( ](\/\$bunfs\/|native:|unknown:)/;

/** The CLI's own time limit. Its result says `aborted`, like a cancel. */
const TIMED_OUT = /^run timed out after \d+/;

/** Stderr repeats a fatal error as a JSON line. */
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
