import { type Tokens, tokenClasses } from "../../../pure/events/index.ts";
import type { Interval } from "../../../pure/statistics/index.ts";

/** Numbers for people. What is not known is a dash, never a zero. */

export const NOT_KNOWN = "–";

export function percent(rate: number | null): string {
  return rate === null ? NOT_KNOWN : `${(rate * 100).toFixed(1)} %`;
}

export function intervalOf(interval: Interval | null): string {
  return interval === null ? NOT_KNOWN : `${(interval.low * 100).toFixed(1)} … ${(interval.high * 100).toFixed(1)} %`;
}

export function seconds(ms: number | null): string {
  return ms === null ? NOT_KNOWN : ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${(ms / 1000).toFixed(0)} s`;
}

export function dollars(cost: number | null): string {
  return cost === null ? NOT_KNOWN : `$${cost.toFixed(cost < 1 ? 4 : 2)}`;
}

export function probability(p: number | null): string {
  return p === null ? NOT_KNOWN : p < 0.001 ? "< 0.001" : p.toFixed(3);
}

/** All classes that were told; null where none was. */
export function totalTokens(tokens: Tokens): number | null {
  const told = tokenClasses.flatMap((name) => tokens[name] ?? []);
  return told.length === 0 ? null : told.reduce((sum, count) => sum + count, 0);
}

export function whole(count: number | null): string {
  return count === null ? NOT_KNOWN : String(Math.round(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
