import { errorWords, isObject, parseJson } from "../../pure/base/index.ts";
import type { ToolParseError, Usage } from "../../pure/events/index.ts";
import type { Failure } from "./failure.ts";
import type { SaidMessage } from "./model-message.ts";

/** The result of one model call. */
export interface Turn {
  /** Its answer, with the data that its provider wants back; absent if it said nothing. */
  readonly message?: SaidMessage;
  readonly calls: readonly RawCall[];
  readonly usage: Usage;
  readonly failure?: Failure;
  /** It reached its output limit: the answer is cut off. */
  readonly isCut?: true;
}

/** A tool call under the model's own id. */
export interface RawCall {
  readonly id: string;
  readonly name: string;
  /** The arguments, or a `ToolParseError`. */
  readonly input: unknown;
}

/** The arguments of a call as the model wrote them. None at all become an empty object: some models leave them out. */
export function inputOf(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value: unknown = parseJson(text);
    if (isObject(value)) return value;
    return unreadable("the arguments are not a JSON object", text);
  } catch (error) {
    return unreadable(errorWords(error), text);
  }
}

function unreadable(parseError: string, rawArguments: string): ToolParseError {
  return { __toolParseError: true, parseError, rawArguments };
}

export function isParseError(input: unknown): input is ToolParseError {
  return isObject(input) && input["__toolParseError"] === true;
}

/** All its visible text. */
export function textOf({ message }: Turn): string {
  const { content = "" } = message ?? {};
  return typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
