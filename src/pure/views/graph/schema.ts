import { described, list, object, optional, type Static, text } from "../../base/index.ts";
import { graphNode } from "../../conversation/index.ts";
import { usage } from "../../events/index.ts";
import { viewSchema } from "../view-schema.ts";

/** The serialised graph of a conversation, in order of arrival. */
const graph = object({
  runs: list(
    object({
      runId: text,
      parent: optional(text, "The node where it began"),
      parentRun: optional(text, "The run of that node"),
      usage: described(usage, "Including the runs below it"),
    }),
  ),
  nodes: described(list(graphNode), "Events under their node's id, with their chunks joined"),
  edges: list(object({ source: text, targets: list(text) })),
});
export type GraphRecord = Static<typeof graph>;

export const graphSchema = viewSchema({
  name: "graph",
  version: "1.1",
  title: "Conversation graph",
  description: "The graph of a whole conversation: runs, nodes and edges, each in order of arrival.",
  shape: graph,
});
