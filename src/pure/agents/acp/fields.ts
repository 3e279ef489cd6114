// The meaning of single fields in Agent Client Protocol messages, including each adapter's additions.

import {
  arrayOf,
  firstNumber,
  isObject,
  isShallow,
  type JsonObject,
  nothing,
  numberOf,
  objectOf,
  stringOf,
  without,
  wordOf,
} from "../../base/index.ts";
import { addTokens, anyTokens, noTokens, type PlanItem, type Tokens, type UsageBody } from "../../events/index.ts";
import { isClaude } from "./adapter-text.ts";
import type { Place } from "./tools.ts";

// ── calls ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The tool's name; undefined if the update has only a title and a kind. */
export function nameOf(update: JsonObject): string | undefined {
  const name = wordOf(update["name"]);
  if (name !== undefined) return name;
  const meta = objectOf(update["_meta"]);
  const given =
    wordOf(objectOf(meta?.["claudeCode"])?.["toolName"]) ?? wordOf(objectOf(objectOf(meta?.["goose"])?.["toolCall"])?.["toolName"]);
  if (given !== undefined) return given;
  const input = objectOf(update["rawInput"]);
  const server = wordOf(input?.["server"]);
  const tool = wordOf(input?.["tool"]);
  return server !== undefined && tool !== undefined ? `${server}.${tool}` : undefined;
}

/** Gemini's ids are `<tool>__<id>`. If it invents the id, `<tool>__<tool>_<time>_0`, a form that no other agent uses. */
export function nameInId(callId: string, isGemini: boolean): string | undefined {
  if (!callId.includes("__")) return undefined;
  return (isGemini ? /^([a-z]\w*?)__/i : /^([a-z]\w*?)__\1_\d{10,}/i).exec(callId)?.[1];
}

/** A first update without a request may carry the name as its title. */
export function nameInFirstUpdate(update: JsonObject): string | undefined {
  return update["sessionUpdate"] === "tool_call" && !hasContent(update["rawInput"]) ? nameInTitle(update["title"]) : undefined;
}

/** OpenCode and Kilo start a call with the tool's name as title, not a sentence. */
export function nameInTitle(title: unknown): string | undefined {
  const word = wordOf(title);
  return word !== undefined && /^[A-Za-z][\w-]*$/.test(word) ? word : undefined;
}

/** Whether the request has content. OpenCode and Kilo send a command's directory before the command. */
export function hasContent(input: unknown): boolean {
  if (isObject(input)) {
    for (const key in input) if (key !== "cwd") return true;
    return false;
  }
  return input !== undefined && input !== null && input !== "";
}

export function placesOf(locations: readonly unknown[]): readonly Place[] {
  if (locations.length === 0) return nothing;
  const places: Place[] = [];
  for (const place of locations) {
    const path = wordOf(objectOf(place)?.["path"]);
    if (path !== undefined) places.push({ path, line: numberOf(objectOf(place)?.["line"]) });
  }
  return places;
}

/** The files named by a call's diffs. */
export function diffsOf(content: unknown): readonly string[] {
  let paths: string[] | undefined; // most calls have none
  for (const item of arrayOf(content) ?? nothing) {
    if (!isObject(item) || item["type"] !== "diff") continue;
    for (const path of Array.isArray(item["changes"]) ? changedIn(item["changes"]) : [wordOf(item["path"])]) {
      if (path === undefined) continue;
      paths ??= [];
      paths.push(path);
    }
  }
  return paths ?? nothing;
}

/** A diff of version 2 covers several files. A moved file counts as written at both paths. */
function changedIn(changes: unknown): readonly (string | undefined)[] {
  return (arrayOf(changes) ?? nothing).filter(isObject).flatMap((change) => {
    const old = change["operation"] === "move" ? wordOf(change["oldPath"]) : undefined;
    return [old, wordOf(change["path"])];
  });
}

export function textOf(content: unknown): string | undefined {
  let all: string | undefined;
  for (const item of arrayOf(content) ?? nothing) {
    const block = objectOf(item);
    const text = stringOf(block?.["text"]) ?? stringOf(objectOf(block?.["content"])?.["text"]);
    if (text !== undefined) all = all === undefined ? text : `${all}\n${text}`;
  }
  return all;
}

/** The output of a call: the raw output if there is one, otherwise the displayed text. */
export function outputOf(update: JsonObject): string | undefined {
  const raw = update["rawOutput"];
  if (typeof raw === "string") return raw;
  if (Array.isArray(raw)) return textOf(raw) ?? textOf(update["content"]);
  if (!isObject(raw)) return textOf(update["content"]);
  const whole =
    stringOf(raw["formatted_output"]) ?? stringOf(raw["aggregated_output"]) ?? stringOf(raw["output"]) ?? stringOf(raw["error"]);
  if (whole !== undefined) return whole;
  const streams = [stringOf(raw["stdout"]), stringOf(raw["stderr"])].filter((text) => text);
  const shown = streams.length > 0 ? streams.join("\n") : textOf(update["content"]);
  if (shown !== undefined) return shown;
  const hasMore = Object.keys(without(raw, ["exit_code", "stdout", "stderr", "timed_out"])).length > 0;
  return hasMore && isShallow(raw) ? JSON.stringify(raw) : undefined;
}

/** The raw output if it is more than the text that `outputOf` finds in it. */
export function rawOutputOf(update: JsonObject): unknown {
  const raw = update["rawOutput"];
  return typeof raw === "object" && raw !== null && isShallow(raw) ? raw : undefined;
}

/** codex-acp sends each piece of a command's output once, before the command ends. */
export function outputPiece(meta: JsonObject): string {
  return stringOf(objectOf(meta["terminal_output_delta"] ?? meta["terminal_output"])?.["data"]) ?? "";
}

/** OpenCode's and Kilo's report of a result. */
export function metadataOf(update: JsonObject): JsonObject {
  return objectOf(objectOf(update["rawOutput"])?.["metadata"]) ?? NOTHING;
}

export const NOTHING: JsonObject = Object.freeze({});

/** Null: the agent says there is no exit code, because the command was killed. −1: the command never started. */
export function exitOf(update: JsonObject): number | null | undefined {
  const raw = objectOf(update["rawOutput"]);
  const exit = objectOf(objectOf(update["_meta"])?.["terminal_exit"]);
  const ended = metadataOf(update)["exit"];
  const code =
    numberOf(raw?.["exit_code"]) ??
    numberOf(raw?.["exitCode"]) ??
    numberOf(exit?.["exit_code"]) ??
    numberOf(ended) ??
    arrayOf(raw?.["contents"])
      ?.map((each) => numberOf(objectOf(each)?.["exitCode"]))
      .find((each) => each !== undefined); // Copilot
  if (code !== undefined) return code < 0 ? undefined : code;
  return ended === null ? null : undefined;
}

/** Fields that hold file text. A repeated request leaves them out. */
const PAYLOAD = [
  "content contents old_string new_string oldString newString edits new_source file_text old_str new_str before after diff patch",
  "patchText changes files filediff ai_proposed_content",
  "value agentsStates", // unreadable arguments, and answers of other agents
].flatMap((fields) => fields.split(" "));

/** The parts of a request that we repeat. */
interface Asked {
  readonly callId: string;
  readonly name: string | undefined;
  readonly kind: string | undefined;
  readonly title: string | undefined;
  readonly input: unknown;
}

/** The agent's request without file text, which an edit may have in its title and a malformed call in its error. */
export function requestOf({ callId, name, kind, title, input }: Asked): JsonObject {
  const hidden = name === "invalid" ? [...PAYLOAD, "error"] : PAYLOAD;
  const request: Record<string, unknown> = { sessionUpdate: "tool_call", toolCallId: callId };
  if (name !== undefined) request["name"] = name;
  if (kind !== undefined) request["kind"] = kind;
  if (title !== undefined && kind !== "edit") request["title"] = title;
  if (isObject(input) && hasContent(input)) request["rawInput"] = without(input, hidden);
  return request;
}

/** An unreadable message reduced to the fields that hold no requests or results. */
export function withoutContents(line: JsonObject): JsonObject {
  const params = objectOf(line["params"]);
  if (params === undefined) return without(line, ["params", "result"]);
  const update = objectOf(params["update"]);
  return {
    ...line,
    params: {
      ...(wordOf(params["sessionId"]) !== undefined && { sessionId: params["sessionId"] }),
      ...(update !== undefined && { update: { sessionUpdate: update["sessionUpdate"], toolCallId: update["toolCallId"] } }),
    },
  };
}

// ── plans, models, usage ────────────────────────────────────────────────────────────────────────────────────────────

export function planOf(
  given: unknown,
): { readonly items: readonly PlanItem[]; readonly entries: readonly unknown[] | undefined } | undefined {
  const entries = arrayOf(given);
  const items = entries?.filter(isObject).map((entry): PlanItem => {
    const status = entry["status"];
    const known = status === "pending" || status === "in_progress" || status === "completed";
    const text = stringOf(entry["content"]) ?? stringOf(entry["description"]) ?? stringOf(entry["step"]) ?? "";
    return { text, status: known ? status : "unknown" };
  });
  return items === undefined ? undefined : { items, entries: isShallow(entries) ? entries : undefined };
}

/** The model of a session. `default` and `auto` do not name one. */
export function modelOf(session: JsonObject): string | undefined {
  const option = (arrayOf(session["configOptions"]) ?? []).find(
    (each) => isObject(each) && (each["category"] === "model" || each["id"] === "model" || each["configId"] === "model"),
  );
  const model = wordOf(objectOf(option)?.["currentValue"]) ?? wordOf(objectOf(session["models"])?.["currentModelId"]);
  return model === "default" || model === "auto" ? undefined : model;
}

const COUNTS = {
  input: ["inputTokens", "input_tokens"],
  cacheRead: ["cachedReadTokens", "cachedInputTokens", "cached_input_tokens"],
  cacheWrite: ["cachedWriteTokens", "cacheWriteInputTokens", "cache_write_input_tokens"],
  output: ["outputTokens", "output_tokens"],
  reasoning: ["thoughtTokens", "reasoningOutputTokens", "reasoning_output_tokens"],
  total: ["totalTokens", "total_tokens"],
} as const;

/**
 * The usage of a prompt. Claude's count per model includes subagents and requests for titles; its `usage` covers only the main
 * thread. OpenCode, Kilo and Goose report only the last step. All zeros mean that nothing was measured. Without output, Goose's input
 * is its own estimate of the context.
 */
export function usageOf(result: JsonObject, adapter: string): UsageBody | undefined {
  const usage = objectOf(result["usage"]);
  const quota = objectOf(objectOf(result["_meta"])?.["quota"]);
  const models = (arrayOf(quota?.["model_usage"]) ?? []).map((row) => objectOf(row)?.["token_count"]).filter(isObject);
  const counts = models.length > 0 ? models : [usage ?? objectOf(quota?.["token_count"]) ?? {}];
  const hasReasoning = numberOf(usage?.["thoughtTokens"]) !== undefined; // Claude sends zeros if it did not measure
  const tokens = counts.map((each) => tokensOf(each, hasReasoning)).reduce(addTokens, noTokens);
  const covers = isClaude(adapter) && models.length > 0 ? "run" : LAST_STEP.has(adapter) ? "last-step" : "main";
  const isEstimate = adapter === "goose" && tokens.output === 0;
  return anyTokens(tokens) && !isEstimate ? { type: "usage", scope: "step", tokens, covers } : undefined;
}

/** These report the last request of a prompt as the usage of the prompt. */
const LAST_STEP: ReadonlySet<string> = new Set(["goose", "OpenCode", "Kilo"]);

/**
 * Codex includes reasoning in the output, OpenCode counts it separately; Copilot includes cache reads in the input. The total shows
 * which: it is the sum of the classes that are not part of another.
 */
function tokensOf(counts: JsonObject, hasReasoning: boolean): Tokens {
  const count = (name: keyof typeof COUNTS) => firstNumber(counts, COUNTS[name]) ?? null;
  const [input, cacheRead, cacheWrite, output] = [count("input"), count("cacheRead"), count("cacheWrite"), count("output")];
  const thought = count("reasoning");
  const reasoning = thought === 0 && !hasReasoning ? null : thought;
  const [read, write, thinking] = [cacheRead ?? 0, cacheWrite ?? 0, reasoning ?? 0];
  const sum = (input ?? 0) + read + write + (output ?? 0) + thinking;
  const total = count("total");
  for (const inOutput of thinking <= (output ?? 0) ? [thinking, 0] : [0]) {
    for (const inInput of [0, read, read + write]) {
      if (total !== sum - inOutput - inInput || inInput > (input ?? 0)) continue;
      return { input: input && input - inInput, cacheRead, cacheWrite, output: output && output - inOutput, reasoning };
    }
  }
  return { input, cacheRead, cacheWrite, output, reasoning };
}
