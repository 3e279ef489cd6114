// What single fields of Agent Client Protocol messages mean, with what each adapter puts beside them. Part of acp.ts.

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
import type { Place } from "./tools.ts";

// ── calls ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the agent calls the tool. Undefined where only a title and a kind are told. */
export function nameOf(update: JsonObject): string | undefined {
  const name = wordOf(update["name"]);
  if (name !== undefined) return name;
  const meta = objectOf(update["_meta"]);
  const told =
    wordOf(objectOf(meta?.["claudeCode"])?.["toolName"]) ?? wordOf(objectOf(objectOf(meta?.["goose"])?.["toolCall"])?.["toolName"]);
  if (told !== undefined) return told;
  const input = objectOf(update["rawInput"]);
  const server = wordOf(input?.["server"]);
  const tool = wordOf(input?.["tool"]);
  return server !== undefined && tool !== undefined ? `${server}.${tool}` : undefined;
}

/** Gemini's ids are `<tool>__<id>`; where it made the id up, `<tool>__<tool>_<time>_0`, which is nobody else's. */
export function nameInId(callId: string, isGemini: boolean): string | undefined {
  if (!callId.includes("__")) return undefined;
  return (isGemini ? /^([a-z]\w*?)__/i : /^([a-z]\w*?)__\1_\d{10,}/i).exec(callId)?.[1];
}

/** The title with which a call begins that has no request yet. */
export function nameInBeginning(update: JsonObject): string | undefined {
  return update["sessionUpdate"] === "tool_call" && !isTelling(update["rawInput"]) ? nameInTitle(update["title"]) : undefined;
}

/** A title that is a tool's name and not a sentence, as OpenCode and Kilo begin a call. */
export function nameInTitle(title: unknown): string | undefined {
  const word = wordOf(title);
  return word !== undefined && /^[A-Za-z][\w-]*$/.test(word) ? word : undefined;
}

/** OpenCode and Kilo tell the directory of a command before they know the command. */
export function isTelling(input: unknown): boolean {
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

/** The files of the diffs among a call's content, without their text. */
export function diffsOf(content: unknown): readonly string[] {
  let paths: string[] | undefined; // mostly there are none
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

/** A diff of version 2 is about several files; one that is moved is written in both places. */
function changedIn(changes: unknown): readonly (string | undefined)[] {
  return (arrayOf(changes) ?? nothing).filter(isObject).flatMap((change) => {
    const old = change["operation"] === "move" ? wordOf(change["oldPath"]) : undefined;
    return [old, wordOf(change["path"])];
  });
}

/** The text among a call's content. */
export function textOf(content: unknown): string | undefined {
  let all: string | undefined;
  for (const item of arrayOf(content) ?? nothing) {
    const block = objectOf(item);
    const text = stringOf(block?.["text"]) ?? stringOf(objectOf(block?.["content"])?.["text"]);
    if (text !== undefined) all = all === undefined ? text : `${all}\n${text}`;
  }
  return all;
}

/** What came of a call, from wherever its adapter keeps it: the raw output, else what is shown. */
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
  const told = Object.keys(without(raw, ["exit_code", "stdout", "stderr", "timed_out"])).length > 0;
  return told && isShallow(raw) ? JSON.stringify(raw) : undefined;
}

/** A piece of a command's output that comes before its end, told once: codex-acp's. */
export function outputPiece(meta: JsonObject): string {
  return stringOf(objectOf(meta["terminal_output_delta"] ?? meta["terminal_output"])?.["data"]) ?? "";
}

/** OpenCode's and Kilo's account of a result. */
export function metadataOf(update: JsonObject): JsonObject {
  return objectOf(objectOf(update["rawOutput"])?.["metadata"]) ?? NOTHING;
}

export const NOTHING: JsonObject = Object.freeze({});

/** Null: the agent says that there is none, because the command was ended. −1 stands for one that never started. */
export function exitOf(update: JsonObject): number | null | undefined {
  const raw = objectOf(update["rawOutput"]);
  const exit = objectOf(objectOf(update["_meta"])?.["terminal_exit"]);
  const ended = metadataOf(update)["exit"];
  const code = numberOf(raw?.["exit_code"]) ?? numberOf(raw?.["exitCode"]) ?? numberOf(exit?.["exit_code"]) ?? numberOf(ended);
  if (code !== undefined) return code < 0 ? undefined : code;
  return ended === null ? null : undefined;
}

/** Where the text of files stands in requests; what is repeated of a request leaves it out. */
const PAYLOAD = [
  "content contents old_string new_string oldString newString edits new_source file_text old_str new_str before after diff patch",
  "patchText changes files filediff ai_proposed_content",
  "value agentsStates", // arguments that could not be read, and what other agents answered
].flatMap((fields) => fields.split(" "));

/** What a request says, as it is repeated. */
interface Asked {
  readonly callId: string;
  readonly name: string | undefined;
  readonly kind: string | undefined;
  readonly title: string | undefined;
  readonly input: unknown;
}

/** A request in the agent's own words, without the text of files: an edit may have it in its title, a malformed call in its error. */
export function requestOf({ callId, name, kind, title, input }: Asked): JsonObject {
  const hidden = name === "invalid" ? [...PAYLOAD, "error"] : PAYLOAD;
  const request: Record<string, unknown> = { sessionUpdate: "tool_call", toolCallId: callId };
  if (name !== undefined) request["name"] = name;
  if (kind !== undefined) request["kind"] = kind;
  if (title !== undefined && kind !== "edit") request["title"] = title;
  if (isObject(input) && isTelling(input)) request["rawInput"] = without(input, hidden);
  return request;
}

/** Of a message that cannot be read, what may be shown: requests and results stand in these fields. */
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

/** The entries of a plan, or the items of a to-do tool. */
export function planOf(entries: unknown): readonly PlanItem[] | undefined {
  return arrayOf(entries)
    ?.filter(isObject)
    .map((entry) => {
      const status = entry["status"];
      const known = status === "pending" || status === "in_progress" || status === "completed";
      const text = stringOf(entry["content"]) ?? stringOf(entry["description"]) ?? stringOf(entry["step"]) ?? "";
      return { text, status: known ? status : "unknown" };
    });
}

/** The model that a session is set to. `default` and `auto` leave it open. */
export function modelOf(told: JsonObject): string | undefined {
  const option = (arrayOf(told["configOptions"]) ?? []).find(
    (each) => isObject(each) && (each["category"] === "model" || each["id"] === "model" || each["configId"] === "model"),
  );
  const model = wordOf(objectOf(option)?.["currentValue"]) ?? wordOf(objectOf(told["models"])?.["currentModelId"]);
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
 * What a prompt has used. Claude's count per model includes the subagents and the requests for titles, its `usage` only the
 * main thread. OpenCode, Kilo and Goose tell the last step alone. All zero: nothing was measured.
 */
export function usageOf(result: JsonObject, costUsd: number | undefined): UsageBody | undefined {
  const usage = objectOf(result["usage"]);
  const quota = objectOf(objectOf(result["_meta"])?.["quota"]);
  const models = (arrayOf(quota?.["model_usage"]) ?? []).map((row) => objectOf(row)?.["token_count"]).filter(isObject);
  const counts = models.length > 0 ? models : [usage ?? objectOf(quota?.["token_count"]) ?? {}];
  const isReasoningTold = numberOf(usage?.["thoughtTokens"]) !== undefined; // Claude fills the place with zeros
  const tokens = counts.map((each) => tokensOf(each, isReasoningTold)).reduce(addTokens, noTokens);
  if (anyTokens(tokens)) return { type: "usage", scope: "step", tokens, costUsd };
  return costUsd !== undefined && costUsd > 0 ? { type: "usage", scope: "step", tokens: noTokens, costUsd } : undefined;
}

/** Codex counts the thoughts as output too, OpenCode beside it: the total tells which. */
function tokensOf(counts: JsonObject, isReasoningTold: boolean): Tokens {
  const count = (name: keyof typeof COUNTS) => firstNumber(counts, COUNTS[name]) ?? null;
  const [input, cacheRead, cacheWrite, output] = [count("input"), count("cacheRead"), count("cacheWrite"), count("output")];
  const thought = count("reasoning");
  const reasoning = thought === 0 && !isReasoningTold ? null : thought;
  const sum = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) + (output ?? 0);
  const isWithin = output !== null && reasoning !== null && reasoning <= output && count("total") === sum;
  return { input, cacheRead, cacheWrite, output: isWithin ? output - reasoning : output, reasoning };
}
