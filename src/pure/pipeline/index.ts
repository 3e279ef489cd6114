/** Bytes become lines, lines become events: splitter, event log, order, outcome. */

export {
  type Agent,
  type AgentOrigin,
  askedFor,
  type Command,
  consumed,
  type LineTranslator,
  type McpAddress,
  type McpProgram,
  type McpServer,
  type Needs,
  type Permissions,
  type Provider,
  type RunContext,
  type SettingsOverlay,
  STREAM_ENDED,
  type Task,
  type Translated,
  type Volatile,
} from "./agent.ts";
export { eventLog, type RunInfo } from "./event-log.ts";
export { exitMessage } from "./exit-message.ts";
export { type Decode, LINE_CAP, lineSplitter } from "./line-splitter.ts";
export { parseLine } from "./parse-line.ts";
export { type Pipeline, pipeline } from "./pipeline.ts";
export type { RunRow } from "./run-row.ts";
export { type NetworkSum, runSummary } from "./run-summary.ts";
export {
  type Evaluated,
  innerEvents,
  type KeptRun,
  mapView,
  type Projection,
  textOf,
  type View,
  type ViewOptions,
} from "./view.ts";
export { vouchedFor } from "./vouched.ts";
