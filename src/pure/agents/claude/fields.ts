// What single fields of Claude Code's lines mean. Part of claude.ts.

import {
  arrayOf,
  firstWord,
  isObject,
  isShallow,
  type JsonObject,
  numberOf,
  objectOf,
  stringOf,
  without,
  wordOf,
} from "../../base/index.ts";
import {
  addTokens,
  anyTokens,
  type BodyOf,
  type EventBody,
  noTokens,
  type PlanItem,
  type RunStatus,
  type Tokens,
  type UsageBody,
} from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

/** A message's content: blocks, or one string. */
export function blocksOf(message: JsonObject | undefined): readonly unknown[] | undefined {
  const content = message?.["content"];
  return typeof content === "string" ? [{ type: "text", text: content }] : arrayOf(content);
}

export function isText(block: unknown): block is JsonObject & { readonly text: string } {
  return isObject(block) && block["type"] === "text" && typeof block["text"] === "string";
}

/** The text of `content`: a string, or blocks of which those without text are shown as they are. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = arrayOf(content);
  if (blocks === undefined) return "";
  return blocks.map((block) => stringOf(objectOf(block)?.["text"]) ?? (isShallow(block) ? JSON.stringify(block) : "")).join("\n");
}

/** `is_error` is the truth where it is told, and absent on many good results. In the background: neither good nor bad. */
export function successOf(block: JsonObject, detail: unknown, output: string): boolean | undefined {
  const isError = block["is_error"] ?? false;
  if (isError === true) return false;
  if (isError !== false) return undefined;
  if (wordOf(objectOf(block["content"])?.["type"])?.endsWith("_error")) return false; // of a tool that the API itself ran
  const result = objectOf(detail);
  if (result?.["interrupted"] === true) return false;
  if ((result?.["backgroundTaskId"] ?? result?.["timedOutAfterMs"] ?? undefined) !== undefined || result?.["status"] === "async_launched")
    return undefined;
  if (output.startsWith("Command running in background with ID") || output.startsWith("Async agent launched")) return undefined;
  return true;
}

/** The list that `TodoWrite` replaces the old one by. */
export function planOf(input: JsonObject): readonly PlanItem[] {
  return (arrayOf(input["todos"]) ?? []).filter(isObject).map((todo) => {
    const status = todo["status"];
    const known = status === "pending" || status === "in_progress" || status === "completed";
    return { text: stringOf(todo["content"]) ?? "", status: known ? status : "unknown" };
  });
}

/** A failed command's exit code is told only as text. */
export function exitCodeOf(output: string): number | undefined {
  const code = /^Exit code (\d+)\b/.exec(output)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Reasons for which a turn was let go before its end, and of which `is_error` says nothing: 2.1.325 has them as no error. */
const UNDONE = new Map<string | undefined, RunStatus>([
  ["hook_stopped", "blocked"],
  ["tool_deferred", "blocked"], // a hook has put the call off until somebody resumes the session
  ["background_requested", "canceled"],
  ["max_turns", "failed"],
]);

/** Reasons that may be about a request to the model: 1.0.109 gives none, and 2.1.96 calls every end `completed`. */
const REQUEST = new Set<string | undefined>(["model_error", "completed", undefined]);

/** The words of `startup_failure_reason` that are about the account, and not about the machine. */
const ACCOUNT = /^(gateway|org|provider|proxy|remote_settings)_/;

/**
 * `subtype` is `success` for API failures too: `is_error` decides, but of a turn that somebody stopped. `errorCode` is the word of
 * the error line before it; a version without `terminal_reason` tells the kind of failure in nothing but its words.
 */
export function outcomeOf(line: JsonObject, errorCode: string | undefined): RunStatus | undefined {
  const subtype = wordOf(line["subtype"]);
  const reason = wordOf(line["terminal_reason"]);
  if (line["stopped_by_permission_check"] === true) return "blocked";
  if (reason?.startsWith("aborted")) return "canceled";
  if (line["is_error"] !== true && subtype === "success")
    return line["stop_reason"] === "refusal" ? "failed" : (UNDONE.get(reason) ?? "completed");
  if (line["is_error"] !== true && !subtype?.startsWith("error")) return undefined;
  if (UNDONE.get(reason) === "blocked") return "blocked";
  if (ACCOUNT.test(wordOf(line["startup_failure_reason"]) ?? "")) return "infrastructure";
  const status = numberOf(line["api_error_status"]);
  if (status === undefined && reason !== "api_error" && !(subtype === "success" && REQUEST.has(reason))) return "failed";
  return apiFailure(status, errorCode, wordOf(line["api_error"]), wordOf(line["api_error_type"]), resultErrorOf(line).message);
}

/**
 * `model_usage_since_last_result` is what this result adds, subagents included. `modelUsage` adds up the whole session, with
 * the runs it resumes; `usage` is only the main thread of the last turn, and zero on failures.
 */
export function usageOf(line: JsonObject, costBefore: number, answered: Tokens): UsageBody | undefined {
  const added = objectOf(line["model_usage_since_last_result"]);
  if (added !== undefined) return measured(usageOfModels(added));
  const models = Object.values(objectOf(line["modelUsage"]) ?? {}).filter(isObject);
  const cost = numberOf(line["total_cost_usd"]); // of all turns, whatever the tokens are of
  if (models.length > 0)
    return measured({ type: "usage", scope: "total", tokens: models.map(modelTokens).reduce(addTokens), costUsd: cost });
  const costUsd = cost === undefined ? undefined : cost - costBefore;
  const told = turnTokens(objectOf(line["usage"]));
  return measured({ type: "usage", scope: "step", tokens: isMore(answered, told) ? answered : told, costUsd });
}

/** 1.0.109 tells of the last request alone, and of no model; its answers then add up to more. */
function isMore(some: Tokens, others: Tokens): boolean {
  return (
    (some.input ?? 0) + (some.cacheRead ?? 0) + (some.output ?? 0) > (others.input ?? 0) + (others.cacheRead ?? 0) + (others.output ?? 0)
  );
}

/** A report of nothing but zeros, as error runs have it, measured nothing. */
function measured(usage: UsageBody | undefined): UsageBody | undefined {
  return usage !== undefined && anyTokens(usage.tokens) ? usage : undefined;
}

function usageOfModels(models: JsonObject): UsageBody | undefined {
  const used = Object.values(models).filter(isObject);
  if (used.length === 0) return undefined;
  const costs = used.map((model) => numberOf(model["costUSD"]));
  const costUsd = costs.every((cost) => cost !== undefined) ? costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) : undefined;
  return { type: "usage", scope: "step", tokens: used.map(modelTokens).reduce(addTokens), costUsd };
}

function modelTokens(model: JsonObject): Tokens {
  return split(
    model["inputTokens"],
    model["cacheReadInputTokens"],
    model["cacheCreationInputTokens"],
    model["outputTokens"],
    model["thinkingTokens"],
  );
}

/** What an answer has taken: only the line that ends it tells more than how it began. */
export function answerTokens(message: JsonObject): Tokens | undefined {
  const usage = typeof message["stop_reason"] === "string" ? objectOf(message["usage"]) : undefined;
  return usage === undefined ? undefined : turnTokens(usage);
}

function turnTokens(usage: JsonObject | undefined): Tokens {
  if (usage === undefined) return noTokens;
  const thinking = objectOf(usage["output_tokens_details"])?.["thinking_tokens"];
  return split(
    usage["input_tokens"],
    usage["cache_read_input_tokens"],
    usage["cache_creation_input_tokens"],
    usage["output_tokens"],
    thinking,
  );
}

/** Thinking is inside the output count; a thinking count of 0 was seen beside real thinking, so it tells nothing. */
function split(input: unknown, cacheRead: unknown, cacheWrite: unknown, output: unknown, thinking: unknown): Tokens {
  const reasoning = numberOf(thinking) || null;
  const all = numberOf(output) ?? null;
  return {
    input: numberOf(input) ?? null,
    cacheRead: numberOf(cacheRead) ?? null,
    cacheWrite: numberOf(cacheWrite) ?? null,
    output: all !== null && reasoning !== null ? all - reasoning : all,
    reasoning,
  };
}

export function retryMessage(line: JsonObject): string {
  const attempt = `${numberOf(line["attempt"]) ?? "?"}/${numberOf(line["max_retries"]) ?? "?"}`;
  const why = [numberOf(line["error_status"]), wordOf(line["error"])].filter((word) => word !== undefined).join(" ");
  const delay = numberOf(line["retry_delay_ms"]);
  return `API request failed${why === "" ? "" : ` (${why})`}; retry ${attempt}${delay === undefined ? "" : ` in ${delay} ms`}`;
}

const HOOK_OUTPUT = ["stdout", "stderr", "output"];

/** The model refused, or another one takes its place. */
export function modelWarning(line: JsonObject, subtype: string): EventBody {
  const [from, to] = [wordOf(line["original_model"]), wordOf(line["fallback_model"])];
  const what = subtype.startsWith("model_refusal") ? "The model refused" : `The model is ${wordOf(line["trigger"]) ?? "unavailable"}`;
  const message = stringOf(line["message"]) ?? (to === undefined ? what : `${what}; ${to} takes the place of ${from ?? "it"}`);
  return { type: "warning", message, code: subtype === "model_fallback" ? subtype : "model_refusal" };
}

/** A line about the CLI itself. What a hook printed is output of a command, so it is left out of what is repeated. */
export function noticeOf(line: JsonObject, kind: string): EventBody {
  const message = stringOf(line["content"]) ?? stringOf(line["message"]) ?? stringOf(line["text"]) ?? stringOf(line["hook_name"]);
  const printed = line["prompt_submit_outcome"] === undefined ? HOOK_OUTPUT : [...HOOK_OUTPUT, "content", "prompt_submit_outcome"];
  return { type: "notice", kind, message, raw: without(line, printed) };
}

/** Kinds of lines, and of system lines, that 2.1.325 declares and no recording has: what it says about itself, and what may be wrong. */
const DECLARED = new Set(
  [
    [
      "auth_status",
      "conversation_reset",
      "control_cancel_request",
      "keep_alive",
      "prompt_suggestion",
      "session_notice",
      "tool_use_summary",
    ],
    ["agents_killed", "away_summary", "code_change_published", "commands_changed", "control_request_progress", "elicitation_complete"],
    ["file_snapshot", "files_persisted", "hook_progress", "local_command_output", "memory_recall", "memory_saved", "permission_retry"],
    ["per_turn_effort_changed", "plugin_install", "post_turn_summary", "scheduled_task_fire", "session_metadata", "session_state_changed"],
    ["session_title_changed", "stop_hook_summary", "task_summary", "turn_duration", "turn_handoff_available", "turn_preempted"],
    ["vcs_state_changed", "worker_shutting_down", "active_goal", "api_metrics", "autocompact_state", "command_lifecycle"],
    ["compact_progress", "refusal_continuation", "transcript_mirror", "cloud_session_delta", "cloud_session_status", "dev_intent"],
    ["feedback_draft_queued", "inherited_asks_settled", "message_rated", "peer_message_hold", "permission_check_status", "turn_handoff"],
  ].flat(),
);
const DECLARED_WARNINGS = new Set([
  "api_error",
  "file_attachments_missing",
  "instruction_size_warning",
  "mirror_error",
  "model_consent_fallback",
  "session_writes_lost",
]);

/** Where such lines hold the text of files, or what a command has printed. */
const DECLARED_CONTENTS = ["content", "entries", "memories", "salvage_text", "snapshot_files"];

/** What a line says that was never recorded; undefined for one that nobody has declared either. */
export function declaredOf(line: JsonObject, kind: unknown): EventBody | undefined {
  if (typeof kind !== "string") return undefined;
  if (kind === "tool_progress") {
    const seconds = numberOf(line["elapsed_time_seconds"]);
    const state = seconds === undefined ? undefined : `${seconds} s`;
    return { type: "tool-progress", callId: wordOf(line["tool_use_id"]), state };
  }
  if (DECLARED_WARNINGS.has(kind)) {
    const error = objectOf(line["error"]);
    const message = firstWord(line, ["content", "message", "error"]) ?? wordOf(error?.["formatted"]) ?? wordOf(error?.["message"]) ?? kind;
    return { type: "warning", message, code: kind };
  }
  if (!DECLARED.has(kind)) return undefined;
  return { ...noticeOf(line, kind), raw: without(line, [...HOOK_OUTPUT, ...DECLARED_CONTENTS]) };
}

/** A line of its own is repeated to those who have no word for it; an entry of `result` is consumed with the result. */
export function denialOf(line: JsonObject, isLine: boolean, parent: string | undefined): EventBody {
  return {
    type: "permission-decision",
    decision: "deny",
    callId: wordOf(line["tool_use_id"]),
    tool: wordOf(line["tool_name"]),
    reason: stringOf(line["message"]),
    parent,
    raw: isLine ? without(line, ["tool_input"]) : undefined,
  };
}

export function compactionOf(line: JsonObject): EventBody {
  const metadata = objectOf(line["compact_metadata"]) ?? {};
  return { type: "compaction", trigger: wordOf(metadata["trigger"]), tokensBefore: numberOf(metadata["pre_tokens"]), raw: line };
}

/** Undefined for a line without a status, "again" for the state that needs no words. `allowed_warning` is not `allowed`. */
export function rateLimitOf(line: JsonObject): EventBody | "again" | undefined {
  const info = objectOf(line["rate_limit_info"]) ?? line;
  const status = wordOf(info["status"]);
  if (status === undefined) return undefined;
  if (status === "allowed") return "again";
  const used = numberOf(info["utilization"]);
  const kind = wordOf(info["rateLimitType"]) ?? "rate";
  const message = `${kind} limit: ${status}${used === undefined ? "" : `, ${Math.round(used * 100)} % used`}`;
  return { type: "warning", message, code: `rate_limit_${status}` };
}

/** Error subtypes have `errors` in place of `result`; what is no error to the CLI has the model's own text there. */
export function resultErrorOf(line: JsonObject): BodyOf<"error"> {
  const isError = line["is_error"] === true;
  const errors = (arrayOf(line["errors"]) ?? []).filter((error) => typeof error === "string").join("; ");
  const reason = reasonOf(line);
  const told = isError || numberOf(line["num_turns"]) === 0 ? wordOf(line["result"]) : undefined; // without a turn, no model has spoken
  const message = told ?? (errors || (isError ? reason : `The turn was not brought to its end: ${reason ?? "no reason given"}`));
  const code = firstWord(line, ["api_error_type", "api_error", "terminal_reason", "subtype"]);
  return { type: "error", message: message ?? "The run failed", code: code === "success" || code === "completed" ? undefined : code };
}

/** Why a run ended, in the CLI's own word; of an error that has none, the one that later versions have. */
export function reasonOf(line: JsonObject): string | undefined {
  if (line["stopped_by_permission_check"] === true) return "permission_check";
  const isError = line["is_error"] === true;
  if (line["stop_reason"] === "refusal" && !isError) return "refusal";
  const reason = wordOf(line["terminal_reason"]) ?? wordOf(line["subtype"]);
  return isError && (reason === "success" || reason === "completed") ? "api_error" : reason;
}

/** Of a line that cannot be read, what may be shown: the results of tools stand in these fields. */
export function withoutContents(line: JsonObject): JsonObject {
  if (line["type"] === "user") return without(line, ["message", "tool_use_result"]);
  return line["tool_use_result"] === undefined ? line : without(line, ["tool_use_result"]);
}

/** Linux's PATH_MAX: a longer directory is none, and would be repeated in every path. */
export const LONGEST_PATH = 4096;

/** What a version says in the model's place that does not mark its errors as such. */
export const SYNTHETIC_ERROR =
  /^((Failed to authenticate. )?API Error\b|Invalid API key\b|Claude AI usage limit\b|Credit balance\b|Prompt is too long\b|OAuth )/;

/** What the result of a prompt says that a hook refused. */
export const REFUSED_PROMPT = /^UserPromptSubmit operation blocked by hook\b/;

/** Takes a claim of success back. */
export const GOES_ON: BodyOf<"result"> = { type: "result", outcome: "failed", reason: "turn-unfinished", pending: true, rule: "goes-on" };

export function countResults(blocks: readonly unknown[]): number {
  return blocks.filter((block) => isObject(block) && block["type"] === "tool_result").length;
}

/** Printed on stderr at every run with a model it does not know; the run goes on. */
export function stderrLine(line: string): EventBody | undefined {
  const known = /^\[claude-code:([a-z_]+)\]/.exec(line)?.[1];
  return known === undefined ? undefined : { type: "warning", message: line, code: known };
}
