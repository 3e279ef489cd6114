/** The one vocabulary: records, facts, operations, and the events they become. */

export {
  type BodyOf,
  type Call,
  EVENT_VERSION,
  type Event,
  type EventBody,
  type EventType,
  type PlanItem,
  type PromptBundle,
  type Provenance,
  type Role,
  type RunEndBody,
  type RunStatus,
  type ToolEndBody,
  type ToolStartBody,
  type UnknownBody,
  type UsageBody,
} from "./event.ts";
export type { Harness, HarnessEvent, HarnessEventOf, HarnessEventType, ToolOutput, ToolParseError, Usage } from "./harness-event.ts";
export type {
  ArtifactBody,
  CaptureMode,
  CheckBody,
  CheckGroup,
  CheckStatus,
  CommandCategory,
  CommandObservedBody,
  CommandSource,
  CommandsObservedBody,
  Constraint,
  Environment,
  Evidence,
  FileChange,
  FileChangeKind,
  FileRef,
  FilesChangedBody,
  LookedUp,
  ModelLedgerBody,
  ObservabilityMode,
  ObservationBody,
  ObservedType,
  ProcessObservedBody,
  ProcessStartedBody,
  Resources,
  TracedEffect,
  TraceEffects,
  TraceGap,
  TraceGapReason,
  WorkspaceBody,
} from "./observation.ts";
export { type Ending, type Operation, type SearchOperation, succeeded } from "./operation.ts";
export type { ExitRecord, FactBody, FactRecord, Line, LineRecord, RecordRef, RunRecord, Stop, Stream } from "./record.ts";
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
  tokensSince,
} from "./tokens.ts";
export { unlistedCommands } from "./unlisted-commands.ts";
export { usageSum } from "./usage-sum.ts";
export { wellFormed } from "./well-formed.ts";
