/** The library's public interface. test/project/exports.test.ts pins the list. */

export * from "./graph.ts";
export type { ByteSource } from "./host/files/index.ts";
export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./host/permissions/index.ts";
export { type Launch, type LaunchExit, type Launched, type Launcher, type LaunchStdio, localLauncher } from "./host/process/index.ts";
export type {
  OpenRecording,
  RecordedEvents,
  RecordingEnd,
  RecordingOptions,
  RecordOptions,
  RunManifest,
  RunOptions,
  Seal,
  Sink,
  SinkReport,
  SinkRun,
} from "./host/recording/index.ts";
export {
  type Derivation,
  type DeriveOptions,
  derive,
  loadAgent,
  openRecording,
  type RunCall,
  record,
  run,
} from "./host/recording/index.ts";
export * from "./native.ts";
export type { AgentId } from "./pure/agents/index.ts";
export { agents } from "./pure/agents/index.ts";
export type { Translator } from "./pure/base/index.ts";
export { HarnessError, type HarnessErrorCode } from "./pure/base/index.ts";
export type { ExitRecord, FactRecord, Line, LineRecord, Operation, RecordRef, RunRecord, Stream, Tokens } from "./pure/events/index.ts";
export {
  EVENT_VERSION,
  type Event,
  type EventBody,
  type EventType,
  type LogRecord,
  type Provenance,
  type RunStatus,
} from "./pure/events/index.ts";
export type { Agent, AgentOrigin, Command, McpServer, RunContext, Task, View, ViewOptions } from "./pure/pipeline/index.ts";
export { consumed, type Decode, eventLog, LINE_CAP, lineSplitter, type Pipeline, pipeline, type RunInfo } from "./pure/pipeline/index.ts";
export { type Classification, classify } from "./pure/shell/index.ts";
export type { Activity, RunResult, StreamRecord } from "./pure/views/index.ts";
export { type Refs, type ViewId, views, withRefs } from "./pure/views/index.ts";
