import { isObject } from "../base/index.ts";

/** Whether one of an event's values holds this text, which is in lower case. Names of fields and the envelope are not what somebody looks for. */
export function holdsText(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(text);
  if (Array.isArray(value)) return value.some((each) => holdsText(each, text));
  return isObject(value) && Object.entries(value).some(([key, each]) => !ENVELOPE.has(key) && holdsText(each, text));
}

const ENVELOPE: ReadonlySet<string> = new Set(["from", "provenance", "said"]);
