import { z } from "zod";
import { type Refs, STREAM_VERSION, type StreamRecord } from "../../pure/views/index.ts";
import { epochMs, type Fields, refs, role, runStatus, tokens, versionLike } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  const usage = tokens(object);
  const subagent_id = z.string().exactOptional().describe("The subagent whose work this is; absent for the main thread");
  const call = { call_id: z.string(), tool_name: z.string() };

  /** The type's name in its two spellings, which are never mixed in one stream; readers accept both. */
  function line<Name extends string, F extends Fields>(names: readonly Name[], description: string, fields: F) {
    return object({ type: z.literal(names), timestamp_ms: epochMs(), ...fields, ...refs() }).describe(description);
  }

  return z.discriminatedUnion("type", [
    line(["SessionStart", "session_start"], "Exactly one, first", {
      session_id: z.string().nullable().describe("The agent's own session id; null while it has not told one"),
      agent: z.string(),
      model: z.string().nullable(),
      cwd: z.string().nullable(),
      schema_version: versionLike(STREAM_VERSION),
    }),
    line(["TextDelta", "text_delta"], "A piece of a message to come: the deltas of a message concatenate to its text", {
      text: z.string(),
      subagent_id,
    }),
    line(["Message", "message"], "A complete message", {
      role: role(),
      text: z.string(),
      subagent_id,
      partial: z.literal(true).exactOptional().describe("The agent began this message and never finished it"),
    }),
    line(["ToolStart", "tool_start"], "A tool call begins", {
      ...call,
      input: z.string().describe("The input, as a JSON text"),
      subagent_id,
    }),
    line(["ToolEnd", "tool_end"], "A tool call has ended", {
      ...call,
      success: z.boolean().nullable().describe("Null where the agent does not tell"),
      output: z.string(),
      subagent_id,
    }),
    line(["UsageDelta", "usage_delta"], "What came on top of the usage told so far", { usage }),
    line(["Result", "result"], "Exactly one, last", {
      success: z.boolean(),
      status: runStatus(),
      text: z.string().nullable().describe("The final answer"),
      duration_ms: z.number().nullable(),
      total_cost_usd: z.number().nullable(),
      session_id: z.string().nullable(),
      usage,
    }),
    line(["Error", "error"], "An error of the agent's program", { message: z.string(), code: z.string().exactOptional(), subagent_id }),
  ]);
}

/** The view's own type has the first spelling only. */
type Pascal<T> = T extends { type: infer Name } ? Omit<T, "type"> & { type: Extract<Name, StreamRecord["type"]> } : never;

true satisfies Same<Pascal<RecordOf<typeof record>>, StreamRecord & Partial<Refs>>;

export const stream = schema({
  name: "stream",
  version: STREAM_VERSION,
  title: "Stream record",
  description: "One line of the unified NDJSON stream. Type names are written SessionStart or session_start, as the writer was asked.",
  record,
});
