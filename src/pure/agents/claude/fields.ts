// The meaning of single fields in Claude Code's lines.

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
  ownCost,
  ownTokens,
  type PlanItem,
  type RunStatus,
  type SessionUsage,
  type Tokens,
  totalTokens,
  type UsageBody,
} from "../../events/index.ts";
import { STREAM_ENDED } from "../../pipeline/index.ts";
import { apiFailure } from "../api-failure.ts";

/** A message's content: blocks, or one string. */
export function blocksOf(message: JsonObject | undefined): readonly unknown[] | undefined {
  const content = message?.["content"];
  return typeof content === "string" ? [{ type: "text", text: content }] : arrayOf(content);
}

export function isText(block: unknown): block is JsonObject & { readonly text: string } {
  return isObject(block) && block["type"] === "text" && typeof block["text"] === "string";
}

/** The text of `content`: a string, or blocks. A block without text is shown as JSON. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = arrayOf(content);
  if (blocks === undefined) return "";
  return blocks.map((block) => stringOf(objectOf(block)?.["text"]) ?? (isShallow(block) ? JSON.stringify(block) : "")).join("\n");
}

/** `is_error` decides if present; many good results lack it. A background call has neither succeeded nor failed. */
export function successOf(block: JsonObject, detail: unknown, output: string): boolean | undefined {
  const isError = block["is_error"] ?? false;
  if (isError === true) return false;
  if (isError !== false) return undefined;
  if (wordOf(objectOf(block["content"])?.["type"])?.endsWith("_error")) return false; // from a tool that the API ran
  const result = objectOf(detail);
  if (result?.["interrupted"] === true) return false;
  if ((result?.["backgroundTaskId"] ?? result?.["timedOutAfterMs"] ?? undefined) !== undefined || result?.["status"] === "async_launched")
    return undefined;
  if (output.startsWith("Command running in background with ID") || output.startsWith("Async agent launched")) return undefined;
  return true;
}

/** `TodoWrite` sends the whole new list. */
export function planOf(input: JsonObject): readonly PlanItem[] {
  return (arrayOf(input["todos"]) ?? []).filter(isObject).map((todo) => {
    const status = todo["status"];
    const known = status === "pending" || status === "in_progress" || status === "completed";
    return { text: stringOf(todo["content"]) ?? "", status: known ? status : "unknown" };
  });
}

/** A failed command's exit code appears only in its text. */
export function exitCodeOf(output: string): number | undefined {
  const code = /^Exit code (\d+)\b/.exec(output)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** A turn that ended early for these reasons is unfinished, though 2.1.325 does not set `is_error`. */
const UNDONE = new Map<string | undefined, RunStatus>([
  ["hook_stopped", "blocked"],
  ["tool_deferred", "blocked"], // a hook deferred the call until a user resumes the session
  ["background_requested", "canceled"],
  ["max_turns", "failed"],
]);

/** Reasons that may hide a failed model request: 1.0.109 gives no reason, and 2.1.96 calls every end `completed`. */
const REQUEST = new Set<string | undefined>(["model_error", "completed", undefined]);

/** Values of `startup_failure_reason` that blame the account, not the machine. */
const ACCOUNT = /^(gateway|org|provider|proxy|remote_settings)_/;

/**
 * `subtype` is `success` even for API failures, so `is_error` decides, except for a turn that was stopped. `errorCode` comes from
 * the error line before. A version without `terminal_reason` shows the kind of failure only in its text.
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
 * `model_usage_since_last_result` is what this result adds, including subagents. `modelUsage` adds up the whole session,
 * including the runs it resumes. `usage` covers only the main thread of the last turn and is zero on failures.
 */
export function usageOf(line: JsonObject, costBefore: number, answered: Tokens, before: SessionUsage | undefined): UsageBody | undefined {
  const added = objectOf(line["model_usage_since_last_result"]);
  if (added !== undefined) return measured(usageOfModels(added));
  const models = Object.values(objectOf(line["modelUsage"]) ?? {}).filter(isObject);
  const cost = numberOf(line["total_cost_usd"]); // covers all turns, unlike some of the token counts
  if (models.length > 0) {
    const tokens = ownTokens(models.map(modelTokens).reduce(addTokens), before);
    return measured({ type: "usage", scope: "total", tokens, costUsd: ownCost(cost, before), covers: "run" });
  }
  const costUsd = cost === undefined ? undefined : cost - costBefore;
  const reported = turnTokens(objectOf(line["usage"]));
  return measured({ type: "usage", scope: "step", tokens: more(answered, reported), costUsd, covers: "main" });
}

/** 1.0.109 reports only the last request and no model. Its answers then add up to more. */
function more(some: Tokens, others: Tokens): Tokens {
  return (totalTokens(some) ?? 0) > (totalTokens(others) ?? 0) ? some : others;
}

/**
 * What a run without a result used, as far as its answers report it: by their own lines, or by partial messages. A subagent has no
 * partial messages (2.1.325), and the request that was cut off reports only its input.
 */
export function usageSoFar(answered: Tokens, streamed: Tokens): UsageBody | undefined {
  return measured({ type: "usage", scope: "step", tokens: more(answered, streamed), covers: "main", incomplete: true, rule: STREAM_ENDED });
}

/** The tokens that a partial message reports: its input when it starts, all of it when it ends. */
export function streamedTokens(event: JsonObject): Tokens | undefined {
  const usage = objectOf(event["usage"]) ?? objectOf(objectOf(event["message"])?.["usage"]);
  if (usage === undefined) return undefined;
  return event["type"] === "message_start" ? { ...turnTokens(usage), output: null, reasoning: null } : turnTokens(usage);
}

/** Error runs report only zeros: nothing was measured. */
function measured(usage: UsageBody | undefined): UsageBody | undefined {
  return usage !== undefined && anyTokens(usage.tokens) ? usage : undefined;
}

function usageOfModels(models: JsonObject): UsageBody | undefined {
  const used = Object.values(models).filter(isObject);
  if (used.length === 0) return undefined;
  const costs = used.map((model) => numberOf(model["costUSD"]));
  const costUsd = costs.every((cost) => cost !== undefined) ? costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) : undefined;
  return { type: "usage", scope: "step", tokens: used.map(modelTokens).reduce(addTokens), costUsd, covers: "run" };
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

/** The tokens of an answer. Only the line that ends it has the final count. */
export function answerTokens(message: JsonObject): Tokens | undefined {
  const usage = typeof message["stop_reason"] === "string" ? objectOf(message["usage"]) : undefined;
  return usage === undefined ? undefined : turnTokens(usage);
}

/** The tokens of a message in a session's file, which is written when the message is complete. */
export function recordedTokens(message: JsonObject): Tokens | undefined {
  const usage = objectOf(message["usage"]);
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

/** The output count includes thinking. A thinking count of 0 also occurred with real thinking, so it means nothing. */
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

/** The model refused, or a different model takes over. */
export function modelWarning(line: JsonObject, subtype: string): EventBody {
  const [from, to] = [wordOf(line["original_model"]), wordOf(line["fallback_model"])];
  const what = subtype.startsWith("model_refusal") ? "The model refused" : `The model is ${wordOf(line["trigger"]) ?? "unavailable"}`;
  const message = stringOf(line["message"]) ?? (to === undefined ? what : `${what}; using ${to} instead of ${from ?? "it"}`);
  return { type: "warning", message, code: subtype === "model_fallback" ? subtype : "model_refusal" };
}

/** A line about the CLI itself. Text that a hook printed is command output, so the repeated line leaves it out. */
export function noticeOf(line: JsonObject, kind: string): EventBody {
  const message = stringOf(line["content"]) ?? stringOf(line["message"]) ?? stringOf(line["text"]) ?? stringOf(line["hook_name"]);
  const printed = line["prompt_submit_outcome"] === undefined ? HOOK_OUTPUT : [...HOOK_OUTPUT, "content", "prompt_submit_outcome"];
  return { type: "notice", kind, message, raw: without(line, printed) };
}

/** Line types and system subtypes that 2.1.325 declares and no recording contains: status reports and possible problems. */
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

/** Fields of these lines that may hold file text or command output. */
const DECLARED_CONTENTS = ["content", "entries", "memories", "salvage_text", "snapshot_files"];

/** The event for a declared line type; undefined for an undeclared one. */
export function declaredOf(line: JsonObject, kind: unknown): EventBody | undefined {
  if (typeof kind !== "string") return undefined;
  if (kind === "tool_progress") {
    const seconds = numberOf(line["elapsed_time_seconds"]);
    const state = seconds === undefined ? undefined : `${seconds} s`;
    return { type: "tool-progress", callId: wordOf(line["tool_use_id"]), state, raw: without(line, DECLARED_CONTENTS) };
  }
  if (DECLARED_WARNINGS.has(kind)) {
    const error = objectOf(line["error"]);
    const message = firstWord(line, ["content", "message", "error"]) ?? wordOf(error?.["formatted"]) ?? wordOf(error?.["message"]) ?? kind;
    return { type: "warning", message, code: kind };
  }
  if (!DECLARED.has(kind)) return undefined;
  return { ...noticeOf(line, kind), raw: without(line, [...HOOK_OUTPUT, ...DECLARED_CONTENTS]) };
}

/** `raw` passes a denial line on to views that have no denial record. An entry of `result` needs none. */
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

/** Undefined for a line without a status, "again" for the normal state. `allowed_warning` is not `allowed`. */
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

/** Error subtypes have `errors` instead of `result`. If the CLI sees no error, `result` holds the model's text. */
export function resultErrorOf(line: JsonObject): BodyOf<"error"> {
  const isError = line["is_error"] === true;
  const errors = (arrayOf(line["errors"]) ?? []).filter((error) => typeof error === "string").join("; ");
  const reason = reasonOf(line);
  const text = isError || numberOf(line["num_turns"]) === 0 ? wordOf(line["result"]) : undefined; // zero turns: the text is not the model's
  const message = text ?? (errors || (isError ? reason : `The turn did not finish: ${reason ?? "no reason given"}`));
  const code = firstWord(line, ["api_error_type", "api_error", "terminal_reason", "subtype"]);
  return { type: "error", message: message ?? "The run failed", code: code === "success" || code === "completed" ? undefined : code };
}

/** Why a run ended, as the CLI names it. Versions without a name for an error get the name that later versions use. */
export function reasonOf(line: JsonObject): string | undefined {
  if (line["stopped_by_permission_check"] === true) return "permission_check";
  const isError = line["is_error"] === true;
  if (line["stop_reason"] === "refusal" && !isError) return "refusal";
  const reason = wordOf(line["terminal_reason"]) ?? wordOf(line["subtype"]);
  return isError && (reason === "success" || reason === "completed") ? "api_error" : reason;
}

/** An unreadable line without the fields that hold tool results. */
export function withoutContents(line: JsonObject): JsonObject {
  if (line["type"] === "user") return without(line, ["message", "tool_use_result"]);
  return line["tool_use_result"] === undefined ? line : without(line, ["tool_use_result"]);
}

/** Linux's PATH_MAX. A longer path is not real, and every operation would repeat it. */
export const LONGEST_PATH = 4096;

/** Texts in place of the model, from versions that do not mark their errors. */
export const SYNTHETIC_ERROR =
  /^((Failed to authenticate. )?API Error\b|Invalid API key\b|Claude AI usage limit\b|Credit balance\b|Prompt is too long\b|OAuth )/;

/** The result of a prompt that a hook blocked. */
export const REFUSED_PROMPT = /^UserPromptSubmit operation blocked by hook\b/;

/** Withdraws a claim of success. */
export const CONTINUES: BodyOf<"result"> = { type: "result", outcome: "failed", reason: "turn-unfinished", pending: true, rule: "goes-on" };

export function countResults(blocks: readonly unknown[]): number {
  return blocks.filter((block) => isObject(block) && block["type"] === "tool_result").length;
}

/** Every run with an unknown model prints this on stderr and continues. */
export function stderrLine(line: string): EventBody | undefined {
  const known = /^\[claude-code:([a-z_]+)\]/.exec(line)?.[1];
  return known === undefined ? undefined : { type: "warning", message: line, code: known };
}
