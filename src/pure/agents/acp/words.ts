// What an adapter says in its agent's place, and what it says of a refusal: words that only their author's name explains. Part of acp.ts.

import { type JsonObject, numberOf, objectOf, wordOf } from "../../base/index.ts";
import type { EventBody, RunStatus, Stream } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";
import { failureOf as gooseFailureOf } from "../goose/index.ts";

/** Why a turn did not end well, whatever its `stopReason` says. */
export interface Failure {
  readonly status: RunStatus;
  readonly reason: string;
}

/** What a chunk of text is that the adapter wrote itself. `aside`: its own words, of which only the next lines tell whether they are an error. */
type OwnWords =
  | { readonly type: "event"; readonly body: EventBody }
  | { readonly type: "failure"; readonly failure: Failure }
  | { readonly type: "aside" };

/** Undefined for what the model said. `adapter` is the name that the agent gave itself when it was initialized. */
export function ownWords(adapter: string, messageId: string | undefined, text: string, update: JsonObject): OwnWords | undefined {
  if (isCodex(adapter)) return messageId === undefined ? codexWords(text) : undefined;
  if (isClaude(adapter)) return claudeWords(messageId, text, objectOf(objectOf(update["_meta"])?.["claudeCode"]));
  if (adapter === "goose") return gooseWords(messageId, text, objectOf(objectOf(update["_meta"])?.["goose"]));
  const mode = isGemini(adapter) ? /^\[MODE_UPDATE\] (\S+)$/.exec(text)?.[1] : undefined;
  return mode === undefined ? undefined : { type: "event", body: { type: "notice", kind: "current_mode_update", message: mode } };
}

/** The older adapter, `codex-acp`, tells errors as errors. */
export function isCodex(adapter: string): boolean {
  return adapter === "@agentclientprotocol/codex-acp";
}

export function isGemini(adapter: string): boolean {
  return adapter === "gemini-cli";
}

function isClaude(adapter: string): boolean {
  return adapter.endsWith("/claude-agent-acp") || adapter.endsWith("/claude-code-acp");
}

/** What Claude Code says in the model's place has an id of another form than the model's words. */
export function isSynthetic(adapter: string, messageId: string | undefined): boolean {
  return isClaude(adapter) && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(messageId ?? "");
}

/** What the adapter has to say about the session is marked as such, but for the model that stands in for another; the model's words have an id. */
function claudeWords(messageId: string | undefined, text: string, meta: JsonObject | undefined): OwnWords | undefined {
  const kind = wordOf(meta?.["kind"]);
  const isFallback = messageId === undefined && text.startsWith("**Model fallback:** ");
  if (kind === undefined && !isFallback) return undefined;
  if (kind === "informational" && meta?.["level"] !== "warning") return { type: "event", body: { type: "notice", kind, message: text } };
  return { type: "event", body: { type: "warning", message: text } };
}

/** The model's words have an id. */
function codexWords(text: string): OwnWords | undefined {
  if (!text.endsWith("\n\n")) return undefined;
  const message = text.trimEnd();
  if (/^(Config w|W)arning: /.test(message)) return { type: "event", body: { type: "warning", message } };
  if (/^\*Context compacted\b/.test(message)) return { type: "event", body: { type: "compaction" } };
  return { type: "aside" };
}

/** Ids of Goose's own messages are of this form. It goes on to claim that the turn ended. An answer that was cut is marked as such. */
function gooseWords(messageId: string | undefined, text: string, meta: JsonObject | undefined): OwnWords | undefined {
  if (meta?.["outputTokenLimitReached"] === true && meta["fallbackContent"] === true) {
    return { type: "event", body: { type: "warning", message: text, code: "output_limit" } };
  }
  if (messageId !== undefined && !/^msg_[0-9a-f]{8}-[0-9a-f]{4}-/.test(messageId)) return undefined;
  const failure = gooseFailureOf(text);
  return failure === undefined ? undefined : { type: "failure", failure };
}

// ── kinds and ends ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The other kinds of updates that version 1 and its drafts have: what the user could type, a plan that is gone, a summary, and what agents tell each other. */
export const UNTOLD = new Set([
  "available_commands_update",
  "plan_removed",
  "compaction_summary_chunk",
  "session_message",
  "session_message_chunk",
]);

/** Why a turn stopped. A word that nobody knows yet is no success. */
export const STOPPED = new Map<string, RunStatus>([
  ["end_turn", "completed"],
  ["cancelled", "canceled"],
  ["canceled", "canceled"],
  ["max_tokens", "failed"],
  ["max_turn_requests", "failed"],
  ["refusal", "failed"],
]);

// ── refusals ────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * What a call says that was never run because somebody, or a rule, did not permit it, in the agent's own words: Claude Code,
 * Codex, OpenCode and Kilo, Goose, Gemini. "The user doesn't want to proceed" is what Claude Code says of a call that a cancel ended.
 */
const REFUSED =
  /^(?:User refused permission to run tool|(?:exec command|patch) rejected by user|(?:Subagent failed \(task_id: \S+\): )?The user (?:rejected permission|has specified a rule which prevents)|The user has declined to run this tool|(?:-?\d+: )?Tool call denied by policy hook|Tool execution (?:for ".*" )?denied by policy)/;

/** The reason of a refusal, where a failed call tells of one. `response` is Claude Code's own account of the call. */
export function refusalOf(output: string | undefined, response: JsonObject | undefined): string | undefined {
  const rule = wordOf(response?.["decisionReasonType"]);
  if (rule !== undefined) return wordOf(response?.["decisionReason"]) ?? rule;
  const words = output?.slice(0, 500).replace(/^```\w*\n/, "");
  return words !== undefined && REFUSED.test(words) ? words.split("\n", 1)[0] : undefined;
}

// ── errors ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The protocol's own error codes. */
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

/** The request itself was wrong, whatever words say so. */
const WRONG = new Set<number | undefined>([-32700, -32600, METHOD_NOT_FOUND, -32602]);

/** OpenCode and Kilo say that the model's API failed, and not how; these words are about what was asked. */
const REQUEST = /\b(invalid|bad request|not found|unsupported|unprocessable|too (long|large)|context)\b/i;

/** Longest text of an error that is looked through for words. */
const LONGEST = 4096;

interface RpcError {
  readonly code: number | undefined;
  readonly message: string;
  readonly failure: Failure;
}

/** An error of the protocol: its code may be an HTTP status (Gemini), and its words may stand in `data`. */
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
  const words = message.slice(0, LONGEST);
  const status = httpStatus(code, data, inner, words);
  const isBare = kind === "APIError" && status === undefined && !REQUEST.test(words);
  return { code, message, failure: { status: isBare ? "infrastructure" : apiFailure(status, words, kind), reason } };
}

function httpStatus(
  code: number | undefined,
  data: JsonObject | undefined,
  inner: JsonObject | undefined,
  words: string,
): number | undefined {
  const told = [code, data?.["status"], data?.["statusCode"], inner?.["status"], inner?.["statusCode"]].map(numberOf);
  const status = told.find((number) => number !== undefined && number >= 400 && number < 600);
  if (status !== undefined) return status;
  const found = /(?:^|[\s(])([45]\d\d)(?=$|[\s:.,)])/.exec(words)?.[1]; // "scripted 401 failure": the words of the provider
  return found === undefined ? undefined : Number(found);
}

// ── stderr ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const COLOUR = /\u001b\[[0-9;]*m/g;

/** Lines on stderr that say nothing about the run, each with a code to filter by. */
const noise: readonly (readonly [RegExp, string])[] = [
  [/^\[session\/\w+\] sessionId=/, "session_log"],
  [/^\[acp\] starting /, "startup_notice"],
  [/^claude auth status failed: /, "auth_status"], // it was asked about itself when it had to go
  [/could not (create|update) PATH/, "path_alias"],
  [/\bcodex_core::tools::router\b/, "tool_error"],
  [/^Ripgrep is not available/, "ripgrep_fallback"],
  [/^\[STARTUP\] /, "startup_notice"],
  [/MaxListenersExceededWarning|^\(Use `node --trace-warnings /, "node_warning"],
  [/^\[WebFetchTool\] /, "tool_error"],
  [/^ {2,}at /, "stack_frame"],
  [/^Error handling request \{$|^ +\[?\w+\]?: |^ +\[Object \.\.\.\]$|^ *[}\]],?$|^\} \{( |$)/, "error_detail"], // a request that failed, and its error, as they are printed
];

/** A line of stderr without its colours. */
export function stderrLine(line: string, stream: Stream): EventBody | undefined {
  if (stream !== "stderr") return undefined;
  const message = line.replace(COLOUR, "");
  const code = noise.find(([pattern]) => pattern.test(message))?.[1];
  if (code === undefined) return message === line ? undefined : { type: "warning", message };
  return { type: "warning", message, code };
}
