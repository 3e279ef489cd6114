import {
  count,
  either,
  epochMs,
  fits,
  integer,
  list,
  nullable,
  object,
  optional,
  ordinal,
  parseObject,
  type Static,
  text,
  variants,
} from "../base/index.ts";

/** Names and values. A header without its value carries a key, or may. */
const headers = list(list(nullable(text)));
const run = either(count, list(count));
const parts = list(either(text, either(run, object({ list: list(run) }))));

/** A line of `wire.jsonl`. */
const wireLine = variants(
  {
    /** Content that requests share, stored once. */
    piece: { piece: count, sha256: text, parts },
    /** `parts` or `base64`: its body. Without both the body is not recorded. */
    request: {
      call: ordinal,
      at: epochMs,
      origin: text,
      method: text,
      path: text,
      headers,
      parts: optional(parts),
      base64: optional(text),
    },
    answer: { call: ordinal, at: epochMs, status: integer, headers },
    /** A piece of the answer's body, decoded. `bytes`: its size, if the contents cannot be recorded. */
    chunk: { call: ordinal, at: epochMs, text: optional(text), base64: optional(text), bytes: optional(count) },
    end: { call: ordinal, at: epochMs, problem: optional(text) },
  },
  { seq: ordinal, hash: text },
);
export type WireLine = Static<typeof wireLine>;

/** Undefined if the text is not such a line. */
export function wireLineOf(line: string): WireLine | undefined {
  const value = parseObject(line);
  return value !== undefined && fits(wireLine, value) ? (value as WireLine) : undefined;
}
