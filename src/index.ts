/** The library. What is exported here is the public interface; test/project/exports.test.ts pins the list. */

export type { ByteSource } from "./host/files/byte-source.ts";
export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./host/process/acp/permission.ts";
export { type Derivation, type DeriveOptions, derive } from "./host/recording/derive/derive.ts";
export { loadAgent } from "./host/recording/own/load-agent.ts";
export { type RunCall, run } from "./host/recording/write/run.ts";
export type { RunOptions } from "./host/recording/write/run-options.ts";
export type { AgentId } from "./pure/agents/index.ts";
export { agents } from "./pure/agents/index.ts";
export { HarnessError, type HarnessErrorCode } from "./pure/base/errors.ts";
export type { Translator } from "./pure/base/translator.ts";
export { diffGraphs, type GraphDifference } from "./pure/conversation/diff-graphs.ts";
export { createGraph, type Graph, type GraphNode, reduceEvent } from "./pure/conversation/graph.ts";
export { ancestorsOf, childrenOf, type GraphRun, runsOf, threadOf } from "./pure/conversation/queries.ts";
export { type UsageRollUp, usageOf } from "./pure/conversation/usage-of.ts";
export { EVENT_VERSION, type Event, type EventBody, type EventType, type Provenance, type RunStatus } from "./pure/events/event.ts";
export type {
  Harness,
  HarnessEvent,
  HarnessEventOf,
  HarnessEventType,
  ToolOutput,
  ToolParseError,
  Usage,
} from "./pure/events/harness-event.ts";
export type { Operation } from "./pure/events/operation.ts";
export type { ExitRecord, FactRecord, Line, LineRecord, RecordRef, RunRecord, Stream } from "./pure/events/record.ts";
export type { Tokens } from "./pure/events/tokens.ts";
export type { Agent, AgentOrigin, Command, McpServer, RunContext, Task } from "./pure/pipeline/agent.ts";
export { consumed } from "./pure/pipeline/agent.ts";
export { eventLog, type RunInfo } from "./pure/pipeline/event-log.ts";
export { type Decode, LINE_CAP, lineSplitter } from "./pure/pipeline/line-splitter.ts";
export { type Pipeline, pipeline } from "./pure/pipeline/pipeline.ts";
export type { View, ViewOptions } from "./pure/pipeline/view.ts";
export { type Classification, classify } from "./pure/shell/classify.ts";
export type { Activity } from "./pure/views/activity/view.ts";
export { type ViewId, views } from "./pure/views/index.ts";
export type { LogRecord } from "./pure/views/log/view.ts";
export { type Refs, withRefs } from "./pure/views/refs.ts";
export type { RunResult } from "./pure/views/result/view.ts";
export type { StreamRecord } from "./pure/views/stream/view.ts";
export { type AgentCall, type AgentHarness, type AgentOptions, agentHarness } from "./work/native/agent-harness.ts";
export { type McpOptions, type McpTools, mcpTools } from "./work/native/mcp-tools.ts";
export { type Orchestrator, type OrchestratorOptions, orchestrator, type SpawnTask } from "./work/native/orchestrator.ts";
export type { AgentPermissions, CallRule } from "./work/native/permissions.ts";
export { type ProviderCall, type ProviderHarness, type ProviderOptions, providerHarness } from "./work/native/provider-harness.ts";
export { type RecordedTask, recordedHarness } from "./work/native/recorded-harness.ts";
export type { RelayAnswer } from "./work/native/relays.ts";
export type { EngineLimits } from "./work/native/repl/engine.ts";
export { type ReplCall, type ReplHarness, type ReplOptions, replHarness } from "./work/native/repl/repl-harness.ts";
export type { Tools } from "./work/native/tool-schema.ts";
export type { Turn } from "./work/native/turn.ts";
export { type WorkspaceToolOptions, workspaceTools } from "./work/native/workspace-tools.ts";
