import type { Usage } from "../events/index.ts";
import type { Graph } from "./graph.ts";
import type { GraphNode } from "./graph-node.ts";
import { addUsage, noUsage } from "./harness-usage.ts";
import { runsOf, threadOf } from "./queries.ts";

/** What was used, as far as anybody told: null, or absent, where nobody did. */
export interface UsageRollUp {
  /** By the run, or the node, itself. */
  readonly own: Usage;
  /** With everything that was done for it. */
  readonly total: Usage;
  /** How many runs below it are in the total. */
  readonly runs: number;
}

/** The usage of a run with the runs below it; of a node (a call that sent a subagent out, say) with the runs that began there. */
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

/** The total of each run, with the runs below it; in one pass, because a long conversation has a run for every answer of a model. */
export function totalsOf(graph: Graph): ReadonlyMap<string, Usage> {
  const runs = runsOf(graph);
  const totals = new Map(runs.map(({ runId }) => [runId, sum(threadOf(graph, runId))]));
  // A run begins after the one it works for: from the last to the first, each is whole when it is added.
  for (const { runId, parentRun } of runs.toReversed()) {
    if (parentRun !== undefined) totals.set(parentRun, addUsage(totals.get(parentRun) ?? noUsage, totals.get(runId) ?? noUsage));
  }
  return totals;
}

function sum(nodes: readonly GraphNode[]): Usage {
  return nodes.reduce<Usage>((all, node) => (node.type === "usage" ? addUsage(all, node) : all), noUsage);
}
