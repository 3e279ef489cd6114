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
  yes,
} from "../base/index.ts";
import { covers } from "./coverage.ts";
import { stream } from "./record.ts";
import type { RelayAnswer } from "./relay-answer.ts";

/**
 * The events of specification 002, which any harness yields, in-process or from a recording. A run is one invocation; `parentId` names
 * the node (for example a tool call) or the run it works for.
 */
export const harnessPlace = {
  runId: described(text, "One invocation: the agent's thread, a subagent's, or a model call"),
  parentId: optional(text, "The node or run that this works for"),
};

const id = described(text, "Shared by all chunks of one item");
const maybe = optional(text);
const iteration = optional(count);

/** Disjoint classes: no token is in two of them. Null or absent means not reported, which is not zero. */
const usageFields = {
  inputTokens: described(nullable(number), "Uncached input"),
  outputTokens: described(nullable(number), "Includes reasoning"),
  cacheReadTokens: optional(number),
  cacheCreationTokens: optional(number),
  costUsd: optional(number),
  /** Absent: the events of an in-process harness count their own run. */
  covers: optional(covers),
  incomplete: described(yes, "The agent was cut off before it reported all"),
};
export const usage = object(usageFields);
export type Usage = Static<typeof usage>;

/** The fields of each event type. */
export const harnessVocabulary = {
  /** `depth`: the number of runs above this one. `agent`: the harness or CLI. */
  harness_start: { depth: optional(count), maxIterations: optional(count), agent: maybe, model: maybe },
  harness_end: { reason: oneOf("final", "max_iterations", "error"), iterations: number, totalUsage: usage },
  text: { id, content: text },
  reasoning: { id, content: text },
  tool_call: {
    id: text,
    name: text,
    /** The arguments, or a `ToolParseError` if the model's JSON could not be read. */
    input: anything,
    permission: optional(text, "The answer that allowed it, if it was asked about: once, or always and the rule"),
  },
  tool_result: {
    id: described(text, "The id of its call"),
    name: text,
    /** A `ToolOutput` from our own tools; any value from others. */
    output: described(anything, "{context, result}, {status: denied, reason} or {error}"),
    input: optional(anything, "The request, for a denied call that has no tool_call event"),
  },
  tool_progress: { id, toolCallId: text, name: text, content: anything },
  /** Iterations are counted from zero. */
  repl_input: { id: text, code: text, iteration },
  repl_progress: { id, chunk: text, stream },
  repl_output: {
    id: text,
    stdout: text,
    error: maybe,
    done: flag,
    iteration,
    durationMs: optional(number),
    truncated: optional(flag),
  },
  /** Asks for a decision. The run waits for it. */
  relay: {
    kind: oneOf("permission"),
    id: text,
    toolCallId: text,
    tool: text,
    params: anything,
    always: optional(text, "The rule that the answer `always` creates, in one line"),
    directory: optional(text, "The directory in which a command would run"),
  },
  usage: { id: maybe, model: maybe, ...usageFields },
  error: { id: maybe, message: text, code: maybe },
  user: { id: maybe, content: text },
  /** The beginning of the conversation was replaced by a summary. */
  compaction: {
    id: text,
    content: described(text, "The summary, which the model sees from now on"),
    trigger: described(oneOf("size", "overflow"), "It became long, or the provider rejected it as too long"),
    tokensBefore: optional(number, "An estimate"),
    kept: described(count, "How many of the latest messages stayed"),
  },
} as const satisfies Record<string, Fields>;

export const harnessEvent = variants(harnessVocabulary, harnessPlace);
export type HarnessEventType = keyof typeof harnessVocabulary;
export type HarnessEventOf<T extends HarnessEventType> = T extends "relay" ? EventFields<T> & Respondable : EventFields<T>;
export type HarnessEvent = HarnessEventOf<HarnessEventType>;

type EventFields<T extends HarnessEventType> = Variant<typeof harnessVocabulary, typeof harnessPlace, T>;

/** A `relay` of an agent in this process. The method is not enumerable, so JSON, copies and recordings do not have it. */
interface Respondable {
  /** Answers it; false if it was answered already, or if its run has ended. */
  respond?(answer: RelayAnswer): boolean;
}

/** Anything that can be invoked: a provider, an agent, a REPL, or a wrapper around one of them. */
export interface Harness<Params> {
  invoke(params: Params): AsyncIterable<HarnessEvent>;
}

/** The outcome of a tool call: text for the model with a result, a denial, or a failure. */
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
