import { isObject } from "../../pure/base/index.ts";
import type { ModelMessage } from "./model-message.ts";

/** What a tool may do beside returning a result, in an agent of ours; it is the SDK's `experimental_context`. */
export interface ToolContext {
  /** Tells how it is getting on: a `tool_progress`. */
  progress(content: unknown): void;
  /** Lets another agent work on a part of the task; answers with what it said last. Absent where that would go too deep. */
  readonly subagent?: (messages: readonly ModelMessage[]) => Promise<SubagentEnd>;
}

export interface SubagentEnd {
  readonly runId: string;
  readonly text: string;
  readonly reason: string;
}

const QUIET: ToolContext = { progress: () => {} };

/** A tool of ours that somebody else calls, `streamText` say, has nobody to tell. */
export function contextOf(given: unknown): ToolContext {
  return isObject(given) && typeof given["progress"] === "function" ? (given as unknown as ToolContext) : QUIET;
}
