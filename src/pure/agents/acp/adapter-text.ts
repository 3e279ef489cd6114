// Texts that an adapter writes itself, and texts that mean a denied permission. The adapter's name or the form of a text explains them.

import { type JsonObject, numberOf, objectOf, wordOf } from "../../base/index.ts";
import type { EventBody, RunStatus, Stream } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";
import { SYNTHETIC_ERROR } from "../claude/index.ts";
import { failureOf as gooseFailureOf } from "../goose/index.ts";

/** Why a turn failed, whatever its `stopReason` says. */
export interface Failure {
  readonly status: RunStatus;
  readonly reason: string;
}

/** A text that the adapter wrote itself. `aside`: only the next lines show whether it is an error. */
type AdapterText =
  | { readonly type: "event"; readonly body: EventBody }
  | { readonly type: "failure"; readonly failure: Failure }
  | { readonly type: "aside" };

/** Undefined for the model's text. `adapter` is the name from the agent's `initialize` response. */
export function adapterText(adapter: string, messageId: string | undefined, text: string, update: JsonObject): AdapterText | undefined {
  if (isCodex(adapter)) return messageId === undefined ? codexText(text) : undefined;
  if (isClaude(adapter)) return claudeText(messageId, text, objectOf(objectOf(update["_meta"])?.["claudeCode"]));
  if (adapter === "goose") return gooseText(messageId, text, objectOf(objectOf(update["_meta"])?.["goose"]));
  if (PRINTED_RETRY.test(text)) return { type: "event", body: { type: "warning", message: text, code: "api_retry" } };
  const mode = isGemini(adapter) ? /^\[MODE_UPDATE\] (\S+)$/.exec(text)?.[1] : undefined;
  return mode === undefined ? undefined : { type: "event", body: { type: "notice", kind: "current_mode_update", message: mode } };
}

/**
 * A failed model request that the adapter reports as the last text of its turn, in one chunk with the HTTP status or the number of
 * retries, as Copilot 1.0.102 does. A model's text comes in smaller chunks, and
 * from most adapters with an id.
 */
const PRINTED_ERROR = /^Error: (?:[45]\d\d |[^\n]*\(HTTP [45]\d\d\)|Failed to get response from the AI model; retried \d+ times)/;

export function isPrintedError(chunk: string, messageId: string | undefined): boolean {
  return messageId === undefined && PRINTED_ERROR.test(chunk);
}

export function printedFailure(chunk: string): Failure {
  const text = chunk.slice(0, LONGEST);
  return { status: apiFailure(httpStatus(undefined, undefined, undefined, text), text), reason: "api_error" };
}

/** Copilot reports each retry in the same way, also in the middle of a cut answer. */
const PRINTED_RETRY = /^Info: (?:Request failed|Response was interrupted) due to [^\n]*\. Retrying\.\.\.$/;

/** The older adapter, `codex-acp`, reports errors as errors. */
export function isCodex(adapter: string): boolean {
  return adapter === "@agentclientprotocol/codex-acp";
}

export function isGemini(adapter: string): boolean {
  return adapter === "gemini-cli";
}

export function isClaude(adapter: string): boolean {
  return adapter.endsWith("/claude-agent-acp") || adapter.endsWith("/claude-code-acp");
}

/**
 * Goose prints nothing when a conversation is too long for the model. Gemini ends a turn without an answer if it was blocked or unreadable.
 * For all others, a turn has an answer after its last call, a call that was denied, or a usage that shows that the model answered:
 * Kimi 2.1.0 ends a turn without any of them if the request to its model failed.
 */
export function silence(
  adapter: string,
  result: JsonObject,
  turn: { readonly active: boolean; readonly hasAnswer: boolean },
  isDenied: boolean,
): Failure | undefined {
  const isGoose = adapter === "goose" && !turn.active && objectOf(result["usage"])?.["outputTokens"] === 0;
  const isUnproven = turn.active && !isDenied && objectOf(result["usage"]) === undefined;
  const isEmpty = isGoose || (!turn.hasAnswer && (isGemini(adapter) || isUnproven));
  return isEmpty ? { status: "failed", reason: "empty_turn" } : undefined;
}

/** Text that Claude Code writes in place of the model has a different form of id. */
export function isSynthetic(adapter: string, messageId: string | undefined): boolean {
  return isClaude(adapter) && isSyntheticId(messageId);
}

function isSyntheticId(messageId: string | undefined): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(messageId ?? "");
}

/** The adapter marks its own texts, except the one about a fallback model. The model's text always has an id. */
function claudeText(messageId: string | undefined, text: string, meta: JsonObject | undefined): AdapterText | undefined {
  const kind = wordOf(meta?.["kind"]);
  if (isSyntheticId(messageId) && SYNTHETIC_ERROR.test(text)) return { type: "event", body: { type: "error", message: text.trim() } };
  const isFallback = messageId === undefined && text.startsWith("**Model fallback:** ");
  if (kind === undefined && !isFallback) return undefined;
  if (kind === "informational" && meta?.["level"] !== "warning") return { type: "event", body: { type: "notice", kind, message: text } };
  return { type: "event", body: { type: "warning", message: text } };
}

/** The model's text always has an id, so this one is the adapter's. */
function codexText(text: string): AdapterText | undefined {
  if (!text.endsWith("\n\n")) return undefined;
  const message = text.trimEnd();
  if (/^(Config w|W)arning: /.test(message)) return { type: "event", body: { type: "warning", message } };
  if (/^\*Context compacted\b/.test(message)) return { type: "event", body: { type: "compaction" } };
  return { type: "aside" };
}

/** Goose's own messages have ids of this form. After an error Goose still reports that the turn ended. It marks a truncated answer. */
function gooseText(messageId: string | undefined, text: string, meta: JsonObject | undefined): AdapterText | undefined {
  if (meta?.["outputTokenLimitReached"] === true && meta["fallbackContent"] === true) {
    return { type: "event", body: { type: "warning", message: text, code: "output_limit" } };
  }
  if (messageId !== undefined && !/^msg_[0-9a-f]{8}-[0-9a-f]{4}-/.test(messageId)) return undefined;
  const failure = gooseFailureOf(text);
  return failure === undefined ? undefined : { type: "failure", failure };
}

// ── kinds and ends ───────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Updates that version 1 and its drafts define and that need no event: commands a user could type, a removed plan, a summary,
 * messages between agents.
 */
export const IGNORED = new Set([
  "available_commands_update",
  "plan_removed",
  "compaction_summary_chunk",
  "session_message",
  "session_message_chunk",
]);

export const CUT_SHORT = "The model reached its output limit: its answer is cut off";

/** Status by stop reason. An unknown reason is not a success. */
export const STOPPED = new Map<string, RunStatus>([
  ["end_turn", "completed"],
  ["cancelled", "canceled"],
  ["canceled", "canceled"],
  ["max_tokens", "completed"], // as natively: the answer is cut off, and a warning says so
  ["max_turn_requests", "failed"],
  ["refusal", "failed"],
]);

// ── refusals ────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Output of a call that did not run because a user or a rule denied it, from Claude Code, Codex, OpenCode, Kilo, Goose and
 * Gemini. Claude Code prints "The user doesn't want to proceed" for a call that a cancel ended, so it is not here.
 */
const REFUSED =
  /^(?:User refused permission to run tool|(?:exec command|patch) rejected by user|(?:Subagent failed \(task_id: \S+\): )?The user (?:rejected permission|has specified a rule which prevents)|The user has declined to run this tool|(?:-?\d+: )?Tool call denied by policy hook|Tool execution (?:for ".*" )?denied by policy)/;

/** The reason for the denial, if a failed call gives one. `response` is Claude Code's report of the call. */
export function refusalOf(output: string | undefined, response: JsonObject | undefined): string | undefined {
  const rule = wordOf(response?.["decisionReasonType"]);
  if (rule !== undefined) return wordOf(response?.["decisionReason"]) ?? rule;
  const text = output?.slice(0, 500).replace(/^```\w*\n/, "");
  return text !== undefined && REFUSED.test(text) ? text.split("\n", 1)[0] : undefined;
}

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const CODES = new Map([
  [-32700, "parse_error"],
  [-32600, "invalid_request"],
  [-32601, "method_not_found"],
  [-32602, "invalid_params"],
  [-32603, "internal_error"],
  [-32800, "request_cancelled"],
  [-32000, "auth_required"],
  [-32002, "resource_not_found"],
]);

export const METHOD_NOT_FOUND = -32601;
const CANCELLED = -32800;

/** The request itself was wrong, whatever the message says. */
const WRONG = new Set<number | undefined>([-32700, -32600, METHOD_NOT_FOUND, -32602]);

/** Only this much of an error message is searched. */
const LONGEST = 4096;

interface RpcError {
  readonly code: number | undefined;
  readonly message: string;
  readonly failure: Failure;
}

/**
 * A protocol error. Its code may be an HTTP status (Gemini), and its text may be in `data`. OpenCode and Kilo do not report the status,
 * so only the provider's text remains; "Internal error" in front of it is the protocol's own phrase.
 */
export function rpcErrorOf(error: JsonObject): RpcError {
  const code = numberOf(error["code"]);
  const data = objectOf(error["data"]);
  const said = wordOf(error["message"]) ?? "The agent reported an error without a message";
  const inner = objectOf(data?.["error"]) ?? objectOf(data?.["data"]);
  const detail =
    wordOf(error["data"]) ??
    wordOf(data?.["message"]) ??
    wordOf(data?.["details"]) ??
    wordOf(data?.["error"]) ??
    wordOf(inner?.["message"]);
  const message = detail === undefined || said.includes(detail) ? said : `${said}: ${detail}`;
  const kind = wordOf(data?.["errorKind"]) ?? wordOf(data?.["errorName"]);
  const reason = kind ?? (code === undefined ? "error" : (CODES.get(code) ?? `error-${code}`));
  if (code === CANCELLED) return { code, message, failure: { status: "canceled", reason } };
  if (WRONG.has(code)) return { code, message, failure: { status: "failed", reason } };
  const text = message.slice(0, LONGEST);
  const status = httpStatus(code, data, inner, text);
  return { code, message, failure: { status: apiFailure(status, text, kind), reason } };
}

function httpStatus(
  code: number | undefined,
  data: JsonObject | undefined,
  inner: JsonObject | undefined,
  text: string,
): number | undefined {
  const codes = [code, data?.["status"], data?.["statusCode"], inner?.["status"], inner?.["statusCode"]].map(numberOf);
  const status = codes.find((number) => number !== undefined && number >= 400 && number < 600);
  if (status !== undefined) return status;
  const found = /(?:^|[\s(])([45]\d\d)(?=$|[\s:.,)])/.exec(text)?.[1]; // "scripted 401 failure": the provider's text
  return found === undefined ? undefined : Number(found);
}

// ── stderr ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const COLOUR = /\u001b\[[0-9;]*m/g;

/** Lines on stderr that say nothing about the run, each with a code to filter by. */
const noise: readonly (readonly [RegExp, string])[] = [
  [/^\[session\/\w+\] sessionId=/, "session_log"],
  [/^\[acp\] starting /, "startup_notice"],
  [/^Session \S+: failed to generate a session title: /, "session_title"], // it was shut down before that
  [/^claude auth status failed: /, "auth_status"], // it checked its own login while it was being shut down
  [/could not (create|update) PATH/, "path_alias"],
  [/\bcodex_core::tools::router\b/, "tool_error"],
  [/^Ripgrep is not available/, "ripgrep_fallback"],
  [/^\[STARTUP\] /, "startup_notice"],
  [/MaxListenersExceededWarning|^\(Use `node --trace-warnings /, "node_warning"],
  [/^\[WebFetchTool\] /, "tool_error"],
  [/^ {2,}at /, "stack_frame"],
  [/^Error handling request \{$|^ +\[?\w+\]?: |^ +\[Object \.\.\.\]$|^ *[}\]],?$|^\} \{( |$)/, "error_detail"], // a failed request and its error, printed as objects
];

export function stderrLine(line: string, stream: Stream): EventBody | undefined {
  if (stream !== "stderr") return undefined;
  const message = line.replace(COLOUR, "");
  const code = noise.find(([pattern]) => pattern.test(message))?.[1];
  if (code === undefined) return message === line ? undefined : { type: "warning", message };
  return { type: "warning", message, code };
}
