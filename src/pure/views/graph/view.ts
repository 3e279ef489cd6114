import { nothing } from "../../base/index.ts";
import { createGraph, type Graph, noUsage, reduceEvent, runsOf, totalsOf } from "../../conversation/index.ts";
import type { View } from "../../pipeline/index.ts";
import { conversation } from "../conversation/index.ts";
import type { GraphRecord } from "./schema.ts";

export const graph: View<GraphRecord> = {
  id: "graph",
  title: "The conversation as a graph of nodes and edges",
  holdsRun: true,
  open(options) {
    const events = conversation.open(options);
    let graph = createGraph();
    return {
      push(event) {
        for (const said of events.push(event)) graph = reduceEvent(graph, said);
        return event.body.type === "run-end" ? [graphRecord(graph)] : nothing;
      },
      end: () => nothing,
    };
  },
};

export function graphRecord(graph: Graph): GraphRecord {
  const totals = totalsOf(graph);
  return {
    runs: runsOf(graph).map((run) => ({ ...run, usage: totals.get(run.runId) ?? noUsage })),
    nodes: [...graph.nodes.values()],
    edges: [...graph.edges].map(([source, targets]) => ({ source, targets })),
  };
}
