import type { JsonObject } from "../../pure/base/index.ts";
import { parseJson } from "../../pure/base/index.ts";
import { type Conversation, fieldInResults, type OfferedTool } from "./conversation.ts";
import type { Call, StopReason, Turn, Usage } from "./model-scenario.ts";

/** A turn prepared for one request: its calls and their ids. */
export interface Answer {
  /** Unique within the server. */
  readonly id: string;
  readonly model: string;
  readonly reasoning: string;
  /** The chunks that the text streams in; joined they are the text. */
  readonly text: readonly string[];
  readonly calls: readonly ToolUse[];
  readonly usage: Usage;
  readonly stop: StopReason;
}

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly isFreeform: boolean;
  /** As sent over the wire: JSON, or the text of a freeform tool. */
  readonly input: string;
}

export function answerOf(turn: Turn, conversation: Conversation, id: string, url: string, withheld: readonly string[] = []): Answer {
  return {
    id,
    model: conversation.model,
    reasoning: turn.reasoning,
    text: piecesOf(turn.text, turn.chunk.size),
    calls: withScript(
      turn.calls
        .filter((alternatives) => isMade(alternatives, conversation))
        .map((alternatives, index) => toolUse(alternatives, conversation, `call_${id}_${index}`, url, withheld)),
    ),
    usage: turn.usage,
    stop: turn.stop,
  };
}

/**
 * The first alternative with an offered tool that has its parameters; else the first with an offered name; else the first with the name of
 * a withheld tool; else the first one, like a model that invents a tool.
 */
function toolUse(
  alternatives: readonly Call[],
  { tools, said }: Conversation,
  id: string,
  url: string,
  withheld: readonly string[],
): InnerUse {
  const called = (each: Call) => tools.find((tool) => tool.name === each.name);
  const offered = alternatives.find((each) => fits(each, called(each))) ?? alternatives.find(called);
  const call = offered ?? alternatives.find((each) => withheld.includes(each.name)) ?? alternatives[0];
  const { name, input } = call ?? { name: "", input: {} };
  const { namespace, isFreeform = false, within } = (call && called(call)) ?? deferred(name, tools) ?? {};
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const known = (field: string) => (field === "model_url" ? url : fieldInResults(said, field));
  const filled = text.replace(/\{\{(\w+)\}\}/g, (whole, field: string) => known(field) ?? whole);
  return { id, name, ...(namespace === undefined ? {} : { namespace }), isFreeform, input: filled, within };
}

/** JavaScript can call the tools of MCP servers that the request does not declare (seen in Codex 0.166.0). */
function deferred(name: string, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const script = tools.find(({ within }) => within !== undefined)?.within;
  return script !== undefined && name.startsWith("mcp__") ? { name, within: script } : undefined;
}

/** A call; `within` is the tool whose JavaScript makes it. */
type InnerUse = ToolUse & { readonly within: OfferedTool | undefined };

/** Calls that JavaScript makes share one call of the tool that runs it, in the place of the first. They run in parallel. */
function withScript(calls: readonly InnerUse[]): readonly ToolUse[] {
  const inner = calls.filter(({ within }) => within !== undefined);
  return calls.flatMap(({ within, ...call }) => {
    if (within === undefined) return [call];
    return call.id === inner[0]?.id ? [{ id: call.id, name: within.name, isFreeform: true, input: scriptOf(inner) }] : [];
  });
}

/** A failed call does not end the others, and the model sees what a tool printed rather than the object around it. */
function scriptOf(calls: readonly ToolUse[]): string {
  const made = calls.map(({ name, isFreeform, input }) => `tools.${name}(${isFreeform ? JSON.stringify(input) : input})`);
  return [
    `const ended = await Promise.allSettled([${made.join(", ")}]);`,
    "for (const { value, reason } of ended) text(value?.output ?? value ?? String(reason));",
  ].join("\n");
}

function isMade(alternatives: readonly Call[], { tools }: Conversation): boolean {
  return alternatives.some(({ name, isOptional }) => !isOptional || tools.some((tool) => tool.name === name));
}

function fits({ input, alsoNeeds = [] }: Call, tool: OfferedTool | undefined): boolean {
  if (tool === undefined || (tool.isFreeform ?? false) !== (typeof input === "string")) return false;
  const { parameters } = tool;
  return (
    parameters === undefined ||
    typeof input === "string" ||
    [...Object.keys(input), ...alsoNeeds].every((name) => parameters.includes(name))
  );
}

/** At most a few dozen chunks, so that a long text does not become one record per word. */
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

/** The JSON of a call's input; undefined if it is not JSON. */
export function parsedInput({ input }: ToolUse): unknown {
  try {
    return parseJson(input);
  } catch {
    return undefined;
  }
}

/** One server-sent event. */
export interface Frame {
  /** Its name, if the dialect names events. */
  readonly event?: string;
  /** A string is sent verbatim. */
  readonly data: JsonObject | string;
  /** The answer ends with this frame; later frames only repeat that. */
  readonly isEnd?: true;
  /** A chunk of text, where a fault can cut the stream. */
  readonly isText?: true;
  /** The usage that the client knows after this frame, if the frame reports any. */
  readonly usage?: Usage;
}
