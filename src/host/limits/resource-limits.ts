import { object, optional, ordinal, parseDuration, type Static } from "../../pure/base/index.ts";

/** What a run may use, all its processes together. */
export const resourceLimits = object({
  /** Bytes of memory. */
  memory: optional(ordinal),
  /** Processes at the same time. */
  processes: optional(ordinal),
  /** Bytes of one file, also of the agent's output. */
  file: optional(ordinal),
  /** Bytes on disk of the workspace. */
  workspace: optional(ordinal),
  /** Milliseconds of processor time. */
  cpu: optional(ordinal),
});
export type ResourceLimits = Static<typeof resourceLimits>;
export type LimitName = keyof ResourceLimits;

export const LIMIT_FORM = "limits such as memory=4g,processes=200,file=1g,workspace=10g,cpu=30m";

const UNITS: Readonly<Record<string, number>> = { "": 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** `memory=4g,processes=200`; undefined if it is anything else. */
export function parseResourceLimits(text: string): ResourceLimits | undefined {
  const limits: { -readonly [Name in LimitName]?: number } = {};
  for (const part of text.split(",")) {
    const [, name, value = ""] = /^\s*(memory|processes|file|workspace|cpu)=(\S+)\s*$/.exec(part) ?? [];
    const amount = name === "cpu" ? parseDuration(value) : name === "processes" ? wholeOf(value) : bytesOf(value);
    if (name === undefined || amount === undefined || amount <= 0 || limits[name as LimitName] !== undefined) return undefined;
    limits[name as LimitName] = amount;
  }
  return limits;
}

function wholeOf(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function bytesOf(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,12})([kmgt]?)(?:i?b)?$/i.exec(text) ?? [];
  const bytes = Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
