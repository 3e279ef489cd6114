import {
  anything,
  count,
  described,
  type Fields,
  flag,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  type Variant,
  variants,
} from "../base/index.ts";
import { stream } from "./record.ts";

/**
 * The events of specification 002: what any harness yields, in-process or read from a recording. A run is one invocation;
 * `parentId` names the node (a tool call, say) or the run it works for.
 */
export const harnessPlace = {
  runId: described(text, "One invocation: the agent's thread, a subagent's, a call of a model"),
  parentId: optional(text, "The node, or the run, that this works for"),
};

const id = described(text, "The same for all chunks of one thing");
const maybe = optional(text);
const iteration = optional(count);

/** Disjoint classes: no token is in two of them. Null, or absent, is "not told", which is not zero. */
const usageFields = {
  inputTokens: described(nullable(number), "Uncached input"),
  outputTokens: described(nullable(number), "With reasoning"),
  cacheReadTokens: optional(number),
  cacheCreationTokens: optional(number),
  costUsd: optional(number),
};
export const usage = object(usageFields);
export type Usage = Static<typeof usage>;

/** By the event's type, the fields of its own. */
export const harnessVocabulary = {
  /** `depth`: how many runs are above this one. `agent`: which harness, or which CLI. */
  harness_start: { depth: optional(count), maxIterations: optional(count), agent: maybe, model: maybe },
  harness_end: { reason: oneOf("final", "max_iterations", "error"), iterations: number, totalUsage: usage },
  text: { id, content: text },
  reasoning: { id, content: text },
  tool_call: {
    id: text,
    name: text,
    /** The arguments, or a `ToolParseError` where the model's JSON could not be read. */
    input: anything,
  },
  tool_result: {
    id: described(text, "That of its call"),
    name: text,
    /** A `ToolOutput` of our own tools; whatever the agent said of others'. */
    output: described(anything, "{context, result}, {status: denied, reason} or {error}"),
    input: optional(anything, "What was asked for, of a call that was refused and is told as no tool_call"),
  },
  tool_progress: { id, toolCallId: text, name: text, content: anything },
  /** Iterations are counted from zero. */
  repl_input: { id: text, code: text, iteration },
  repl_progress: { id, chunk: text, stream },
  repl_output: {
    id: text,
    stdout: text,
    error: maybe,
    /** Whether the code named its final answer. */
    done: flag,
    iteration,
    durationMs: optional(number),
    truncated: optional(flag),
  },
  /** Somebody has to decide; the run waits until they did. */
  relay: { kind: oneOf("permission"), id: text, toolCallId: text, tool: text, params: anything },
  usage: { id: maybe, model: maybe, ...usageFields },
  error: { id: maybe, message: text, code: maybe },
  user: { id: maybe, content: text },
} as const satisfies Record<string, Fields>;

export const harnessEvent = variants(harnessVocabulary, harnessPlace);
export type HarnessEventType = keyof typeof harnessVocabulary;
export type HarnessEventOf<T extends HarnessEventType> = Variant<typeof harnessVocabulary, typeof harnessPlace, T>;
export type HarnessEvent = HarnessEventOf<HarnessEventType>;

/** Anything that can be invoked: a provider, an agent, a REPL, or somebody's wrapper around one of them. */
export interface Harness<Params> {
  invoke(params: Params): AsyncIterable<HarnessEvent>;
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
