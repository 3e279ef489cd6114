import type { JsonObject } from "../base/index.ts";
import { consumed, type Translated } from "../pipeline/index.ts";

/** Makes the `push` of a translator. If `translate` returns false, the line becomes an `unknown` without its contents. */
export function lineReader(
  translate: (out: Translated[], line: JsonObject) => boolean,
  withoutContents: (line: JsonObject) => JsonObject,
): (line: JsonObject) => readonly Translated[] {
  return (line) => {
    const out: Translated[] = [];
    if (!translate(out, line)) out.push({ type: "unknown", raw: withoutContents(line) });
    return out.length === 0 ? consumed : out;
  };
}
