import { z } from "zod";
import { ACTIVITY_VERSION, type Activity, type Refs } from "../../pure/views/index.ts";
import { type Fields, refs } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  const common = {
    timestamp: z.iso.datetime().describe("When it was observed, ISO 8601"),
    sessionId: z.string().exactOptional().describe("The agent's own session id, once it is known"),
    subagentId: z.string().exactOptional().describe("The subagent whose work this is; on orchestration, the subagent it is about"),
  };
  const message = z.string();
  const path = z.string().describe("Absolute where the agent or the working directory makes it so");
  const line = z.number().exactOptional().describe("One-based; the range is inclusive");
  const isSuccess = z.boolean().exactOptional().describe("Left out where the agent does not tell");

  function event<Type extends string, F extends Fields>(types: readonly Type[], description: string, fields: F) {
    return object({ type: z.literal(types), ...common, ...fields, ...refs() }).describe(description);
  }

  return z.discriminatedUnion("type", [
    event(["agent"], "What the agent said", { message }),
    event(["reasoning"], "What the model was thinking; only with --reasoning", { message }),
    event(["command"], "A shell command; never its output", {
      command: z.string(),
      workingDirectory: z.string().exactOptional(),
      exitCode: z.number().exactOptional(),
      isSuccess,
    }),
    event(["read", "write"], "A file; never its contents", { path, startLine: line, endLine: line, isSuccess }),
    event(["search"], "A search; never what it found", { query: z.string(), path: path.exactOptional(), isSuccess }),
    event(["list"], "A directory; never its entries", { path: path.exactOptional(), isSuccess }),
    event(["skill"], "The use of a skill", { path, skillName: z.string().exactOptional(), isSuccess }),
    event(["orchestration"], "A subagent's beginning or end", {
      action: z.enum(["subagent_started", "subagent_completed", "subagent_failed"]),
      subagentName: z.string().exactOptional(),
      isSuccess,
    }),
    event(["error", "warning"], "What the agent's program says about itself", { message, code: z.string().exactOptional() }),
    event(["unknown"], "Output that no other type fits, in the agent's own words", {
      raw: z.unknown().describe("Any JSON value; a string for output that is not JSON"),
      truncated: z.literal(true).exactOptional().describe("The stream ended in the middle of this line"),
      oversize: z.literal(true).exactOptional().describe("raw is only the beginning of a very long line"),
      encoding: z.literal("base64").exactOptional().describe("raw is the base64 of bytes that are not text"),
    }),
  ]);
}

true satisfies Same<RecordOf<typeof record>, Activity & Partial<Refs>>;

export const activity = schema({
  name: "activity",
  version: ACTIVITY_VERSION,
  title: "Activity event",
  description: "One thing an agent did: a record of the activity view, one per line. Unset optional fields are left out.",
  record,
});
