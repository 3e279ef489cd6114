/**
 * The events of specification 002: what any harness yields, in-process or read from a recording. A run is one invocation;
 * `parentId` names the node (a tool call, say) or the run it works for.
 */
export type HarnessEvent = Placed &
  (
    | HarnessStart
    | HarnessEnd
    | TextEvent
    | ReasoningEvent
    | ToolCallEvent
    | ToolResultEvent
    | ToolProgressEvent
    | ReplInputEvent
    | ReplProgressEvent
    | ReplOutputEvent
    | RelayEvent
    | UsageEvent
    | ErrorEvent
    | UserEvent
  );

export type HarnessEventType = HarnessEvent["type"];
export type HarnessEventOf<T extends HarnessEventType> = Extract<HarnessEvent, { readonly type: T }>;

/** Anything that can be invoked: a provider, an agent, a REPL, or somebody's wrapper around one of them. */
export interface Harness<Params> {
  invoke(params: Params): AsyncIterable<HarnessEvent>;
}

interface Placed {
  readonly runId: string;
  readonly parentId?: string;
}

interface HarnessStart {
  readonly type: "harness_start";
  /** How many runs are above this one. */
  readonly depth?: number;
  readonly maxIterations?: number;
  /** Which harness, or which CLI. */
  readonly agent?: string;
  readonly model?: string;
}

interface HarnessEnd {
  readonly type: "harness_end";
  readonly reason: "final" | "max_iterations" | "error";
  readonly iterations: number;
  readonly totalUsage: Usage;
}

interface TextEvent {
  readonly type: "text";
  /** The same for all chunks of one text. */
  readonly id: string;
  readonly content: string;
}

interface ReasoningEvent {
  readonly type: "reasoning";
  /** The same for all chunks of one block. */
  readonly id: string;
  readonly content: string;
}

interface ToolCallEvent {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  /** The arguments, or a `ToolParseError` where the model's JSON could not be read. */
  readonly input: unknown;
}

interface ToolResultEvent {
  readonly type: "tool_result";
  /** The id of its call. */
  readonly id: string;
  readonly name: string;
  /** A `ToolOutput` of our own tools; whatever the agent said of others'. */
  readonly output: unknown;
  /** What was asked for, of a call that was refused: it is told as no `tool_call`. */
  readonly input?: unknown;
}

interface ToolProgressEvent {
  readonly type: "tool_progress";
  readonly id: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly content: unknown;
}

interface ReplInputEvent {
  readonly type: "repl_input";
  readonly id: string;
  readonly code: string;
  /** Counts from zero. */
  readonly iteration?: number;
}

interface ReplProgressEvent {
  readonly type: "repl_progress";
  readonly id: string;
  readonly chunk: string;
  readonly stream: "stdout" | "stderr";
}

interface ReplOutputEvent {
  readonly type: "repl_output";
  readonly id: string;
  readonly stdout: string;
  readonly error?: string;
  /** Whether the code named its final answer. */
  readonly done: boolean;
  readonly iteration?: number;
  readonly durationMs?: number;
  readonly truncated?: boolean;
}

/** Somebody has to decide; the run waits until they did. */
interface RelayEvent {
  readonly type: "relay";
  readonly kind: "permission";
  readonly id: string;
  readonly toolCallId: string;
  readonly tool: string;
  readonly params: unknown;
}

interface UsageEvent extends Usage {
  readonly type: "usage";
  readonly id?: string;
  readonly model?: string;
}

interface ErrorEvent {
  readonly type: "error";
  readonly id?: string;
  readonly message: string;
  readonly code?: string;
}

interface UserEvent {
  readonly type: "user";
  readonly id?: string;
  readonly content: string;
}

/** Disjoint classes: no token is in two of them. Null, or absent, is "not told", which is not zero. */
export interface Usage {
  /** Uncached input. */
  readonly inputTokens: number | null;
  /** With reasoning. */
  readonly outputTokens: number | null;
  readonly cacheReadTokens?: number;
  readonly cacheCreationTokens?: number;
  readonly costUsd?: number;
}

/** What a tool came to: its words for the model with its result, a refusal, or a failure. */
export type ToolOutput =
  | { readonly context: string; readonly result: unknown }
  | { readonly status: "denied"; readonly reason: string }
  | { readonly error: string };

/** The `input` of a call whose arguments were not JSON. */
export interface ToolParseError {
  readonly __toolParseError: true;
  readonly parseError: string;
  readonly rawArguments: string;
}
