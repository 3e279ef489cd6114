import {
  described,
  epochMs,
  type Fields,
  flag,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  union,
  versionLike,
  type Words,
  yes,
} from "../../base/index.ts";
import { role, statusOrNull, tokens } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

export const STREAM_VERSION = "1.1";

const subagent_id = optional(text, "The subagent whose work this is; absent for the main thread");
const call = { call_id: text, tool_name: text };

/** The type's name in its two spellings, which are never mixed in one stream; readers accept both. */
function line<T extends string, F extends Fields>(type: Words<T>, description: string, fields: F) {
  return described(object({ type, timestamp_ms: epochMs, ...fields }), description);
}

/** The NDJSON stream of specification 001, with the settled additions. Keys are snake_case as the document has them. */
const stream = union("type", [
  line(oneOf("SessionStart", "session_start"), "Exactly one, first", {
    session_id: described(nullable(text), "The agent's own session id; null while it has not told one"),
    agent: text,
    model: nullable(text),
    cwd: nullable(text),
    schema_version: versionLike(STREAM_VERSION),
  }),
  line(oneOf("TextDelta", "text_delta"), "A piece of a message to come: the deltas of a message concatenate to its text", {
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
    input: described(text, "The input, as a JSON text"),
    subagent_id,
  }),
  line(oneOf("ToolEnd", "tool_end"), "A tool call has ended", {
    ...call,
    success: described(nullable(flag), "Null where the agent does not tell"),
    output: text,
    subagent_id,
  }),
  line(oneOf("UsageDelta", "usage_delta"), "What came on top of the usage told so far", { usage: tokens }),
  line(oneOf("Result", "result"), "Exactly one, last", {
    success: flag,
    status: statusOrNull,
    text: described(nullable(text), "The final answer"),
    duration_ms: nullable(number),
    total_cost_usd: nullable(number),
    session_id: nullable(text),
    usage: tokens,
  }),
  line(oneOf("Error", "error"), "An error of the agent's program", { message: text, code: optional(text), subagent_id }),
]);

/** A record in the first spelling, as the view makes it. */
export type StreamRecord = Pascal<Static<typeof stream>>;
type Pascal<T> = T extends { readonly type: infer Name } ? Omit<T, "type"> & { readonly type: Exclude<Name, Lowercase<string>> } : never;

export const streamSchema = viewSchema({
  name: "stream",
  version: STREAM_VERSION,
  title: "Stream record",
  description: "One line of the unified NDJSON stream. Type names are written SessionStart or session_start, as the writer was asked.",
  shape: stream,
});
