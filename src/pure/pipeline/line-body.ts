import { isShallow, type JsonObject, MAX_DEPTH, shallow, TOO_DEEP } from "../base/index.ts";
import type { Line, UnknownBody } from "../events/index.ts";
import type { Translated } from "./agent.ts";

export function unreadable(line: Line, value: unknown): UnknownBody {
  if (value !== undefined && isShallow(value)) return { type: "unknown", raw: value };
  const truncated = line.terminated ? undefined : (true as const);
  if (line.oversize) return { type: "unknown", raw: line.text, oversize: true, truncated };
  if (line.base64 !== undefined) return { type: "unknown", raw: line.base64, encoding: "base64", truncated };
  return { type: "unknown", raw: withoutReturn(line.text), truncated };
}

/** Whether the translator did not know the line with this object. */
export function isUnknown(body: Translated | undefined, value: JsonObject): boolean {
  return body?.type === "unknown" && body.raw === value;
}

/** Lines may end in CRLF. JSON ignores the CR as white space. */
export function withoutReturn(text: string): string {
  return text.endsWith("\r") ? text.slice(0, -1) : text;
}

/** A level of nesting takes two characters, so shorter lines need no check. */
export const CAN_BE_DEEP = 2 * MAX_DEPTH;

/** Replaces values nested too deeply to be serialised; an `unknown` shows the text it was read from instead. */
export function bounded(translated: Translated, text: string): Translated {
  const body = "said" in translated && !isShallow(translated.said) ? { ...translated, said: undefined } : translated;
  if (body.type === "piece" || body.type === "pause") return body;
  if (body.type === "unknown") return isShallow(body.raw) ? body : { ...body, raw: text };
  if (body.type === "tool-start" && !(isShallow(body.input) && isShallow(body.request))) {
    return { ...body, input: shallow(body.input), request: shallow(body.request) };
  }
  return isShallow(body.raw) ? body : { ...body, raw: body.type === "message" ? text : TOO_DEEP };
}
