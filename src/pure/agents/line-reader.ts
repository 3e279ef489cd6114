import type { JsonObject } from "../base/index.ts";
import type { EventBody } from "../events/index.ts";
import { consumed } from "../pipeline/index.ts";

/** Makes the `push` of a translator. If `translate` returns false, the line becomes an `unknown` without its contents. */
export function lineReader(
  translate: (out: EventBody[], line: JsonObject) => boolean,
  withoutContents: (line: JsonObject) => JsonObject,
): (line: JsonObject) => readonly EventBody[] {
  return (line) => {
    const out: EventBody[] = [];
    if (!translate(out, line)) out.push({ type: "unknown", raw: withoutContents(line) });
    return out.length === 0 ? consumed : out;
  };
}
