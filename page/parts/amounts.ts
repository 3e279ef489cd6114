import type { Tokens } from "../../src/pure/events/index.ts";

/** Numbers as people read them. Null is not known, and shown as a dash. */

export const UNKNOWN = "–";

export function duration(ms: number | null): string {
  if (ms === null) return UNKNOWN;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function dollars(amount: number | null): string {
  if (amount === null) return UNKNOWN;
  return amount === 0 ? "$0" : amount < 0.01 ? `$${amount.toFixed(4)}` : `$${amount.toFixed(2)}`;
}

export function count(number: number | null): string {
  if (number === null) return UNKNOWN;
  if (number < 10_000) return number.toLocaleString("en");
  if (number < 1_000_000) return `${(number / 1000).toFixed(number < 100_000 ? 1 : 0)}k`;
  return `${(number / 1_000_000).toFixed(number < 10_000_000 ? 2 : 1)}M`;
}

export function bytes(number: number | null): string {
  if (number === null) return UNKNOWN;
  if (number < 1000) return `${number} B`;
  if (number < 1_000_000) return `${(number / 1000).toFixed(1)} kB`;
  return number < 1_000_000_000 ? `${(number / 1_000_000).toFixed(1)} MB` : `${(number / 1_000_000_000).toFixed(2)} GB`;
}

export function share(part: number | null, whole: number | null): string {
  if (part === null || whole === null || whole === 0) return UNKNOWN;
  const percent = (100 * part) / whole;
  return percent === 0 ? "0 %" : percent < 0.1 ? "< 0.1 %" : `${percent.toFixed(percent < 10 ? 1 : 0)} %`;
}

/** All that is told; null where nothing is. */
export function totalTokens(tokens: Tokens | null): number | null {
  if (tokens === null) return null;
  const told = Object.values(tokens).filter((number): number is number => number !== null);
  return told.length === 0 ? null : told.reduce((sum, number) => sum + number, 0);
}

export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return "just now";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  return days < 14 ? `${days} d ago` : new Date(at).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

export function moment(at: number): string {
  return new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
}
