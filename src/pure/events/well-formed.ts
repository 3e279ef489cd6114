import { flawOf, isObject, type JsonObject, variants } from "../base/index.ts";
import { addition, declarations, type EventBody } from "./event.ts";
import { noTokens } from "./tokens.ts";

/** What a translator may give. The run's start and end are the log's own, and what is observed is the recorder's. */
const body = variants(declarations, addition);

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
  const flaw = flawOf(body, copy);
  if (flaw === undefined) return copy as unknown as EventBody;
  if (flaw[0] === "type") return `it gave an event of the type ${JSON.stringify(type) ?? "undefined"}`;
  return `it gave a ${type} whose ${flaw[0]} is not what it should be`;
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
