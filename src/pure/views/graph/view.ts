import { nothing } from "../../base/index.ts";
import { createGraph, type Graph, type GraphNode, noUsage, reduceEvent, runsOf, totalsOf } from "../../conversation/index.ts";
import type { Usage } from "../../events/index.ts";
import type { View } from "../../pipeline/index.ts";
import { conversation } from "../conversation/index.ts";

export const GRAPH_VERSION = "1.0";

/** The graph of a conversation, written out. Everything is in order of arrival. */
export interface GraphRecord {
  readonly runs: readonly {
    readonly runId: string;
    /** The node that it began at, and the run of that node. */
    readonly parent?: string;
    readonly parentRun?: string;
    /** With the runs below it. */
    readonly usage: Usage;
  }[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly source: string; readonly targets: readonly string[] }[];
}

export const graph: View<GraphRecord> = {
  id: "graph",
  title: "The conversation as a graph of nodes and edges: specification 002's graph",
  open(options) {
    const events = conversation.open(options);
    let graph = createGraph();
    return {
      push(event) {
        for (const told of events.push(event)) graph = reduceEvent(graph, told);
        return event.body.type === "run-end" ? [graphRecord(graph)] : nothing;
      },
      end: () => nothing,
    };
  },
};

/** The whole graph as plain data. */
export function graphRecord(graph: Graph): GraphRecord {
  const totals = totalsOf(graph);
  return {
    runs: runsOf(graph).map((run) => ({ ...run, usage: totals.get(run.runId) ?? noUsage })),
    nodes: [...graph.nodes.values()],
    edges: [...graph.edges].map(([source, targets]) => ({ source, targets })),
  };
}
