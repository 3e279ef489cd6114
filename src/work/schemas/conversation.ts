import { z } from "zod";
import type { HarnessEvent } from "../../pure/events/index.ts";
import { CONVERSATION_VERSION, type Refs } from "../../pure/views/index.ts";
import { count, type Fields, refs, streamName } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

const maybe = () => z.string().exactOptional();
const id = () => z.string().describe("The same for all chunks of one thing");

export const usageFields = () => ({
  inputTokens: z.number().nullable().describe("Uncached input"),
  outputTokens: z.number().nullable().describe("With reasoning"),
  cacheReadTokens: z.number().exactOptional(),
  cacheCreationTokens: z.number().exactOptional(),
  costUsd: z.number().exactOptional(),
});

/** The id of an event that may have one, and of one that has none. A node always has one. */
const ofEvents = () => ({ maybe: { id: maybe() }, never: {} });
export const ofNodes = () => ({ maybe: { id: z.string() }, never: { id: z.string() } });

/** An event of specification 002, with more fields beside its own. */
export function eventOf<F extends Fields, M extends Fields, N extends Fields>(object: ObjectOf, more: F, ids: { maybe: M; never: N }) {
  const usage = usageFields();

  function event<Name extends string, G extends Fields>(type: Name, fields: G) {
    return bare(type, { ...more, ...fields });
  }

  function bare<Name extends string, G extends Fields>(type: Name, fields: G) {
    return object({
      type: z.literal(type),
      runId: z.string().describe("One invocation: the agent's thread, a subagent's, a call of a model"),
      parentId: maybe().describe("The node, or the run, that this works for"),
      ...fields,
    });
  }

  return z.discriminatedUnion("type", [
    event("harness_start", {
      ...ids.never,
      depth: count().exactOptional(),
      maxIterations: count().exactOptional(),
      agent: maybe(),
      model: maybe(),
    }),
    event("harness_end", {
      ...ids.never,
      reason: z.enum(["final", "max_iterations", "error"]),
      iterations: z.number(),
      totalUsage: object(usage),
    }),
    event("text", { id: id(), content: z.string() }),
    event("reasoning", { id: id(), content: z.string() }),
    event("tool_call", { id: z.string(), name: z.string(), input: z.unknown() }),
    event("tool_result", {
      id: z.string().describe("That of its call"),
      name: z.string(),
      output: z.unknown().describe("{context, result}, {status: denied, reason} or {error}"),
      input: z.unknown().exactOptional().describe("What was asked for, of a call that was refused and is told as no tool_call"),
    }),
    event("tool_progress", { id: id(), toolCallId: z.string(), name: z.string(), content: z.unknown() }),
    event("repl_input", { id: z.string(), code: z.string(), iteration: count().exactOptional() }),
    bare("repl_progress", { ...withoutStream(more), id: id(), chunk: z.string(), stream: streamName() }),
    event("repl_output", {
      id: z.string(),
      stdout: z.string(),
      error: maybe(),
      done: z.boolean(),
      iteration: count().exactOptional(),
      durationMs: z.number().exactOptional(),
      truncated: z.boolean().exactOptional(),
    }),
    event("relay", { kind: z.literal("permission"), id: z.string(), toolCallId: z.string(), tool: z.string(), params: z.unknown() }),
    event("usage", { ...ids.maybe, model: maybe(), ...usage }),
    event("error", { ...ids.maybe, message: z.string(), code: maybe() }),
    event("user", { ...ids.maybe, content: z.string() }),
  ]);
}

/** Of what a REPL printed, the stream is its own and not that of the byte range. */
function withoutStream<F extends Fields>({ stream: _, ...rest }: F): Omit<F, "stream"> {
  return rest;
}

function record(object: ObjectOf) {
  return eventOf(object, refs(), ofEvents());
}

true satisfies Same<RecordOf<typeof record>, HarnessEvent & Partial<Refs>>;

export const conversation = schema({
  name: "conversation",
  version: CONVERSATION_VERSION,
  title: "Conversation event",
  description: "What was said and done, one event per line; runs are told apart by runId, and lead to one another by parentId.",
  record,
});
