/** The library. What is exported here is the public interface; test/exports.test.ts pins the list. */

export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./acp/permission.ts";
export type { AgentId } from "./agents/index.ts";
export { agents } from "./agents/index.ts";
export type { Agent, AgentOrigin, Command, McpServer, RunContext, Task } from "./core/agent.ts";
export { consumed } from "./core/agent.ts";
export { HarnessError, type HarnessErrorCode } from "./core/errors.ts";
export { EVENT_VERSION, type Event, type EventBody, type EventType, type Provenance, type RunStatus } from "./core/event.ts";
export { eventLog, type RunInfo } from "./core/event-log.ts";
export type {
  Harness,
  HarnessEvent,
  HarnessEventOf,
  HarnessEventType,
  ToolOutput,
  ToolParseError,
  Usage,
} from "./core/harness-event.ts";
export { type Decode, LINE_CAP, lineSplitter } from "./core/line-splitter.ts";
export type { Operation } from "./core/operation.ts";
export { type Pipeline, pipeline } from "./core/pipeline.ts";
export type { ExitRecord, FactRecord, Line, LineRecord, RecordRef, RunRecord, Stream } from "./core/record.ts";
export type { Tokens } from "./core/tokens.ts";
export type { Translator } from "./core/translator.ts";
export type { View, ViewOptions } from "./core/view.ts";
export { type Derivation, type DeriveOptions, derive } from "./derive/derive.ts";
export { diffGraphs, type GraphDifference } from "./graph/diff-graphs.ts";
export { createGraph, type Graph, type GraphNode, reduceEvent } from "./graph/graph.ts";
export { ancestorsOf, childrenOf, type GraphRun, runsOf, threadOf } from "./graph/queries.ts";
export { type UsageRollUp, usageOf } from "./graph/usage-of.ts";
export { type AgentCall, type AgentHarness, type AgentOptions, agentHarness } from "./native/agent-harness.ts";
export { type McpOptions, type McpTools, mcpTools } from "./native/mcp-tools.ts";
export { type Orchestrator, type OrchestratorOptions, orchestrator, type SpawnTask } from "./native/orchestrator.ts";
export type { AgentPermissions, CallRule } from "./native/permissions.ts";
export { type ProviderCall, type ProviderHarness, type ProviderOptions, providerHarness } from "./native/provider-harness.ts";
export { type RecordedTask, recordedHarness } from "./native/recorded-harness.ts";
export type { RelayAnswer } from "./native/relays.ts";
export type { EngineLimits } from "./native/repl/engine.ts";
export { type ReplCall, type ReplHarness, type ReplOptions, replHarness } from "./native/repl/repl-harness.ts";
export type { Tools } from "./native/tool-schema.ts";
export type { Turn } from "./native/turn.ts";
export { type WorkspaceToolOptions, workspaceTools } from "./native/workspace-tools.ts";
export { loadAgent } from "./own/load-agent.ts";
export { type RunCall, run } from "./recorder/run.ts";
export type { RunOptions } from "./recorder/run-options.ts";
export { type Classification, classify } from "./shell/classify.ts";
export type { ByteSource } from "./store/byte-source.ts";
export type { Activity } from "./views/activity.ts";
export { type ViewId, views } from "./views/index.ts";
export type { LogRecord } from "./views/log.ts";
export { type Refs, withRefs } from "./views/refs.ts";
export type { RunResult } from "./views/result.ts";
export type { StreamRecord } from "./views/stream.ts";
