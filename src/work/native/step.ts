import type { Usage } from "../../pure/events/index.ts";
import type { ToolResultPart } from "./model-message.ts";
import { type Turn, textOf } from "./turn.ts";

/** One answer of the model, with the results of its calls. */
export interface Step {
  readonly text: string;
  readonly toolCalls: readonly { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }[];
  readonly toolResults: readonly ToolResultPart[];
  readonly usage: Usage;
}

export function stepOf(turn: Turn, toolResults: readonly ToolResultPart[]): Step {
  const toolCalls = turn.calls.map(({ id, name, input }) => ({ toolCallId: id, toolName: name, input }));
  return { text: textOf(turn), toolCalls, toolResults, usage: turn.usage };
}
