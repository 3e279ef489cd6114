import { clipped, isObject, type JsonObject } from "../base/index.ts";

/** A longer line is shown with its long texts cut; the whole of it is had by asking for it alone. */
export const WHOLE = 48 * 1024;
const TEXT_CAP = 12 * 1024;
const MOST_ITEMS = 200;

/** An event that a page can show at once; `bytes` is how long it really is. */
export function clipEvent(event: JsonObject, bytes: number): JsonObject {
  return { ...(cut(event) as JsonObject), clipped: bytes };
}

function cut(value: unknown): unknown {
  if (typeof value === "string") return clipped(value, TEXT_CAP);
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(cut);
  if (!isObject(value)) return value;
  const some = Object.entries(value).slice(0, MOST_ITEMS);
  return Object.fromEntries(some.map(([key, inner]) => [clipped(key, 200), cut(inner)]));
}
