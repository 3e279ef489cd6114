import { count, fits, integer, leaf, nullable, object, optional, text, variants } from "../../../pure/base/index.ts";
import { fact, stop, stream } from "../../../pure/events/index.ts";
import type { StoredRecord } from "./record-chain.ts";

/** A time that a date can name, in milliseconds of the epoch. */
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

/** A line of `records.jsonl`, read. Undefined for one that no recorder wrote: what is returned can be relied on, whoever wrote the file. */
export function storedRecordOf(line: string): StoredRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return fits(storedRecord, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
