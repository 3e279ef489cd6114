import { described, list, object, optional, type Static, text } from "../../base/index.ts";
import { graphNode } from "../../conversation/index.ts";
import { usage } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

/** The graph of a conversation, written out. Everything is in order of arrival. */
const graph = object({
  runs: list(
    object({
      runId: text,
      parent: optional(text, "The node that it began at"),
      parentRun: optional(text, "The run of that node"),
      usage: described(usage, "With the runs below it"),
    }),
  ),
  nodes: described(list(graphNode), "Events under their node's id, chunks put together"),
  edges: list(object({ source: text, targets: list(text) })),
});
export type GraphRecord = Static<typeof graph>;

export const graphSchema = viewSchema({
  name: "graph",
  version: "1.0",
  title: "Conversation graph",
  description: "The graph of a whole conversation: runs, nodes and edges, each in order of arrival.",
  shape: graph,
});
