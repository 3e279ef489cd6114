import { lineDiff } from "../base/index.ts";
import type { Graph } from "./graph.ts";
import type { GraphNode } from "./graph-node.ts";
import { runsOf, threadOf } from "./queries.ts";

/** A stretch of two conversations: the same in both, or different. */
export interface GraphDifference {
  readonly same: boolean;
  readonly a: readonly GraphNode[];
  readonly b: readonly GraphNode[];
}

/**
 * Compares two conversations by what was said and done. Ids, times and usage are ignored, so two runs of one prompt can be compared, and
 * a conversation with its fork. A subagent's run follows the node it began at.
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
  for (const region of lineDiff(left.map(keyOf), right.map(keyOf))) {
    same(region.a, region.b);
    found.push({ same: false, a: left.slice(region.a, region.aEnd), b: right.slice(region.b, region.bEnd) });
    i = region.aEnd;
    j = region.bEnd;
  }
  same(left.length, right.length);
  return found;
}

/** Puts every run after the node it began at, and leaves out usage. */
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

/** Two nodes with the same key count as equal. */
function keyOf(node: GraphNode): string {
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
