import { isObject, type JsonObject } from "../base/index.ts";
import type { EventBody, EventType } from "./event.ts";
import type { ObservedType } from "./observation.ts";
import { noTokens, tokenClasses } from "./tokens.ts";

/** What is wrong with a value; undefined for what is as it should be. */
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTrue: Check = (value) => value === true;
const anything: Check = () => true;
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && words.includes(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && flawIn(value, checks) === undefined;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const lines = { startLine: maybe(isNumber), endLine: maybe(isNumber) };

const operations: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  read: { path: isText, ...lines },
  write: { path: isText, ...lines },
  search: { query: isText, path: maybe(isText), emptyExit: maybe(isNumber) },
  list: { path: maybe(isText) },
  command: { command: isText, workingDirectory: maybe(isText) },
  skill: { path: isText, skillName: maybe(isText) },
};

const isOperation: Check = (value) =>
  isObject(value) && typeof value["kind"] === "string" && Object.hasOwn(operations, value["kind"])
    ? shape(operations[value["kind"]] ?? {})(value)
    : false;

const ref = shape({ record: isCount, stream: oneOf("stdout", "stderr"), offset: isCount, length: isCount });
const item = shape({ text: isText, status: oneOf("pending", "in_progress", "completed", "unknown") });
const statuses = oneOf("completed", "failed", "blocked", "timed_out", "hung", "canceled", "crashed", "infrastructure");

const common = { parent: maybe(isText), rule: maybe(isText), from: maybe(listOf(ref)), raw: anything };
const said = { text: isText, messageId: maybe(isText) };
const subagent = { subagentId: isText, name: maybe(isText), callId: maybe(isText) };
const asked = { callId: maybe(isText), tool: maybe(isText) };
const diagnostic = { message: isText, code: maybe(isText) };

/** The fields of every event that a translator may give. The run's start and end are the log's own, and what is observed is the recorder's. */
const bodies: Readonly<Record<Exclude<EventType, "run-start" | "run-end" | ObservedType>, Readonly<Record<string, Check>>>> = {
  session: { sessionId: maybe(isText), model: maybe(isText), cwd: maybe(isText), agentVersion: maybe(isText) },
  "text-delta": said,
  "reasoning-delta": said,
  message: { role: oneOf("assistant", "user", "system"), ...said, repeats: maybe(isTrue) },
  reasoning: { text: isText, redacted: maybe(isTrue) },
  "tool-start": { callId: isText, tool: isText, operations: listOf(isOperation), silent: maybe(isTrue) },
  "tool-progress": { callId: maybe(isText), message: maybe(isText), state: maybe(isText) },
  "tool-end": {
    callId: isText,
    success: maybe(isFlag),
    exitCode: maybe(isNumber),
    output: maybe(isText),
    interrupted: maybe(isTrue),
    operations: maybe(listOf(isOperation)),
    endings: maybe(listOf(shape({ success: maybe(isFlag), exitCode: maybe(isNumber) }))),
  },
  plan: { items: listOf(item) },
  "subagent-start": { ...subagent, description: maybe(isText) },
  "subagent-end": { ...subagent, success: maybe(isFlag) },
  "permission-request": asked,
  "permission-decision": { ...asked, decision: oneOf("allow", "deny"), reason: maybe(isText) },
  compaction: { trigger: maybe(isText), tokensBefore: maybe(isNumber) },
  notice: { kind: isText, message: maybe(isText) },
  usage: {
    scope: oneOf("total", "step"),
    tokens: shape(Object.fromEntries(tokenClasses.map((name) => [name, (value) => value === null || isNumber(value)]))),
    costUsd: maybe(isNumber),
  },
  result: {
    outcome: maybe(statuses),
    reason: maybe(isText),
    text: maybe(isText),
    durationMs: maybe(isNumber),
    turns: maybe(isNumber),
    pending: maybe(isTrue),
  },
  warning: diagnostic,
  error: diagnostic,
  unknown: { truncated: maybe(isTrue), oversize: maybe(isTrue), encoding: maybe(oneOf("base64")) },
};

/** Fields in which null is a value of its own. */
const FREE = new Set(["raw", "input", "request"]);

/**
 * The body of an event that somebody else's translator gave, in a copy that holds nothing but JSON, or in a few words why it is none.
 * A field that is null is taken for one that is not there, and a class of tokens that is not there for one that is null.
 */
export function wellFormed(value: unknown): EventBody | string {
  if (!isObject(value)) return "it gave something that is no event";
  const copy = copyOf(value);
  if (typeof copy === "string") return copy;
  const { type } = copy;
  if (typeof type !== "string" || !Object.hasOwn(bodies, type))
    return `it gave an event of the type ${JSON.stringify(type) ?? "undefined"}`;
  const flaw = flawIn(copy, { ...common, ...bodies[type as keyof typeof bodies] });
  return flaw === undefined ? (copy as unknown as EventBody) : `it gave a ${type} whose ${flaw} is not what it should be`;
}

/** Whatever is in it, getters and circles included, is looked at once, here, and never again. */
function copyOf(value: JsonObject): JsonObject | string {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(value));
  } catch {
    return "it gave an event that cannot be written as JSON";
  }
  if (!isObject(copy)) return "it gave something that is no event";
  const fields = Object.entries(copy).filter(([name, field]) => field !== null || FREE.has(name));
  const kept: Record<string, unknown> = Object.fromEntries(fields);
  if (isObject(kept["tokens"])) kept["tokens"] = { ...noTokens, ...kept["tokens"] };
  if (kept["type"] === "tool-start") kept["operations"] ??= [];
  return kept;
}

function flawIn(value: JsonObject, checks: Readonly<Record<string, Check>>): string | undefined {
  return Object.entries(checks).find(([name, check]) => !check(value[name]))?.[0];
}
