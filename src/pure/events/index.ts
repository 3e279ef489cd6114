/** The one vocabulary: records, facts, operations, and the events they become. */

export { eventReader, type LogRecord, logRecord, recordOf } from "./codec.ts";
export {
  atLeast,
  type Covers,
  costText,
  coverageNote,
  covers,
  lesser,
  type PartialCost,
  type PartialUsage,
  partialCost,
  partialUsage,
  shortCost,
  shortTokens,
  sumUsed,
  type Used,
  usageText,
} from "./coverage.ts";
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
  planItem,
  type Role,
  type RunEndBody,
  role,
  type ToolEndBody,
  type ToolStartBody,
  type UnknownBody,
  type UsageBody,
  vocabulary,
  type WorkspaceBody,
} from "./event.ts";
export { type FactBody, type FactRecord, fact, type RunRecord } from "./fact.ts";
export {
  type Harness,
  type HarnessEvent,
  type HarnessEventOf,
  type HarnessEventType,
  harnessPlace,
  harnessVocabulary,
  type ToolOutput,
  type ToolParseError,
  type Usage,
  usage,
} from "./harness-event.ts";
export {
  type CaptureMode,
  type CheckGroup,
  type CheckStatus,
  type CommandCategory,
  type CommandSource,
  type Constraint,
  captureMode,
  checkGroup,
  checkStatus,
  type Environment,
  type Evidence,
  environment,
  evidence,
  type FileChange,
  type FileChangeKind,
  type FileRef,
  type LookedUp,
  observabilityMode,
  type Resources,
  type TracedEffect,
  type TraceEffects,
  type TraceGap,
  type TraceGapReason,
  type WeakenedTest,
} from "./observation.ts";
export { type Ending, type Operation, type SearchOperation, succeeded } from "./operation.ts";
export { EXCEEDED, UNENFORCED } from "./permission-codes.ts";
export { type ExitRecord, type Line, type LineRecord, type RecordRef, type Stop, type Stream, stop, stream } from "./record.ts";
export { type CallRule, INVALID_ANSWER, type RelayAnswer, type RelayVerdict, readAnswer, ruleText } from "./relay-answer.ts";
export { type RunStatus, runStatus, runStatuses, statusOrNull } from "./run-status.ts";
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
