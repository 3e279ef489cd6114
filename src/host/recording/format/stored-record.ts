import { isObject, type JsonObject } from "../../../pure/base/index.ts";
import type { Stream } from "../../../pure/events/index.ts";
import { isFactBody, isStop } from "./is-fact-body.ts";
import type { StoredRecord } from "./record-chain.ts";
import type { RunEnd, Truncation } from "./run-manifest.ts";

/** A line of `records.jsonl`, read. Undefined for one that no recorder wrote: what is returned can be relied on, whoever wrote the file. */
export function storedRecordOf(text: string): StoredRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(value) && isStored(value) ? (value as unknown as StoredRecord) : undefined;
}

function isStored(value: JsonObject): boolean {
  const { seq, at, hash, type } = value;
  if (!isCount(seq) || !isMoment(at) || typeof hash !== "string") return false;
  if (type === "line") return isLine(value);
  return type === "fact" ? isFact(value) : type === "exit" && isRunEnd(value);
}

function isLine({ stream, offset, length, masked }: JsonObject): boolean {
  return isStream(stream) && isCount(offset) && isCount(length) && (masked === undefined || isCount(masked));
}

function isFact({ body, truncation }: JsonObject): boolean {
  return isObject(body) && isFactBody(body) && (truncation === undefined || isTruncation(truncation));
}

export function isRunEnd(value: unknown): value is RunEnd {
  if (!isObject(value)) return false;
  const { at, exitCode, signal, durationMs, stopped } = value;
  if (!isMoment(at) || !(exitCode === null || Number.isSafeInteger(exitCode)) || !(durationMs === null || isCount(durationMs)))
    return false;
  return (signal === null || typeof signal === "string") && (stopped === undefined || isStop(stopped));
}

export function isTruncation(value: unknown): value is Truncation {
  return isObject(value) && isStream(value["stream"]) && isCount(value["offset"]) && isCount(value["base"]);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A time that a date can name, in milliseconds of the epoch. */
export function isMoment(value: unknown): value is number {
  return isCount(value) && value <= 8.64e15;
}

function isStream(value: unknown): value is Stream {
  return value === "stdout" || value === "stderr";
}
