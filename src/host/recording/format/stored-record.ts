import { count, fits, integer, leaf, nullable, object, optional, parseObject, text, variants } from "../../../pure/base/index.ts";
import { fact, stop, stream } from "../../../pure/events/index.ts";
import type { StoredRecord } from "./record-chain.ts";

/** A time that a Date can hold, in milliseconds since the epoch. */
export const moment = leaf<number>(
  { type: "integer", minimum: 0, maximum: 8.64e15 },
  (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 8.64e15,
);

export const truncation = object({ stream, offset: count, base: count });

const ending = { exitCode: nullable(integer), signal: nullable(text), durationMs: nullable(count), stopped: optional(stop) };
export const runEnd = object({ at: moment, ...ending });

const storedRecord = variants(
  {
    line: { stream, offset: count, length: count, masked: optional(count) },
    fact: { body: fact, truncation: optional(truncation) },
    exit: ending,
  },
  { seq: count, at: moment, hash: text },
);

/** Parses a line of `records.jsonl`. Undefined unless every field matches its type: anyone can write the file. */
export function storedRecordOf(line: string): StoredRecord | undefined {
  const value = parseObject(line);
  return fits(storedRecord, value) ? value : undefined;
}
