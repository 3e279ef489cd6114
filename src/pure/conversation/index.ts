/** The graph of a conversation (specification 002): reduce, query, compare, draw. */

export { collapse } from "./collapse.ts";
export { diffGraphs, type GraphDifference } from "./diff-graphs.ts";
export { createGraph, type Graph, type GraphNode, reduceEvent, versionOf } from "./graph.ts";
export { addUsage, noUsage } from "./harness-usage.ts";
export { type Layout, type Line, layout, type Placed } from "./layout.ts";
export { nodeIdsOf } from "./node-ids.ts";
export { outline, type Step } from "./outline.ts";
export { ancestorsOf, childrenOf, type GraphRun, runsOf, threadOf } from "./queries.ts";
export { totalsOf, type UsageRollUp, usageOf } from "./usage-of.ts";
