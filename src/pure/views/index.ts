/** One folder per published format: a pure function from events to its records. */

export { type Activity, activity } from "./activity/index.ts";
export { type Capture, capture, captureRecord, promptInput } from "./capture/index.ts";
export { conversation } from "./conversation/index.ts";
export { type DecisionEvent, decision, decisionParents, decisionTypes, requiredChecks } from "./decision/index.ts";
export { graph, graphRecord } from "./graph/index.ts";
export { log } from "./log/index.ts";
export { markdownOf } from "./markdown/index.ts";
export { type Refs, withRefs } from "./refs.ts";
export { rendererFor } from "./renderer-for.ts";
export { type RunResult, result } from "./result/index.ts";
export { NOT_FROM_A_SESSION_LOG, promptIn, respelled, type StreamRecord, sessionLogAgent, sessionStartOf, stream } from "./stream/index.ts";
export { type Summary, summaryOf } from "./summary/index.ts";
export { TRAJECTORY_VERSION, type TrajectoryStep, trajectoryStep } from "./trajectory/index.ts";
export { differingTokens, filesNamedIn, isNoise, type Truth, truth } from "./truth/index.ts";
export { viewSchemas } from "./view-schemas.ts";
export { unnamedOutside, type ViewId, views } from "./views.ts";
