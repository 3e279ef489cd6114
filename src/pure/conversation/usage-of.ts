import type { Usage } from "../events/index.ts";
import type { Graph } from "./graph.ts";
import type { GraphNode } from "./graph-node.ts";
import { addUsage, noUsage } from "./harness-usage.ts";
import { runsOf, threadOf } from "./queries.ts";

/** Usage as far as it was reported; null or absent if it was not. */
export interface UsageRollUp {
  /** Used by the run or node itself. */
  readonly own: Usage;
  /** Including everything done for it. */
  readonly total: Usage;
  /** The number of runs below it that are included. */
  readonly runs: number;
}

/** The usage of a run including the runs below it, or of a node (for example a subagent call) including the runs that began there. */
export function usageOf(graph: Graph, id: string): UsageRollUp {
  const runs = runsOf(graph);
  const isRun = runs.some(({ runId }) => runId === id);
  const node = graph.nodes.get(id);
  const own = sum(isRun ? threadOf(graph, id) : node === undefined ? [] : [node]);
  const below = new Set<string>();
  for (const { runId, parent, parentRun } of runs) {
    const isBelow = below.has(parentRun ?? "") || (isRun ? parentRun === id : parent === id);
    if (isBelow && runId !== id) below.add(runId);
  }
  const total = [...below].reduce((all, runId) => addUsage(all, sum(threadOf(graph, runId))), own);
  return { own, total, runs: below.size };
}

/** The total of each run including the runs below it. One pass, because a long conversation has a run for every model response. */
export function totalsOf(graph: Graph): ReadonlyMap<string, Usage> {
  const runs = runsOf(graph);
  const totals = new Map(runs.map(({ runId }) => [runId, sum(threadOf(graph, runId))]));
  // A run begins after its parent, so going backwards each total is complete when it is added.
  for (const { runId, parentRun } of runs.toReversed()) {
    if (parentRun !== undefined) totals.set(parentRun, addUsage(totals.get(parentRun) ?? noUsage, totals.get(runId) ?? noUsage));
  }
  return totals;
}

function sum(nodes: readonly GraphNode[]): Usage {
  return nodes.reduce<Usage>((all, node) => (node.type === "usage" ? addUsage(all, node) : all), noUsage);
}
