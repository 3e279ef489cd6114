/** One folder per published format: a pure function from events to its records. */

export { ACTIVITY_VERSION, type Activity, activity } from "./activity/index.ts";
export { CAPTURE_VERSION, type Capture, capture } from "./capture/index.ts";
export { CONVERSATION_VERSION, conversation } from "./conversation/index.ts";
export { DECISION_VERSION, type DecisionEvent, decision, decisionParents, decisionTypes, requiredChecks } from "./decision/index.ts";
export { GRAPH_VERSION, type GraphRecord, graph, graphRecord } from "./graph/index.ts";
export { log, logSchema } from "./log/index.ts";
export { MARKDOWN_VERSION, type Markdown, markdownOf } from "./markdown/index.ts";
export { type Refs, withRefs } from "./refs.ts";
export { rendererFor } from "./renderer-for.ts";
export { RESULT_VERSION, type RunResult, result } from "./result/index.ts";
export { STREAM_VERSION, type StreamRecord, stream } from "./stream/index.ts";
export { SUMMARY_VERSION, type Summary, summaryOf } from "./summary/index.ts";
export { TRAJECTORY_VERSION, type TrajectoryStep } from "./trajectory/index.ts";
export { TRUTH_RULES, TRUTH_VERSION, type Truth, truth } from "./truth/index.ts";
export { type ViewId, views } from "./views.ts";
