import { isObject } from "../../pure/base/index.ts";
import type { ModelMessage } from "./model-message.ts";

/** What a tool in our agents can do in addition to returning a result; the SDK's `experimental_context`. */
export interface ToolContext {
  /** Reports progress as a `tool_progress` event. */
  progress(content: unknown): void;
  /** Lets a subagent work on a part of the task and returns its last message. Absent at the last level. */
  readonly subagent?: (messages: readonly ModelMessage[]) => Promise<SubagentEnd>;
}

export interface SubagentEnd {
  readonly runId: string;
  readonly text: string;
  readonly reason: string;
}

const QUIET: ToolContext = { progress: () => {} };

/** When other code calls our tools, such as `streamText`, progress goes nowhere. */
export function contextOf(given: unknown): ToolContext {
  return isObject(given) && typeof given["progress"] === "function" ? (given as unknown as ToolContext) : QUIET;
}
