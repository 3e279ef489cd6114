import { isObject } from "../../pure/base/index.ts";
import type { ModelMessage } from "./model-message.ts";

/** What a tool in our agents can do in addition to returning a result; the SDK's `experimental_context`. */
export interface ToolContext {
  /** Reports progress as a `tool_progress` event. */
  progress(content: unknown): void;
  /** What tools remember in this conversation; a subagent has its own. */
  readonly state: ToolState;
  /** The directory in which the call was allowed to run, for a tool that has one. */
  readonly directory?: string;
  /** Lets a subagent work on a part of the task and returns its last message. Absent at the last level. */
  readonly subagent?: (messages: readonly ModelMessage[]) => Promise<SubagentEnd>;
}

export interface SubagentEnd {
  readonly runId: string;
  readonly text: string;
  readonly reason: string;
}

export type ToolState = Map<string, unknown>;

/** When other code calls our tools, such as `streamText`, progress goes nowhere, and `own` is what they remember. */
export function contextOf(given: unknown, own: ToolState): ToolContext {
  if (!isObject(given) || typeof given["progress"] !== "function") return { progress: () => {}, state: own };
  const context = given as unknown as ToolContext;
  return context.state === undefined ? { ...context, state: own } : context;
}
