import { type Tokens, tokenClasses } from "../../pure/events/index.ts";

const NAMES: Readonly<Record<keyof Tokens, string>> = {
  input: "input",
  cacheRead: "cache read",
  cacheWrite: "cache write",
  output: "output",
  reasoning: "reasoning",
};

/** The classes that are known and not zero: `1,200 input · 34 output`. */
export function tokenCounts(tokens: Tokens): string {
  const counts = tokenClasses.map((name) => [name, tokens[name]] as const);
  const told = counts.filter((entry): entry is readonly [(typeof entry)[0], number] => entry[1] !== null && entry[1] !== 0);
  return told.map(([name, count]) => `${count.toLocaleString("en")} ${NAMES[name]}`).join(" · ");
}

export function seconds(ms: number | null): string {
  return ms === null ? "" : `${(ms / 1000).toFixed(1)} s`;
}

/** `0.3 s`, `42.0 s`, `2 m 05 s`, `1 h 02 m`; without decimals where the last digit would only flicker. */
export function duration(ms: number, decimals = 1): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  if (whole < 60) return decimals === 0 ? `${whole} s` : `${Math.min(59.9, Math.max(0, ms) / 1000).toFixed(decimals)} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} m ${twoDigits(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** `579`, `16.9K`, `1.2M`. */
export function compact(count: number): string {
  format ??= new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
  return format.format(count);
}

/** Made when it is needed: it takes longer than everything else that is loaded with it. */
let format: Intl.NumberFormat | undefined;

export function dollars(amount: number | null): string {
  return amount === null ? "" : `$${amount.toFixed(4)}`;
}
