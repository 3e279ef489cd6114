import {
  anything,
  described,
  epochMs,
  type Fields,
  flag,
  integer,
  list,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  type Variant,
  yes,
} from "../base/index.ts";
import { covers } from "./coverage.ts";
import { harnessEvent } from "./harness-event.ts";
import { observations } from "./observation.ts";
import { ending, operation } from "./operation.ts";
import { type RecordRef, recordRef, stop } from "./record.ts";
import { runStatus, statusOrNull } from "./run-status.ts";
import { tokens } from "./tokens.ts";

/** The version of the event vocabulary: the minor number grows with additions, the major number with changes of meaning. */
export const EVENT_VERSION = "1.9";

const maybe = optional(text);

export const role = oneOf("assistant", "user", "system");
export type Role = Static<typeof role>;

export const planItem = object({ text, status: oneOf("pending", "in_progress", "completed", "unknown") });
export type PlanItem = Static<typeof planItem>;

const promptBundle = object({
  system: text,
  /** The names of the tools it may call. */
  tools: list(text),
  /** The agent's own hash of system prompt and tools as JSON. Absent: it did not report one. */
  sha256: maybe,
});
export type PromptBundle = Static<typeof promptBundle>;

const subagent = { subagentId: text, name: maybe, callId: maybe };

/** What a translator may return, by event type: the fields of each. docs/reference/events.md has one line about each. */
export const declarations = {
  session: {
    sessionId: maybe,
    model: maybe,
    cwd: maybe,
    agentVersion: maybe,
    agentName: optional(text, "The name the agent gives itself, if one command can start different agents"),
    promptBundle: optional(promptBundle, "For our own agents: the system prompt and tools that the model starts with"),
  },
  "text-delta": { text, messageId: maybe },
  "reasoning-delta": { text, messageId: maybe },
  message: {
    role,
    text,
    messageId: maybe,
    continues: described(yes, "More of the message before it, after something else came between"),
    partial: described(yes, "It broke off: the rest never came"),
    repeats: described(yes, "The same text again, because the agent's request was retried"),
  },
  reasoning: {
    text,
    redacted: yes,
    continues: described(yes, "More of the thought before it, after something else came between"),
    partial: described(yes, "It broke off: the rest never came"),
  },
  "tool-start": {
    callId: text,
    tool: text,
    title: optional(text, "What the agent calls this call, in addition to the tool's name"),
    unnamed: described(yes, "The agent gave a title and no name: `tool` is the kind of tool"),
    input: anything,
    operations: list(operation),
    request: optional(anything, "The request as the agent wrote it, for a call without operations"),
    /** Specification 000 drops this call: it is not an activity, not even an unknown one. */
    silent: described(yes, "Not an activity: the activity view leaves this call out"),
  },
  "tool-progress": { callId: maybe, message: maybe, state: maybe },
  "tool-end": {
    callId: text,
    /** A command that moved to the background neither succeeded nor failed. */
    success: optional(flag, "Absent: not reported, or neither"),
    exitCode: optional(number),
    output: maybe,
    rawOutput: optional(anything, "The output as the agent sent it, if that is not a text"),
    interrupted: described(yes, "The stream ended before the call did"),
    operations: optional(list(operation), "Set if the result describes them better than the request did"),
    endings: optional(list(ending), "How each operation ended, in order, if the agent reports each and they differ"),
  },
  plan: {
    items: list(named(planItem, "PlanItem")),
    entries: optional(list(anything), "The entries as the agent sent them, if they have more fields"),
  },
  "subagent-start": { ...subagent, description: maybe },
  "subagent-end": { ...subagent, success: optional(flag) },
  "permission-request": { callId: maybe, tool: maybe },
  "permission-decision": { callId: maybe, tool: maybe, decision: oneOf("allow", "deny"), reason: maybe },
  compaction: {
    trigger: maybe,
    tokensBefore: optional(number),
    summary: optional(text, "What the model sees instead, if the agent shows it"),
  },
  notice: { kind: text, message: maybe },
  usage: {
    scope: described(oneOf("total", "step"), "A total replaces what was reported before; a step is added to it"),
    tokens,
    /** US dollars, as reported by the agent. */
    costUsd: optional(number),
    /** The event log adds `main` for an agent that does not say. Steps say what they add up to. */
    covers: optional(covers),
    incomplete: described(yes, "The agent was cut off before it reported all"),
  },
  result: {
    outcome: optional(runStatus, "How the agent says it ended"),
    /** The reason as a stable code, the agent's or ours. */
    reason: maybe,
    text: maybe,
    durationMs: optional(number),
    turns: optional(number),
    pending: described(yes, "Work continues in the background: this is not the final result"),
  },
  warning: { message: text, code: maybe },
  error: { message: text, code: maybe, final: described(yes, "It ended the run") },
  unknown: {
    truncated: described(yes, "The stream ended in the middle of this line"),
    oversize: described(yes, "raw is only the beginning of a very long line"),
    encoding: optional(oneOf("base64"), "raw is the base64 of bytes that are not text"),
    raw: anything,
  },
} as const satisfies Record<string, Fields>;

/** Every event type with its fields. The page's timeline numbers types by their position, so new types go at the end. */
export const vocabulary = {
  /** `runId`: our id, if we started the run. */
  "run-start": {
    agent: text,
    product: optional(text, "The name of the agent's product, if it differs from the id"),
    inside: described(yes, "The agent is part of this package and reports everything it does"),
    plain: described(yes, "It prints plain text, which does not report what it does"),
    runId: maybe,
    cwd: maybe,
    model: maybe,
    prompt: maybe,
  },
  ...declarations,
  "run-end": {
    status: statusOrNull,
    reason: described(text, "The row of the truth table that decided the status"),
    exitCode: nullable(integer),
    signal: nullable(text),
    durationMs: nullable(number),
    stopped: optional(stop, "Why it was ended from outside; absent if the agent ended by itself"),
    /** Holds only lines that were not read as events. */
    tail: optional(text, "The last lines printed by a run that did not end well"),
  },
  ...observations,
} as const;

/** Fields that any event may add. */
export const addition = {
  parent: optional(text, "The subagent this belongs to; absent for the main thread"),
  /** Without contents; `activity` repeats it as `unknown`. */
  raw: optional(anything, "The agent's own record of something for which the activity view has no type"),
  rule: optional(text, "The rule that concluded it"),
  since: optional(epochMs, "When it began, if that was earlier than its end"),
  /** The source records, if they are not just the current one. */
  from: optional(list(recordRef)),
  said: optional(
    named(harnessEvent, "HarnessEvent", "An event of specification 002"),
    "The specification 002 event that this came from; on one of the events it became",
  ),
};

export type EventType = keyof typeof vocabulary;
export type ObservedType = keyof typeof observations;

export type EventBody = BodyOf<EventType>;
export type BodyOf<T extends EventType> = Variant<typeof vocabulary, typeof addition, T>;

export type ToolStartBody = BodyOf<"tool-start">;
export type ToolEndBody = BodyOf<"tool-end">;
export type UsageBody = BodyOf<"usage">;
export type UnknownBody = BodyOf<"unknown">;
export type RunEndBody = BodyOf<"run-end">;
export type ObservationBody = BodyOf<"observation">;
export type WorkspaceBody = BodyOf<"workspace-prepared">;
export type ProcessStartedBody = BodyOf<"process-started">;
export type ProcessObservedBody = BodyOf<"process-observed">;
export type ArtifactBody = BodyOf<"artifact">;
export type FilesChangedBody = BodyOf<"files-changed">;
export type CommandObservedBody = BodyOf<"command-observed">;
export type CommandsObservedBody = BodyOf<"commands-observed">;
export type ModelLedgerBody = BodyOf<"model-ledger">;
export type CheckBody = BodyOf<"check">;

/** How an event is known: we observed it, the agent declared it, a rule derived it, or unknown. */
export const provenance = oneOf("observed", "declared", "derived", "unknown");
export type Provenance = Static<typeof provenance>;

/** The envelope around a body. All events have this one shape, so that making one is cheap. */
export interface Event<T extends EventType = EventType> {
  readonly seq: number;
  /** The time of the record it came from, in epoch milliseconds. */
  readonly at: number;
  readonly from: readonly RecordRef[];
  readonly provenance: Provenance;
  readonly body: BodyOf<T>;
  /** The open call that the body names or ends. The log pairs starts with ends, so that no view has to. */
  readonly call?: Call | undefined;
  /** The record in which a request began that is not complete yet: its start will be reported later, although it began before this event. */
  readonly behind?: number | undefined;
}

export interface Call {
  readonly start: Event<"tool-start">;
  /** Other calls that were open under the same id: which one a result belongs to is unknown. */
  readonly rivals: readonly Event<"tool-start">[];
  /** The call was reported as the start or end of a subagent. */
  readonly orchestrated: boolean;
}
