import { constants } from "node:os";
import { InvalidArgumentError } from "commander";
import { LIMIT_FORM, parseResourceLimits, type ResourceLimits } from "../../../host/limits/index.ts";
import { parseDuration } from "../../../pure/base/index.ts";
import { isolationOf } from "../../../pure/isolation/index.ts";

/** `--exit-code 143` */
export function exitCodeOf(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) <= 255) return Number(value);
  throw new InvalidArgumentError("Pass a whole number from 0 to 255.");
}

/** `--signal SIGTERM`, `--signal term`, `--signal 15` → `SIGTERM` */
export function signalOf(value: string): string {
  const signals = Object.entries(constants.signals);
  const name = value.toUpperCase().replace(/^(?:SIG)?/, "SIG");
  const found = signals.find(([known, number]) => known === name || (/^\d+$/.test(value) && number === Number(value)));
  if (found !== undefined) return found[0];
  throw new InvalidArgumentError("Pass a name or a number: SIGTERM, TERM or 15.");
}

export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** `--env NAME=value`, `--env NAME` */
export function variableOf(value: string, before: readonly string[]): readonly string[] {
  if (/^[^=\0]+(=|$)/.test(value)) return collected(value, before);
  throw new InvalidArgumentError("Pass NAME=value, or NAME alone to pass on your own value.");
}

/** `--isolate container:<image>` */
export function levelOf(value: string): string {
  try {
    isolationOf(value);
    return value;
  } catch {
    throw new InvalidArgumentError("Pass none, process, files, sealed or container:<image>.");
  }
}

/** `--timeout 1h30m` → milliseconds */
export function durationOf(value: string): number {
  const ms = parseDuration(value);
  if (ms !== undefined) return ms;
  throw new InvalidArgumentError("Pass seconds, or a time such as 500ms, 90s, 10m, 1h30m.");
}

/** `--max-turns 5` */
export function countOf(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("Pass a whole number, 1 or more.");
}

/** `-t 10m` in evaluations and adapter checks; a bare number is milliseconds, as in specification 004 */
export function limitOf(value: string): number {
  const ms = /^\d+$/.test(value) ? parseDuration(`${value}ms`) : parseDuration(value);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("Pass a time such as 90s, 10m or 1h30m, or milliseconds such as 60000.");
}

/** `--max-budget 0.50` */
export function moneyOf(value: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError("Pass an amount in US dollars, such as 0.50.");
}

/** `--input 0.25`, in US dollars per million tokens */
export function amountOf(value: string): number {
  if (/^\d{1,9}(\.\d{1,9})?$/.test(value)) return Number(value);
  throw new InvalidArgumentError("Pass an amount in US dollars, such as 0.25.");
}

/** `--speed 4`, `--speed max` */
export function speedOf(value: string): number {
  if (value === "max") return Number.POSITIVE_INFINITY;
  if (/^\d{1,6}(\.\d{1,6})?$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError("Pass a number above 0, or max.");
}

const AGES: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `--older-than 30d` → milliseconds */
export function ageOf(value: string): number {
  const [, count, unit = ""] = /^(\d{1,5})([mhdw])$/.exec(value) ?? [];
  const ms = AGES[unit];
  if (count !== undefined && ms !== undefined) return Number(count) * ms;
  throw new InvalidArgumentError("Pass minutes, hours, days or weeks: 90m, 12h, 30d, 8w.");
}

/** `--since 30d`, `--since 2026-11-01` → epoch milliseconds */
export function timeOf(value: string): number {
  if (/^\d+[mhdw]$/.test(value)) return Date.now() - ageOf(value);
  const time = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError("Pass an age or a date: 12h, 30d, 2026-11-01.");
}

/** `--limit memory=4g,processes=200` */
export function resourcesOf(value: string): ResourceLimits {
  const limits = parseResourceLimits(value);
  if (limits !== undefined) return limits;
  throw new InvalidArgumentError(`Pass ${LIMIT_FORM}.`);
}

/** `--port 0` */
export function portOf(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value);
  throw new InvalidArgumentError("Pass a whole number from 0 to 65535.");
}

/** `--wrap git,npm` */
export function listed(value: string): readonly string[] {
  return value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** `--events 1-5000` */
export function rangeOf(value: string): { readonly first: number; readonly last: number } {
  const [, first, last] = /^([1-9]\d{0,9})-([1-9]\d{0,9})$/.exec(value) ?? [];
  if (Number(first) <= Number(last)) return { first: Number(first), last: Number(last) };
  throw new InvalidArgumentError("Pass the first and the last event, such as 1-5000.");
}
