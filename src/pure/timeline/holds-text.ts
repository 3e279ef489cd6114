import { isObject } from "../base/index.ts";

/** Whether a value of an event contains this lower-case text. Field names and the envelope are not searched. */
export function holdsText(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(text);
  if (Array.isArray(value)) return value.some((each) => holdsText(each, text));
  return isObject(value) && Object.entries(value).some(([key, each]) => !ENVELOPE.has(key) && holdsText(each, text));
}

const ENVELOPE: ReadonlySet<string> = new Set(["from", "provenance", "said"]);
