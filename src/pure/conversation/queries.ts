import { type Graph, versionOf } from "./graph.ts";
import type { GraphNode } from "./graph-node.ts";
import { outAt } from "./read-edges.ts";
import { nodeAt } from "./read-nodes.ts";
import type { Entry } from "./store.ts";

/** The nodes of one run, in order. */
export function threadOf(graph: Graph, runId: string): readonly GraphNode[] {
  const { store, version } = versionOf(graph);
  const found: GraphNode[] = [];
  for (let entry = store.runs.get(runId)?.last; entry !== undefined; entry = entry.before) {
    if (entry.at <= version) found.push(nodeAt(entry, version));
  }
  return found.reverse();
}

/** The nodes that this node's edges lead to. */
export function childrenOf(graph: Graph, id: string): readonly GraphNode[] {
  const { version } = versionOf(graph);
  const entry = entryOf(graph, id);
  return entry === undefined ? [] : outAt(entry, version).map((child) => nodeAt(child, version));
}

/** Everything that led to this node, in order of arrival. */
export function ancestorsOf(graph: Graph, id: string): readonly GraphNode[] {
  const { version } = versionOf(graph);
  const seen = new Set<Entry>();
  const open = [entryOf(graph, id)];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    for (const above of [entry.before, entry.parent]) {
      if (above === undefined || seen.has(above)) continue;
      seen.add(above);
      open.push(above);
    }
  }
  return [...seen].sort((a, b) => a.at - b.at).map((entry) => nodeAt(entry, version));
}

/** A run and its place among the others. */
export interface GraphRun {
  readonly runId: string;
  /** The node named by the `parentId` of its first event. */
  readonly parent?: string;
  /** The run of that node. */
  readonly parentRun?: string;
}

/** All runs, in order of arrival. */
export function runsOf(graph: Graph): readonly GraphRun[] {
  const { store, version } = versionOf(graph);
  return [...store.runs]
    .filter(([, { first }]) => first.at <= version)
    .map(([runId, { first }]) => {
      const { parent } = first;
      return parent === undefined || parent.event.runId === runId ? { runId } : { runId, parent: parent.id, parentRun: parent.event.runId };
    });
}

function entryOf(graph: Graph, id: string): Entry | undefined {
  const { store, version } = versionOf(graph);
  const entry = store.nodes.get(id);
  return entry !== undefined && entry.at <= version ? entry : undefined;
}
