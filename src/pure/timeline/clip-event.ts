import { clipped, isObject, type JsonObject } from "../base/index.ts";

/** Longer lines are shown with their long texts cut; the page fetches the full event separately. */
export const WHOLE = 48 * 1024;
const TEXT_CAP = 12 * 1024;
const MOST_ITEMS = 200;

/** An event small enough for a page to show. `bytes` is its real length. */
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
