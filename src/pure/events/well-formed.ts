import { flawOf, isObject, type JsonObject, variants } from "../base/index.ts";
import { addition, declarations, type EventBody } from "./event.ts";
import { noTokens } from "./tokens.ts";

/** What a translator may return. The log itself adds the run's start and end; observations come from the recorder. */
const body = variants(declarations, addition);

/** Fields in which null is a valid value. */
const FREE = new Set(["raw", "input", "request"]);

/**
 * Checks an event body from a translator outside this package. Returns a pure JSON copy, or the reason why it is invalid. A null field
 * counts as absent, and an absent token class as null.
 */
export function wellFormed(value: unknown): EventBody | string {
  if (!isObject(value)) return "it returned a value that is not an event";
  const copy = copyOf(value);
  if (typeof copy === "string") return copy;
  const { type } = copy;
  const flaw = flawOf(body, copy);
  if (flaw === undefined) return copy as unknown as EventBody;
  if (flaw[0] === "type") return `it returned an event of unknown type ${JSON.stringify(type) ?? "undefined"}`;
  return `it returned an invalid ${type}: check its field ${flaw[0]}`;
}

/** The value is read once, here: it may have getters or cycles. */
function copyOf(value: JsonObject): JsonObject | string {
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(value));
  } catch {
    return "it returned an event that cannot be written as JSON";
  }
  if (!isObject(copy)) return "it returned a value that is not an event";
  const fields = Object.entries(copy).filter(([name, field]) => field !== null || FREE.has(name));
  const kept: Record<string, unknown> = Object.fromEntries(fields);
  if (isObject(kept["tokens"])) kept["tokens"] = { ...noTokens, ...kept["tokens"] };
  if (kept["type"] === "tool-start") kept["operations"] ??= [];
  return kept;
}
