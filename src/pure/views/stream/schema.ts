import {
  described,
  epochMs,
  type Fields,
  flag,
  nullable,
  number,
  type OneOf,
  object,
  oneOf,
  optional,
  type Static,
  text,
  union,
  versionLike,
  yes,
} from "../../base/index.ts";
import { covers, partialUsage, role, statusOrNull, tokens } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

export const STREAM_VERSION = "1.2";

const subagent_id = optional(text, "The subagent that did this; absent for the main thread");
const call = { call_id: text, tool_name: text };

/** Type names have two spellings, never mixed in one stream. Readers accept both. */
function line<T extends string, F extends Fields>(type: OneOf<T>, description: string, fields: F) {
  return described(object({ type, timestamp_ms: epochMs, ...fields }), description);
}

/** The NDJSON stream of specification 001 with its agreed additions. Keys are snake_case, as in the document. */
const stream = union("type", [
  line(oneOf("SessionStart", "session_start"), "Exactly one, first", {
    session_id: described(nullable(text), "The agent's own session id; null until it is reported"),
    agent: text,
    model: nullable(text),
    cwd: nullable(text),
    schema_version: versionLike(STREAM_VERSION),
  }),
  line(oneOf("TextDelta", "text_delta"), "A piece of the next message: the deltas of a message concatenate to its text", {
    text,
    subagent_id,
  }),
  line(oneOf("Message", "message"), "A complete message", {
    role,
    text,
    subagent_id,
    partial: described(yes, "The agent began this message and never finished it"),
  }),
  line(oneOf("ToolStart", "tool_start"), "A tool call begins", {
    ...call,
    input: described(text, "The input as JSON text"),
    subagent_id,
  }),
  line(oneOf("ToolEnd", "tool_end"), "A tool call has ended", {
    ...call,
    success: described(nullable(flag), "Null if the agent does not report it"),
    output: text,
    subagent_id,
  }),
  line(oneOf("UsageDelta", "usage_delta"), "Usage in addition to what was reported so far", {
    usage: tokens,
    covers: optional(covers),
    incomplete: described(yes, "The agent was cut off before it reported all"),
  }),
  line(oneOf("Result", "result"), "Exactly one, last", {
    success: flag,
    status: statusOrNull,
    text: described(nullable(text), "The final answer"),
    duration_ms: nullable(number),
    total_cost_usd: described(nullable(number), "Of the whole run"),
    session_id: nullable(text),
    usage: described(tokens, "Of the whole run. What the agent reports of a part is in partial_usage"),
    partial_usage: optional(partialUsage, "If the agent reports only a part of what the run used"),
    partial_cost: optional(object({ covers, complete: flag, cost_usd: number }), "If the agent reports only a part of what the run cost"),
  }),
  line(oneOf("Error", "error"), "An error of the agent's program", { message: text, code: optional(text), subagent_id }),
]);

/** A record in the first spelling, which the view produces. */
export type StreamRecord = Pascal<Static<typeof stream>>;
type Pascal<T> = T extends { readonly type: infer Name } ? Omit<T, "type"> & { readonly type: Exclude<Name, Lowercase<string>> } : never;

export const streamSchema = viewSchema({
  name: "stream",
  version: STREAM_VERSION,
  title: "Stream record",
  description: "One line of the unified NDJSON stream. Type names are SessionStart or session_start, as the writer chose.",
  shape: stream,
});
