import type { JsonObject } from "../core/json.ts";
import { type Conversation, fieldInResults } from "./conversation.ts";
import type { Call, Turn, Usage } from "./scenario.ts";

/** A turn made ready for one request: which calls are made, under which ids. */
export interface Answer {
  /** Unique within the server. */
  readonly id: string;
  readonly model: string;
  readonly reasoning: string;
  /** The pieces the text streams in; joined they are the text. */
  readonly text: readonly string[];
  readonly calls: readonly ToolUse[];
  readonly usage: Usage;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly isFreeform: boolean;
  /** As it goes over the wire: JSON, or the text of a freeform tool. */
  readonly input: string;
}

export function answerOf(turn: Turn, conversation: Conversation, id: string): Answer {
  return {
    id,
    model: conversation.model,
    reasoning: turn.reasoning,
    text: piecesOf(turn.text, turn.chunk.size),
    calls: turn.calls.map((alternatives, index) => toolUse(alternatives, conversation, `call_${id}_${index}`)),
    usage: turn.usage,
  };
}

/** The first alternative whose tool is offered; where none is, the first, as a model that imagines a tool would. */
function toolUse(alternatives: readonly Call[], { tools, said }: Conversation, id: string): ToolUse {
  const offered = alternatives.map(({ name }) => tools.find((tool) => tool.name === name));
  const index = Math.max(
    offered.findIndex((tool) => tool !== undefined),
    0,
  );
  const { name, input } = alternatives[index] ?? { name: "", input: {} };
  const { namespace, isFreeform = false } = offered[index] ?? {};
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, field: string) => fieldInResults(said, field) ?? whole);
  return { id, name, ...(namespace === undefined ? {} : { namespace }), isFreeform, input: filled };
}

/** At most a few dozen pieces, so that a long text does not become as many records as it has words. */
function piecesOf(text: string, size = Math.max(16, Math.ceil(text.length / 32))): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + size, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** One server-sent event. */
export interface Frame {
  readonly event: string;
  readonly data: JsonObject;
  /** A piece of the text: where a stream is cut in the middle. */
  readonly isText?: true;
  /** What the client has been told of the usage by now, where this frame tells it. */
  readonly usage?: Usage;
}
