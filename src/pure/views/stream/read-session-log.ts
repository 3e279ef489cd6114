// Reads the records of specification 001 back into events: a session log is all that is left of some runs.

import { flawOf, isObject, isShallow, type JsonObject, nothing, numberOf, objectOf, stringOf, wordOf } from "../../base/index.ts";
import { type Covers, covers as coverage, noTokens, type RunStatus, runStatus, type Tokens } from "../../events/index.ts";
import { type Agent, consumed, parseLine, type RunInfo, type Translated } from "../../pipeline/index.ts";

/** The views that need more than a session log has, and what is missing. */
export const NOT_FROM_A_SESSION_LOG: ReadonlyMap<string, string> = new Map([
  ["activity", "it does not record which files a tool call read or wrote"],
  ["decision", "it does not record what was observed from outside"],
  ["truth", "it does not record what was observed from outside"],
]);

/** The first record of a session log: what it says about its run. Undefined if this is not one. */
export function sessionStartOf(line: JsonObject): (RunInfo & { readonly agent: string }) | undefined {
  const startedAt = numberOf(line["timestamp_ms"]);
  if (typeOf(line) !== "session_start" || startedAt === undefined) return undefined;
  const [cwd, model] = [wordOf(line["cwd"]), wordOf(line["model"])];
  return { agent: wordOf(line["agent"]) ?? "unknown", startedAt, ...(cwd !== undefined && { cwd }), ...(model !== undefined && { model }) };
}

/** The prompt, if this record is the user's message that follows the first record. */
export function promptIn(line: JsonObject): string | undefined {
  return typeOf(line) === "message" && line["role"] === "user" && line["subagent_id"] === undefined ? stringOf(line["text"]) : undefined;
}

const TYPES = ["SessionStart", "TextDelta", "Message", "ToolStart", "ToolEnd", "UsageDelta", "Result", "Error"];

/** The record in the requested spelling. Undefined if it is not one. */
export function respelled(line: JsonObject, spelling: "pascal" | "snake" | undefined): JsonObject | undefined {
  const snake = typeOf(line);
  const type = TYPES.find((each) => typeOf({ type: each }) === snake);
  return type === undefined || snake === undefined ? undefined : { ...line, type: spelling === "snake" ? snake : type };
}

/** Type names in one spelling: `SessionStart` and `session_start` mean the same. */
function typeOf({ type }: JsonObject): string | undefined {
  return wordOf(type)
    ?.replace(/(?<!^)(?=[A-Z])/g, "_")
    .toLowerCase();
}

/** Reads a session log as if it were the output of the agent that it names. */
export function sessionLogAgent(id: string): Agent {
  return { id, title: "Session log", binaries: [], terminal: true, command: () => ({ args: [] }), open };
}

/** A sum without a note is the whole run's. */
const WHOLE = { covers: "run" as const };

function open() {
  function translate(line: JsonObject): readonly Translated[] | undefined {
    const parent = wordOf(line["subagent_id"]);
    const [text, callId] = [stringOf(line["text"]), wordOf(line["call_id"])];
    switch (typeOf(line)) {
      case "session_start":
        return [{ type: "session", sessionId: wordOf(line["session_id"]), model: wordOf(line["model"]), cwd: wordOf(line["cwd"]) }];
      case "text_delta":
        if (text === undefined) return undefined;
        return parent === undefined ? [{ type: "text-delta", text }] : consumed; // its message follows
      case "message": {
        const { role, partial } = line;
        if (text === undefined || (role !== "assistant" && role !== "user" && role !== "system")) return undefined;
        return [{ type: "message", role, text, parent, partial: partial === true ? true : undefined }];
      }
      case "tool_start": {
        if (callId === undefined) return undefined;
        const tool = wordOf(line["tool_name"]) ?? "unknown";
        return [{ type: "tool-start", callId, tool, input: inputOf(line["input"]), operations: nothing, parent }];
      }
      case "tool_end": {
        if (callId === undefined) return undefined;
        const { success } = line;
        const output = stringOf(line["output"]);
        return [{ type: "tool-end", callId, success: typeof success === "boolean" ? success : undefined, output, parent }];
      }
      case "usage_delta":
        return [{ type: "usage", scope: "step", tokens: tokensOf(line["usage"]), ...coverageOf(line) }];
      case "error": {
        const message = stringOf(line["message"]);
        return message === undefined ? undefined : [{ type: "error", message, code: wordOf(line["code"]), parent }];
      }
      case "result":
        return resultOf(line, text);
      default:
        return undefined;
    }
  }

  /** The result knows the sums, and what they cover. */
  function resultOf(line: JsonObject, text: string | undefined): readonly Translated[] {
    const out: Translated[] = [];
    const [used, spent] = [objectOf(line["partial_usage"]), objectOf(line["partial_cost"])];
    const tokens = tokensOf(used?.["tokens"] ?? line["usage"]);
    const costUsd = numberOf(line["total_cost_usd"]) ?? numberOf(spent?.["cost_usd"]);
    if (Object.values(tokens).some((count) => count !== null))
      out.push({ type: "usage", scope: "total", tokens, ...(used === undefined ? WHOLE : partOf(used)) });
    if (costUsd !== undefined)
      out.push({ type: "usage", scope: "step", tokens: noTokens, costUsd, ...(spent === undefined ? WHOLE : partOf(spent)) });
    const { status, success } = line;
    const outcome = isStatus(status) ? status : success === true ? "completed" : success === false ? "failed" : undefined;
    out.push({ type: "result", outcome, text, durationMs: numberOf(line["duration_ms"]) });
    return out;
  }

  return {
    push: (line: JsonObject): readonly Translated[] => translate(line) ?? [{ type: "unknown", raw: line }],
    end: () => nothing,
  };
}

function isStatus(value: unknown): value is RunStatus {
  return flawOf(runStatus, value) === undefined;
}

/** Without the subagents' own events, `main` would look like the whole run: a part must never, so it counts as incomplete. */
function partOf(part: JsonObject) {
  return { ...coverageOf(part), ...(part["covers"] === "main" && { incomplete: true as const }) };
}

function coverageOf({ covers, incomplete, complete }: JsonObject) {
  const part = flawOf(coverage, covers) === undefined ? (covers as Covers) : undefined;
  return { covers: part, ...((incomplete === true || complete === false) && { incomplete: true as const }) };
}

const CLASSES = ["input", "cacheRead", "cacheWrite", "output", "reasoning"] as const satisfies (keyof Tokens)[];

function tokensOf(usage: unknown): Tokens {
  if (!isObject(usage)) return noTokens;
  return Object.fromEntries(CLASSES.map((name) => [name, numberOf(usage[name]) ?? null])) as unknown as Tokens;
}

/** 001 has the input as JSON text. */
function inputOf(input: unknown): unknown {
  if (typeof input !== "string") return input ?? null;
  const value = parseLine(input);
  return value === undefined || !isShallow(value) ? input : value;
}
