/** The one vocabulary: records, facts, operations, and the events they become. */

export { eventReader, type LogRecord, logRecord, recordOf } from "./codec.ts";
export {
  type ArtifactBody,
  type BodyOf,
  type Call,
  type CheckBody,
  type CommandObservedBody,
  type CommandsObservedBody,
  EVENT_VERSION,
  type Event,
  type EventBody,
  type EventType,
  type FilesChangedBody,
  type ModelLedgerBody,
  type ObservationBody,
  type ObservedType,
  type PlanItem,
  type ProcessObservedBody,
  type ProcessStartedBody,
  type PromptBundle,
  type Provenance,
  type Role,
  type RunEndBody,
  type ToolEndBody,
  type ToolStartBody,
  type UnknownBody,
  type UsageBody,
  vocabulary,
  type WorkspaceBody,
} from "./event.ts";
export { type FactBody, type FactRecord, fact, type RunRecord } from "./fact.ts";
export type { Harness, HarnessEvent, HarnessEventOf, HarnessEventType, ToolOutput, ToolParseError, Usage } from "./harness-event.ts";
export type {
  CaptureMode,
  CheckGroup,
  CheckStatus,
  CommandCategory,
  CommandSource,
  Constraint,
  Environment,
  Evidence,
  FileChange,
  FileChangeKind,
  FileRef,
  LookedUp,
  ObservabilityMode,
  Resources,
  TracedEffect,
  TraceEffects,
  TraceGap,
  TraceGapReason,
} from "./observation.ts";
export { type Ending, type Operation, type SearchOperation, succeeded } from "./operation.ts";
export { type ExitRecord, type Line, type LineRecord, type RecordRef, type Stop, type Stream, stop, stream } from "./record.ts";
export type { RunStatus } from "./run-status.ts";
export {
  addTokens,
  anyTokens,
  noTokens,
  ownCost,
  ownTokens,
  type SessionUsage,
  sumOfTokens,
  type Tokens,
  tokenClasses,
  tokenCounts,
  tokens,
  tokensSince,
  totalTokens,
} from "./tokens.ts";
export { unlistedCommands } from "./unlisted-commands.ts";
export { usageSum } from "./usage-sum.ts";
export { wellFormed } from "./well-formed.ts";
