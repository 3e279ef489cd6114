import type { HarnessEvent } from "./harness-event.ts";
import type { ObservedBody } from "./observation.ts";
import type { Ending, Operation } from "./operation.ts";
import type { RecordRef, Stop } from "./record.ts";
import type { Tokens } from "./tokens.ts";

/** The version of this vocabulary: the second number grows with additions, the first with changes of meaning. */
export const EVENT_VERSION = "1.1";

/** How a run ended. Null, where a status is wanted and nothing tells, means: not known. */
export type RunStatus = "completed" | "failed" | "blocked" | "timed_out" | "hung" | "canceled" | "crashed" | "infrastructure";

export type Role = "assistant" | "user" | "system";

/** What one event says; the envelope around it is `Event`. One line of documentation each in docs/events.md. */
export type EventBody = Attributed &
  (
    | {
        readonly type: "run-start";
        readonly agent: string;
        /** What we called the run, where we started it. */
        readonly runId?: string;
        readonly cwd?: string;
        readonly model?: string;
        readonly prompt?: string;
      }
    | {
        readonly type: "session";
        readonly sessionId?: string;
        readonly model?: string;
        readonly cwd?: string;
        readonly agentVersion?: string;
        /** What the model is told before anything else, of an agent of our own: of others it is not known. */
        readonly promptBundle?: PromptBundle;
      }
    | { readonly type: "text-delta"; readonly text: string; readonly messageId?: string }
    | { readonly type: "reasoning-delta"; readonly text: string; readonly messageId?: string }
    | MessageBody
    | { readonly type: "reasoning"; readonly text: string; readonly redacted?: true }
    | ToolStartBody
    | { readonly type: "tool-progress"; readonly callId?: string; readonly message?: string; readonly state?: string }
    | ToolEndBody
    | { readonly type: "plan"; readonly items: readonly PlanItem[] }
    | {
        readonly type: "subagent-start";
        readonly subagentId: string;
        readonly name?: string;
        readonly callId?: string;
        readonly description?: string;
      }
    | {
        readonly type: "subagent-end";
        readonly subagentId: string;
        readonly name?: string;
        readonly callId?: string;
        readonly success?: boolean;
      }
    | { readonly type: "permission-request"; readonly callId?: string; readonly tool?: string }
    | {
        readonly type: "permission-decision";
        readonly callId?: string;
        readonly tool?: string;
        readonly decision: "allow" | "deny";
        readonly reason?: string;
      }
    | { readonly type: "compaction"; readonly trigger?: string; readonly tokensBefore?: number }
    | { readonly type: "notice"; readonly kind: string; readonly message?: string }
    | UsageBody
    | ResultBody
    | { readonly type: "warning"; readonly message: string; readonly code?: string }
    | { readonly type: "error"; readonly message: string; readonly code?: string }
    | UnknownBody
    | ObservedBody
    | RunEndBody
  );

/** What any event may add: whose work it is, and what a document without a word for it must still repeat. */
interface Attributed {
  /** The subagent this belongs to; absent for the main thread. */
  readonly parent?: string;
  /** The agent's own words for something specification 000 has no type for, without contents; `activity` repeats it as `unknown`. */
  readonly raw?: unknown;
  /** The records this came from, where they are not just the current one. */
  readonly from?: readonly RecordRef[];
  /** Set where a named rule of ours, and not the agent, says so. */
  readonly rule?: string;
  /** The event of specification 002 that this came from, of an agent that prints those: on one body per event. */
  readonly said?: HarnessEvent;
}

export interface PromptBundle {
  readonly system: string;
  /** The names of the tools it is offered. */
  readonly tools: readonly string[];
  /** Of system and tools as JSON, by the agent itself. Absent: it did not say. */
  readonly sha256?: string;
}

export interface MessageBody {
  readonly type: "message";
  readonly role: Role;
  readonly text: string;
  readonly messageId?: string;
  /** The same words again, because the agent's request was retried. */
  readonly repeats?: true;
}

export interface ToolStartBody {
  readonly type: "tool-start";
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly operations: readonly Operation[];
  /** The request as the agent wrote it, for a call without operations. */
  readonly request?: unknown;
  /** Specification 000 consumes this call: it is no activity, not even an unknown one. */
  readonly silent?: true;
}

export interface ToolEndBody {
  readonly type: "tool-end";
  readonly callId: string;
  /** Absent: not told, or neither (a command that went to the background). */
  readonly success?: boolean;
  readonly exitCode?: number;
  readonly output?: string;
  /** The stream ended before the call did. */
  readonly interrupted?: true;
  /** What the result knows better than the request did. */
  readonly operations?: readonly Operation[];
  /** How each operation ended, in their order, where the agent tells them one by one and they ended differently. */
  readonly endings?: readonly Ending[];
}

export interface PlanItem {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed" | "unknown";
}

export interface UsageBody {
  readonly type: "usage";
  /** `total`: everything so far, replacing earlier totals. `step`: to be added to what came before. */
  readonly scope: "total" | "step";
  readonly tokens: Tokens;
  /** US dollars, as the agent reports them. */
  readonly costUsd?: number;
}

export interface ResultBody {
  readonly type: "result";
  /** What the agent claims about its end; absent where its format has no such claim. */
  readonly outcome?: RunStatus;
  /** Why, in the agent's or our own stable word. */
  readonly reason?: string;
  readonly text?: string;
  readonly durationMs?: number;
  readonly turns?: number;
  /** Work goes on in the background: this is not the last word. */
  readonly pending?: true;
}

export interface UnknownBody {
  readonly type: "unknown";
  readonly raw: unknown;
  /** The last line ended with the stream, in the middle. */
  readonly truncated?: true;
  /** Longer than the cap: `raw` is only its beginning. */
  readonly oversize?: true;
  /** `raw` is the base64 of bytes that are not text. */
  readonly encoding?: "base64";
}

export interface RunEndBody {
  readonly type: "run-end";
  readonly status: RunStatus | null;
  /** Which row of the truth table decided (docs/status.md). */
  readonly reason: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  /** Set where the end was ours and not the agent's. */
  readonly stopped?: Stop;
  /** The last lines the agent printed that nobody could read as events, for a run that did not end well. */
  readonly tail?: string;
}

/** Who says so: we saw it, the agent told it, a rule of ours concluded it, or nobody can say. */
export type Provenance = "observed" | "declared" | "derived" | "unknown";

export type EventType = EventBody["type"];
export type BodyOf<T extends EventType> = Extract<EventBody, { readonly type: T }>;

/** The envelope: what was said, when, in which place, on whose word. One shape for all events, so that making one is cheap. */
export interface Event {
  /** Counts events from 1. */
  readonly seq: number;
  /** The time of the record it came from, in epoch milliseconds. */
  readonly at: number;
  readonly from: readonly RecordRef[];
  readonly provenance: Provenance;
  readonly body: EventBody;
  /** On `tool-end`: the call that ended. The log pairs starts with ends, so that no view has to. */
  readonly call?: Call | undefined;
}

/** A tool call from its start to its end. */
export interface Call {
  readonly start: BodyOf<"tool-start">;
  /** Further calls that were open under the same id: which of them a result belongs to cannot be told. */
  readonly rivals: readonly BodyOf<"tool-start">[];
  /** What it did was told as the start or the end of a subagent. */
  readonly orchestrated: boolean;
}
