import { z } from "zod";
import { RESULT_VERSION, type Refs, type RunResult } from "../../pure/views/index.ts";
import { count, refs, runStatus, tokens, versionLike } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  return object({
    schemaVersion: versionLike(RESULT_VERSION),
    status: runStatus(),
    reason: z.string().nullable().describe("Which row of the truth table decided the status"),
    output: z.string().nullable().describe("The final answer"),
    sessionId: z.string().nullable(),
    model: z.string().nullable(),
    usage: tokens(object),
    cost: z.number().nullable().describe("US dollars, as the agent reports them"),
    subagents: count(),
    toolCalls: count(),
    durationMs: z.number().nullable(),
    exitCode: z.int().nullable(),
    signal: z.string().nullable(),
    unknown: count().describe("How many pieces of output nobody could read"),
    ...refs(),
  });
}

true satisfies Same<RecordOf<typeof record>, Omit<RunResult, "schemaVersion"> & { schemaVersion: string } & Partial<Refs>>;

export const result = schema({
  name: "result",
  version: RESULT_VERSION,
  title: "Run result",
  description: 'How a run went, in one object. Null is "not known", never zero.',
  record,
});
