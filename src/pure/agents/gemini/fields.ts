// The meaning of single fields in Gemini CLI's lines.

import { arrayOf, isObject, type JsonObject, numberOf, objectOf, stringOf, without, wordOf } from "../../base/index.ts";
import { addTokens, anyTokens, type EventBody, noTokens, type PlanItem, type RunStatus, type Tokens } from "../../events/index.ts";
import { apiFailure } from "../api-failure.ts";

/** Why a run failed, whatever its last record says. */
export interface Trouble {
  readonly outcome: RunStatus;
  readonly reason: string;
}

// ── status ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const GOOD = new Set(["success", "completed", "done", "ok"]);
const BAD = new Set(["error", "failed", "failure", "cancelled", "canceled"]);

/** Undefined for an unknown status. */
export function successOf(status: unknown): boolean | undefined {
  if (status === "success") return true;
  const word = stringOf(status)?.toLowerCase() ?? "";
  return GOOD.has(word) ? true : BAD.has(word) ? false : undefined;
}

/** These come with HTTP 400 but concern the credentials. */
const BAD_KEY = /API_KEY_INVALID|API key (not valid|expired)/i;

/** Google's names for a provider that is down, limits requests or rejects the account. */
const PROVIDER = /\b(UNAUTHENTICATED|PERMISSION_DENIED|RESOURCE_EXHAUSTED|UNAVAILABLE|INTERNAL|DEADLINE_EXCEEDED)\b/;

/** `[API Error: {"error":{"code":401,…}}]`, or plain text. The process exits with that code modulo 256. */
function apiFailureOf(message: string): RunStatus {
  if (BAD_KEY.test(message)) return "infrastructure";
  const code = /"code":\s*(\d{3})\b/.exec(message)?.[1];
  if (code === undefined && PROVIDER.test(message)) return "infrastructure";
  return apiFailure(code === undefined ? undefined : Number(code), message);
}

/** What the error of a `result` or a document says about the run. */
export function failureOf(type: string | undefined, message: string): Trouble {
  const reason = type === undefined || type === "unknown" ? "error" : type;
  if (type === "FatalCancellationError") return { outcome: "canceled", reason };
  if (type === "FatalAuthenticationError") return { outcome: "infrastructure", reason };
  const isAboutTheApi = reason === "error" || /^\[API Error\b/.test(message) || /(Api|Quota)Error$/.test(reason);
  return { outcome: isAboutTheApi ? apiFailureOf(message) : "failed", reason };
}

/**
 * A diagnostic that may have ended the run: a `success` after it only means that the program shut down cleanly. Undefined if it
 * stops nothing.
 */
export function troubleOf(message: string, isError: boolean): Trouble | undefined {
  if (/^Agent execution (blocked|stopped)\b/.test(message)) return { outcome: "blocked", reason: "agent_execution_blocked" };
  if (/^Loop detected\b/.test(message)) return { outcome: "failed", reason: "loop_detected" };
  return isError ? failureOf(undefined, message) : undefined;
}

export function diagnosticOf(message: string, isError: boolean): EventBody {
  const code = /^Loop detected\b/.test(message) ? "loop_detected" : undefined;
  return { type: isError ? "error" : "warning", message, code };
}

// ── usage ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * `input_tokens` includes the cache. `output_tokens` excludes thoughts, which only the total includes. Subagents are counted.
 * Errors report only zeros: nothing was measured.
 */
export function usageOf(stats: JsonObject): EventBody | undefined {
  return measured(streamTokens(stats) ?? sum(stats["models"], (model) => streamTokens(model)));
}

/** A document counts per model and includes thoughts. Tokens that tools add to the prompt are uncached input. */
export function documentUsageOf(stats: JsonObject): EventBody | undefined {
  return measured(sum(stats["models"], (model) => documentTokens(objectOf(model["tokens"]))));
}

function measured(tokens: Tokens | undefined): EventBody | undefined {
  return tokens !== undefined && anyTokens(tokens) ? { type: "usage", scope: "total", tokens, covers: "run" } : undefined;
}

function sum(models: unknown, tokensOf: (model: JsonObject) => Tokens | undefined): Tokens {
  return Object.values(objectOf(models) ?? {})
    .filter(isObject)
    .map((model) => tokensOf(model) ?? noTokens)
    .reduce(addTokens, noTokens);
}

function streamTokens(stats: JsonObject): Tokens | undefined {
  const gross = numberOf(stats["input_tokens"]);
  const output = numberOf(stats["output_tokens"]);
  if (gross === undefined && output === undefined) return undefined;
  const cacheRead = numberOf(stats["cached"]) ?? null;
  const input = numberOf(stats["input"]) ?? (gross === undefined ? null : Math.max(0, gross - (cacheRead ?? 0)));
  const total = numberOf(stats["total_tokens"]);
  const rest = total === undefined || gross === undefined || output === undefined ? undefined : total - gross - output;
  return { input, cacheRead, cacheWrite: null, output: output ?? null, reasoning: rest === undefined || rest < 0 ? null : rest };
}

/** The tokens of a message in a session's file: `input` includes the cache. */
export function messageTokens(tokens: JsonObject | undefined): Tokens | undefined {
  if (tokens === undefined) return undefined;
  const { input, output, cached, tool, thoughts } = tokens;
  return documentTokens({ prompt: input, cached, candidates: output, thoughts, tool });
}

function documentTokens(tokens: JsonObject | undefined): Tokens | undefined {
  if (tokens === undefined) return undefined;
  const cacheRead = numberOf(tokens["cached"]) ?? null;
  const gross = numberOf(tokens["prompt"]);
  const input = numberOf(tokens["input"]) ?? (gross === undefined ? undefined : Math.max(0, gross - (cacheRead ?? 0)));
  return {
    input: input === undefined ? null : input + (numberOf(tokens["tool"]) ?? 0),
    cacheRead,
    cacheWrite: null,
    output: numberOf(tokens["candidates"]) ?? null,
    reasoning: numberOf(tokens["thoughts"]) ?? null,
  };
}

// ── calls ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** `write_todos` sends the whole new list. */
export function planOf(input: JsonObject): readonly PlanItem[] {
  return (arrayOf(input["todos"]) ?? []).filter(isObject).map((todo) => {
    const status = todo["status"];
    const known = status === "pending" || status === "in_progress" || status === "completed";
    return { text: stringOf(todo["description"]) ?? stringOf(todo["content"]) ?? "", status: known ? status : "unknown" };
  });
}

/**
 * The end of a shell call, from its output. The CLI prints the exit code only if the command printed nothing, in a text that a command could print itself. So a command that contains this text proves nothing.
 */
export function shellEnding(output: string | undefined, command: string): { readonly success?: boolean; readonly exitCode?: number } {
  if (output === undefined) return {};
  if (output === "") return { success: true, exitCode: 0 };
  if (/exited with|terminated by|cancelled|Blocked:/i.test(command)) return {};
  const code = /^Command exited with code: (\d+)$/.exec(output)?.[1];
  if (code !== undefined) return { success: false, exitCode: Number(code) };
  return NOT_FINISHED.test(output) ? { success: false } : {};
}

/** The command did not run, was killed, or was ended by the CLI. The message stands alone, or before the output so far. */
const NOT_FINISHED =
  /^(Blocked: command substitution detected in shell command\.|Command terminated by signal: \S+|(Command cancelled by user|Command was automatically cancelled because it exceeded the timeout of [\d.]+ minutes without output)\.(?=$|\n\nOutput before cancellation:\n))/;

/** Tools that headless mode removes from an agent without permissions. */
const WITHHELD = new Set(["write_file", "replace", "run_shell_command", "web_fetch"]);

/** No one can be asked, so a denial appears as a policy, as an impossible question, or as a missing tool. */
export function isRefusal(tool: string, error: JsonObject): boolean {
  const type = error["type"];
  if (type === "policy_violation" || type === "sandbox_expansion_required") return true;
  if (type === "tool_not_registered") return WITHHELD.has(tool);
  return /requires user confirmation, which is not supported|denied by policy/.test(stringOf(error["message"]) ?? "");
}

/** Tools with file text in their input. A repeated request leaves it out. */
export const PAYLOAD = new Set(["write_file", "replace"]);
const PAYLOAD_FIELDS = ["content", "old_string", "new_string", "ai_proposed_content"];

/** A request without file text. A malformed one may lack the name that explains its fields. */
export function withoutPayload(line: JsonObject): JsonObject {
  const input = line["parameters"];
  const tool = wordOf(line["tool_name"]);
  if (tool === undefined) return without(line, ["parameters"]);
  return isObject(input) && PAYLOAD.has(tool) ? { ...line, parameters: without(input, PAYLOAD_FIELDS) } : line;
}
