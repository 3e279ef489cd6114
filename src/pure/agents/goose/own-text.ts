// Texts that Goose writes itself: in place of the assistant, in notifications, and as plain text around the JSON.

import { type JsonObject, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { EventBody, RunStatus, Stream } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

/** Why a run failed, though Goose still prints `complete` and exits with 0. */
export interface Failure {
  readonly status: RunStatus;
  readonly reason: string;
}

/** Goose answers an interrupt with this, without a newline: the next JSON starts on the same line. */
export const INTERRUPTED = "Yes — what would you like me to do?";

const NO_CREDITS: Failure = { status: "infrastructure", reason: "credits_exhausted" };
const TOO_LONG: Failure = { status: "failed", reason: "context_limit" };

/** How Goose's own texts start at the end of a failed run. */
const failures: readonly (readonly [RegExp, (text: string) => Failure])[] = [
  [/^(Ran into this error|Network error)\b/, (text) => ({ status: providerFailure(text), reason: "api_error" })],
  [/^I've reached the maximum number of actions\b/, () => ({ status: "failed", reason: "max_turns" })],
  [/^The model returned an empty response\b/, () => ({ status: "failed", reason: "empty_response" })],
  [/^(Exceeded maximum|Maximum) retry attempts\b/, () => ({ status: "failed", reason: "max_retries" })],
  [/^(Unable to continue: )?Context limit\b.* exceeded\b/, () => TOO_LONG],
  [/^(Compaction failed|Failed to compact)\b/, (text) => ({ status: providerFailure(text), reason: "compaction_failed" })],
  [/^Please (check your account|add credits)\b/, () => NO_CREDITS],
];

/** The failure that one of Goose's own texts reports, if any. */
export function failureOf(text: string): Failure | undefined {
  return failures.find(([beginning]) => beginning.test(text))?.[1](text);
}

/** Whether an unknown text that is certainly Goose's own starts by reporting a failure. */
export function soundsFailed(text: string): boolean {
  return /^[A-Z][^\n{}"]{0,80}\b(error|failed|failure|unable to|exceeded|denied)\b/i.test(text);
}

/** "Status: 401 Unauthorized", "Server error (500 Internal Server Error)", "Bad request (400): …" */
export function providerFailure(text: string): RunStatus {
  const code = /\((\d{3})[ )]/.exec(text)?.[1];
  return apiFailure(code === undefined ? undefined : Number(code), text);
}

/** A failed subagent returns as a success whose whole answer is the failure; `load` puts a heading before it. */
const FAILED_ANSWER =
  /(^|\n## Output\n\n)(Ran into this error: [\s\S]*\n\nPlease retry if you think|Network error: [\s\S]*\n\nPlease resend your) [^\n]*$/;

export function isFailedAnswer(text: string): boolean {
  return FAILED_ANSWER.test(text);
}

/** Results of calls that were denied. Results of commands are structured and never contain these. */
const refusals: readonly (readonly [RegExp, string])[] = [
  [/^Let the user know the tool call was skipped in goose chat mode\b/, "chat mode"],
  [/^The user has declined to run this tool\b/, "declined"],
  [/^(-?\d+: )?Tool call denied by policy hook\b/, "policy hook"],
];

export function refusalOf(output: string): string | undefined {
  return refusals.find(([beginning]) => beginning.test(output))?.[1];
}

/** A `systemNotification` block: progress, or the failure that ends the run. */
export function systemNotification(block: JsonObject): { readonly kind: string; readonly message: string; readonly failure?: Failure } {
  const kind = wordOf(block["notificationType"]) ?? wordOf(block["type"]) ?? "systemNotification";
  const message = stringOf(block["msg"]) ?? stringOf(block["message"]) ?? "";
  const isMoney = kind === "creditsExhausted";
  const isTooLong = kind === "contextLengthExceeded";
  const failure = failureOf(message) ?? (isMoney ? NO_CREDITS : isTooLong ? TOO_LONG : undefined);
  return { kind, message, ...(failure && { failure }) };
}

/** Whether a notification starts a compaction, and why, or ends it. */
export function compactionStep(kind: string, message: string): "auto" | "overflow" | "done" | undefined {
  if (kind === "conversationCompacted" || /^Compaction complete\b/.test(message)) return "done";
  if (/\bPerforming auto-compaction\b/.test(message)) return "auto";
  return /\bCompacting to continue\b/.test(message) ? "overflow" : undefined;
}

// plain text ────────────────────────────────────────────────────────────────

/** The meaning of a line that is not JSON, from either stream; undefined if unknown. */
export function plainText(line: string, stream: Stream): EventBody | readonly EventBody[] | undefined {
  return stream === "stdout" ? printed(line) : complained(line);
}

/** The banner, which `-q` suppresses, and `error:` if Goose cannot even start. */
function printed(line: string): EventBody | undefined {
  if (/^\s+(__\( O\)>|L L )/.test(line)) return { type: "notice", kind: "banner", message: line.trim(), raw: line };
  const [, sessionId, cwd] = /^\s+\\____\)\s+(\S+) · (\S.*)$/.exec(line) ?? [];
  if (sessionId !== undefined) return { type: "session", sessionId, cwd };
  const message = /^\s+error: (.+)$/.exec(line)?.[1];
  return message === undefined ? undefined : { type: "error", message };
}

/** The JSON after the answer to an interrupt, or the start of a document. */
export function afterInterrupt(line: string): string | undefined {
  const at = line.indexOf(INTERRUPTED);
  return at < 0 ? undefined : line.slice(at + INTERRUPTED.length);
}

/** If a mode asks and no one can answer, only this stderr line says so; the exit code is that of any error. So the line is the claim. */
function complained(line: string): EventBody | readonly EventBody[] | undefined {
  if (/^Error: Tool approval required in non-interactive mode\b/.test(line)) {
    return [
      { type: "permission-decision", decision: "deny", reason: line, raw: line },
      { type: "result", outcome: "blocked", reason: "approval_required" },
    ];
  }
  // Its `error` line has reported this already.
  if (/^(Error: (Ran into this error|Network error)|Please retry if you think this is a transient)\b/.test(line)) {
    return { type: "warning", message: line, code: "error_echo" };
  }
  if (/^Stack backtrace:$|^ +\d+: \S|^ +at \S+:\d+(:\d+)?$/.test(line)) return { type: "warning", message: line, code: "backtrace" };
  if (/^\s*⚠ Failed to start extension\b/.test(line)) return { type: "warning", message: line, code: "extension_failed" };
  return undefined;
}

/** The message of an `error` line, from any of its fields. */
export function errorMessage(line: JsonObject): string | undefined {
  return stringOf(line["error"]) ?? stringOf(objectOf(line["error"])?.["message"]) ?? stringOf(line["message"]);
}
