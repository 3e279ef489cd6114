import {
  anything,
  described,
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
import { harnessEvent } from "./harness-event.ts";
import { observations } from "./observation.ts";
import { ending, operation } from "./operation.ts";
import { type RecordRef, recordRef, stop } from "./record.ts";
import { runStatus, statusOrNull } from "./run-status.ts";
import { tokens } from "./tokens.ts";

/** The version of this vocabulary: the second number grows with additions, the first with changes of meaning. */
export const EVENT_VERSION = "1.2";

const maybe = optional(text);

export const role = oneOf("assistant", "user", "system");
export type Role = Static<typeof role>;

export const planItem = object({ text, status: oneOf("pending", "in_progress", "completed", "unknown") });
export type PlanItem = Static<typeof planItem>;

const promptBundle = object({
  system: text,
  /** The names of the tools it is offered. */
  tools: list(text),
  /** Of system and tools as JSON, by the agent itself. Absent: it did not say. */
  sha256: maybe,
});
export type PromptBundle = Static<typeof promptBundle>;

const subagent = { subagentId: text, name: maybe, callId: maybe };

/** What a translator may say, by the event's type: the fields of its own. One line of documentation each in docs/reference/events.md. */
export const declarations = {
  session: {
    sessionId: maybe,
    model: maybe,
    cwd: maybe,
    agentVersion: maybe,
    promptBundle: optional(promptBundle, "Of an agent of our own: what its model is told before anything else"),
  },
  "text-delta": { text, messageId: maybe },
  "reasoning-delta": { text, messageId: maybe },
  message: {
    role,
    text,
    messageId: maybe,
    repeats: described(yes, "The same words again, because the agent's request was retried"),
  },
  reasoning: { text, redacted: yes },
  "tool-start": {
    callId: text,
    tool: text,
    input: anything,
    operations: list(operation),
    request: optional(anything, "The request as the agent wrote it, for a call without operations"),
    /** Specification 000 consumes this call: it is no activity, not even an unknown one. */
    silent: described(yes, "No activity: the activity view leaves this call out"),
  },
  "tool-progress": { callId: maybe, message: maybe, state: maybe },
  "tool-end": {
    callId: text,
    /** Neither: a command that went to the background. */
    success: optional(flag, "Absent: not told, or neither"),
    exitCode: optional(number),
    output: maybe,
    interrupted: described(yes, "The stream ended before the call did"),
    operations: optional(list(operation), "What the result knows better than the request did"),
    endings: optional(
      list(ending),
      "How each operation ended, in their order, where the agent tells them one by one and they ended differently",
    ),
  },
  plan: { items: list(named(planItem, "PlanItem")) },
  "subagent-start": { ...subagent, description: maybe },
  "subagent-end": { ...subagent, success: optional(flag) },
  "permission-request": { callId: maybe, tool: maybe },
  "permission-decision": { callId: maybe, tool: maybe, decision: oneOf("allow", "deny"), reason: maybe },
  compaction: { trigger: maybe, tokensBefore: optional(number) },
  notice: { kind: text, message: maybe },
  usage: {
    scope: described(oneOf("total", "step"), "total replaces what was told before, step is added to it"),
    tokens,
    /** US dollars, as the agent reports them. */
    costUsd: optional(number),
  },
  result: {
    outcome: optional(runStatus, "What the agent claims about its end"),
    /** Why, in the agent's or our own stable word. */
    reason: maybe,
    text: maybe,
    durationMs: optional(number),
    turns: optional(number),
    pending: described(yes, "Work goes on in the background: this is not the last word"),
  },
  warning: { message: text, code: maybe },
  error: { message: text, code: maybe },
  unknown: {
    truncated: described(yes, "The stream ended in the middle of this line"),
    oversize: described(yes, "raw is only the beginning of a very long line"),
    encoding: optional(oneOf("base64"), "raw is the base64 of bytes that are not text"),
    raw: anything,
  },
} as const satisfies Record<string, Fields>;

/** Every type of event, with its fields. Its place here is its number on the page's timeline: new types are added at the end. */
export const vocabulary = {
  /** `runId`: what we called the run, where we started it. */
  "run-start": {
    agent: text,
    product: optional(text, "What the agent's product is called, if that is not its id"),
    inside: described(yes, "It is part of this package, and says all that it does"),
    plain: described(yes, "It prints plain text, which does not report what it does"),
    runId: maybe,
    cwd: maybe,
    model: maybe,
    prompt: maybe,
  },
  ...declarations,
  "run-end": {
    status: statusOrNull,
    reason: described(text, "Which row of the truth table decided the status"),
    exitCode: nullable(integer),
    signal: nullable(text),
    durationMs: nullable(number),
    stopped: optional(stop, "Why it was ended from outside; absent where the agent ended by itself"),
    /** The last lines the agent printed that nobody could read as events. */
    tail: optional(text, "The last words of a run that did not end well"),
  },
  ...observations,
} as const;

/** What any event may add: whose work it is, and what a document without a word for it must still repeat. */
export const addition = {
  parent: optional(text, "The subagent this belongs to; absent for the main thread"),
  /** Without contents; `activity` repeats it as `unknown`. */
  raw: optional(anything, "The agent's own words for what the activity view has no type for"),
  rule: optional(text, "The rule that concluded it"),
  /** The records this came from, where they are not just the current one. */
  from: optional(list(recordRef)),
  said: optional(
    named(harnessEvent, "HarnessEvent", "An event of specification 002"),
    "The event that this came from, of an agent that prints those of specification 002; on one of those it became",
  ),
};

export type EventType = keyof typeof vocabulary;
export type ObservedType = keyof typeof observations;

/** What one event says; the envelope around it is `Event`. */
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

/** Who says so: we saw it, the agent told it, a rule of ours concluded it, or nobody can say. */
export const provenance = oneOf("observed", "declared", "derived", "unknown");
export type Provenance = Static<typeof provenance>;

/** The envelope: what was said, when, in which place, on whose word. One shape for all events, so that making one is cheap. */
export interface Event<T extends EventType = EventType> {
  /** Counts events from 1. */
  readonly seq: number;
  /** The time of the record it came from, in epoch milliseconds. */
  readonly at: number;
  readonly from: readonly RecordRef[];
  readonly provenance: Provenance;
  readonly body: BodyOf<T>;
  /** The open call that the body names, or ends. The log pairs starts with ends, so that no view has to. */
  readonly call?: Call | undefined;
}

/** A tool call from its start to its end. */
export interface Call {
  readonly start: Event<"tool-start">;
  /** Further calls that were open under the same id: which of them a result belongs to cannot be told. */
  readonly rivals: readonly Event<"tool-start">[];
  /** What it did was told as the start or the end of a subagent. */
  readonly orchestrated: boolean;
}
