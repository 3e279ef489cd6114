import { lineDiff } from "../base/index.ts";
import type { Graph } from "./graph.ts";
import type { GraphNode } from "./graph-node.ts";
import { runsOf, threadOf } from "./queries.ts";

/** A stretch of two conversations: the same in both, or what stands in one where the other has something else. */
export interface GraphDifference {
  readonly same: boolean;
  readonly a: readonly GraphNode[];
  readonly b: readonly GraphNode[];
}

/**
 * Two conversations side by side, by what was said and done: ids, times and usage make no difference, so two runs of one
 * prompt can be compared as well as a conversation with its fork. A subagent's run stands behind the node it began at.
 */
export function diffGraphs(a: Graph, b: Graph): readonly GraphDifference[] {
  const left = inReadingOrder(a);
  const right = inReadingOrder(b);
  const found: GraphDifference[] = [];
  let i = 0;
  let j = 0;
  const same = (end: number, other: number) => {
    if (end > i) found.push({ same: true, a: left.slice(i, end), b: right.slice(j, other) });
  };
  for (const region of lineDiff(left.map(words), right.map(words))) {
    same(region.a, region.b);
    found.push({ same: false, a: left.slice(region.a, region.aEnd), b: right.slice(region.b, region.bEnd) });
    i = region.aEnd;
    j = region.bEnd;
  }
  same(left.length, right.length);
  return found;
}

/** Every run behind the node it began at; what only measures is left out. */
function inReadingOrder(graph: Graph): GraphNode[] {
  const begun = new Map<string | undefined, string[]>();
  for (const { runId, parent } of runsOf(graph)) {
    const there = begun.get(parent);
    if (there === undefined) begun.set(parent, [runId]);
    else there.push(runId);
  }
  const found: GraphNode[] = [];
  const open = (begun.get(undefined) ?? []).map((runId) => threadOf(graph, runId)[Symbol.iterator]()).reverse();
  for (let thread = open.at(-1); thread !== undefined; thread = open.at(-1)) {
    const { value: node, done } = thread.next();
    if (done) {
      open.pop();
      continue;
    }
    if (node.type !== "usage") found.push(node);
    open.push(...(begun.get(node.id) ?? []).map((runId) => threadOf(graph, runId)[Symbol.iterator]()).reverse());
  }
  return found;
}

/** What makes a node the same as another one. */
function words(node: GraphNode): string {
  switch (node.type) {
    case "harness_start":
      return JSON.stringify([node.type, node.agent]);
    case "harness_end":
      return JSON.stringify([node.type, node.reason]);
    case "repl_output":
      return JSON.stringify([node.type, node.stdout, node.error, node.done]);
    default: {
      const { id: _id, runId: _run, parentId: _parent, ...rest } = node;
      return JSON.stringify(rest);
    }
  }
}
