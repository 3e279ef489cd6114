/** The graph of a conversation (specification 002): reduce, query, compare, draw. */

export { collapse } from "./collapse.ts";
export { diffGraphs, type GraphDifference } from "./diff-graphs.ts";
export { graphDot, graphMermaid, graphSvg, type Part, picture } from "./drawing/index.ts";
export { createGraph, type Graph, reduceEvent, versionOf } from "./graph.ts";
export { type GraphNode, graphNode } from "./graph-node.ts";
export { addUsage, noUsage } from "./harness-usage.ts";
export { nodeIdsOf } from "./node-ids.ts";
export { outline } from "./outline.ts";
export { ancestorsOf, childrenOf, type GraphRun, runsOf, threadOf } from "./queries.ts";
export type { Step } from "./step.ts";
export { totalsOf, type UsageRollUp, usageOf } from "./usage-of.ts";
