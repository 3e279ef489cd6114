import { z } from "zod";
import { type Refs, TRUTH_RULES, TRUTH_VERSION, type Truth } from "../../pure/views/index.ts";
import { count, refs, versionLike } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  const rule = () => z.enum(TRUTH_RULES);
  const side = object({ text: z.string(), events: z.array(count()).describe("Numbers of the events that show it") }).meta({
    id: "Side",
    description: "What is said, or what was seen",
  });
  return object({
    schemaVersion: versionLike(TRUTH_VERSION),
    verdict: z
      .enum(["consistent", "contradicted", "unknown"])
      .describe("unknown: nothing speaks against the agent, and not all of it was observed"),
    findings: z.array(object({ rule: rule(), message: z.string(), declared: side, observed: side })).describe("The first of them"),
    total: count().describe("How many findings there are"),
    unobservable: z.array(object({ rule: rule(), reason: z.string() })).describe("What could not be looked at, and why"),
    compared: object({ calls: count(), changes: count().nullable(), commands: count().nullable() }).describe("How much was compared"),
    ...refs(),
  });
}

true satisfies Same<RecordOf<typeof record>, Omit<Truth, "schemaVersion"> & { schemaVersion: string } & Partial<Refs>>;

export const truth = schema({
  name: "truth",
  version: TRUTH_VERSION,
  title: "Truth",
  description: "What an agent says it did, against what was observed of it.",
  record,
});
