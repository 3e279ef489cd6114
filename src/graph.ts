/** `harness-recorder/graph`: the graph of a conversation, with no agent, disk or model. test/project/exports.test.ts pins the list. */

export {
  ancestorsOf,
  childrenOf,
  createGraph,
  diffGraphs,
  type Graph,
  type GraphDifference,
  type GraphNode,
  type GraphRun,
  reduceEvent,
  runsOf,
  threadOf,
  type UsageRollUp,
  usageOf,
} from "./pure/conversation/index.ts";
export type { HarnessEvent, HarnessEventOf, HarnessEventType, ToolOutput, ToolParseError, Usage } from "./pure/events/index.ts";
