import type { JsonObject } from "../../pure/base/index.ts";
import { type Conversation, fieldInResults, type OfferedTool } from "./conversation.ts";
import type { Call, StopWord, Turn, Usage } from "./model-scenario.ts";

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
  readonly stop: StopWord;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly isFreeform: boolean;
  /** As it goes over the wire: JSON, or the text of a freeform tool. */
  readonly input: string;
}

export function answerOf(turn: Turn, conversation: Conversation, id: string, url: string): Answer {
  return {
    id,
    model: conversation.model,
    reasoning: turn.reasoning,
    text: piecesOf(turn.text, turn.chunk.size),
    calls: turn.calls
      .filter((alternatives) => isMade(alternatives, conversation))
      .map((alternatives, index) => toolUse(alternatives, conversation, `call_${id}_${index}`, url)),
    usage: turn.usage,
    stop: turn.stop,
  };
}

/**
 * The first alternative whose tool is offered, with such parameters; else the first of an offered name; else the first, as a
 * model that imagines a tool would.
 */
function toolUse(alternatives: readonly Call[], { tools, said }: Conversation, id: string, url: string): ToolUse {
  const called = (each: Call) => tools.find((tool) => tool.name === each.name);
  const call = alternatives.find((each) => fits(each, called(each))) ?? alternatives.find(called) ?? alternatives[0];
  const { name, input } = call ?? { name: "", input: {} };
  const { namespace, isFreeform = false } = (call && called(call)) ?? {};
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const known = (field: string) => (field === "model_url" ? url : fieldInResults(said, field));
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, field: string) => known(field) ?? whole);
  return { id, name, ...(namespace === undefined ? {} : { namespace }), isFreeform, input: filled };
}

function isMade(alternatives: readonly Call[], { tools }: Conversation): boolean {
  return alternatives.some(({ name, isOptional }) => !isOptional || tools.some((tool) => tool.name === name));
}

function fits({ input, beside = [] }: Call, tool: OfferedTool | undefined): boolean {
  if (tool === undefined || (tool.isFreeform ?? false) !== (typeof input === "string")) return false;
  const { parameters } = tool;
  return (
    parameters === undefined || typeof input === "string" || [...Object.keys(input), ...beside].every((name) => parameters.includes(name))
  );
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

/** The JSON of a call's input; undefined for what is none. */
export function parsedInput({ input }: ToolUse): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

/** One server-sent event. */
export interface Frame {
  /** Its name, in the dialects that name them. */
  readonly event?: string;
  /** A text goes over the wire as it is. */
  readonly data: JsonObject | string;
  /** With it the answer ends; what comes after it only says so again. */
  readonly isEnd?: true;
  /** A piece of the text: where a stream is cut in the middle. */
  readonly isText?: true;
  /** What the client has been told of the usage by now, where this frame tells it. */
  readonly usage?: Usage;
}
