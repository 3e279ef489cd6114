/** The library. What is exported here is the public interface; test/project/exports.test.ts pins the list. */

export type { ByteSource } from "./host/files/index.ts";
export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./host/process/index.ts";
export { type Launch, type LaunchExit, type Launched, type Launcher, type LaunchStdio, localLauncher } from "./host/process/index.ts";
export type { RunOptions } from "./host/recording/index.ts";
export { type Derivation, type DeriveOptions, derive, loadAgent, type RunCall, run } from "./host/recording/index.ts";
export type { AgentId } from "./pure/agents/index.ts";
export { agents } from "./pure/agents/index.ts";
export type { Translator } from "./pure/base/index.ts";
export { HarnessError, type HarnessErrorCode } from "./pure/base/index.ts";
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
export type {
  ExitRecord,
  FactRecord,
  Harness,
  HarnessEvent,
  HarnessEventOf,
  HarnessEventType,
  Line,
  LineRecord,
  Operation,
  RecordRef,
  RunRecord,
  Stream,
  Tokens,
  ToolOutput,
  ToolParseError,
  Usage,
} from "./pure/events/index.ts";
export { EVENT_VERSION, type Event, type EventBody, type EventType, type Provenance, type RunStatus } from "./pure/events/index.ts";
export type { Agent, AgentOrigin, Command, McpServer, RunContext, Task, View, ViewOptions } from "./pure/pipeline/index.ts";
export { consumed, type Decode, eventLog, LINE_CAP, lineSplitter, type Pipeline, pipeline, type RunInfo } from "./pure/pipeline/index.ts";
export { type Classification, classify } from "./pure/shell/index.ts";
export type { Activity, LogRecord, RunResult, StreamRecord } from "./pure/views/index.ts";
export { type Refs, type ViewId, views, withRefs } from "./pure/views/index.ts";
export type { AgentPermissions, CallRule, EngineLimits, RelayAnswer, Tools, Turn, WorkspaceToolOptions } from "./work/native/index.ts";
export {
  type AgentCall,
  type AgentHarness,
  type AgentOptions,
  agentHarness,
  type McpOptions,
  type McpTools,
  mcpTools,
  type Orchestrator,
  type OrchestratorOptions,
  orchestrator,
  type ProviderCall,
  type ProviderHarness,
  type ProviderOptions,
  providerHarness,
  type RecordedTask,
  type ReplCall,
  type ReplHarness,
  type ReplOptions,
  recordedHarness,
  replHarness,
  type SpawnTask,
  workspaceTools,
} from "./work/native/index.ts";
