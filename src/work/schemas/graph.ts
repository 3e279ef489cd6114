import { z } from "zod";
import { GRAPH_VERSION, type GraphRecord, type Refs } from "../../pure/views/index.ts";
import { eventOf, ofNodes, usageFields } from "./conversation.ts";
import { refs } from "./parts.ts";
import type { Same } from "./same.ts";
import { type ObjectOf, type RecordOf, schema } from "./schema.ts";

function record(object: ObjectOf) {
  const maybe = () => z.string().exactOptional();
  return object({
    runs: z.array(
      object({
        runId: z.string(),
        parent: maybe().describe("The node that it began at"),
        parentRun: maybe().describe("The run of that node"),
        usage: object(usageFields()).describe("With the runs below it"),
      }),
    ),
    nodes: z.array(eventOf(object, {}, ofNodes())).describe("Events under their node's id, chunks put together"),
    edges: z.array(object({ source: z.string(), targets: z.array(z.string()) })),
    ...refs(),
  });
}

true satisfies Same<RecordOf<typeof record>, GraphRecord & Partial<Refs>>;

export const graph = schema({
  name: "graph",
  version: GRAPH_VERSION,
  title: "Conversation graph",
  description: "The graph of a whole conversation: runs, nodes and edges, each in order of arrival.",
  record,
});
