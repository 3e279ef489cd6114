import { retryAfter } from "../base/index.ts";

/** Headers whose values are keys, or may be. Only their names are recorded. */
const WITHHELD = /auth|cookie|secret|credential|password|signature|(?:^|[-_])(?:key|token|jwt)$/i;

/** In a query, too. */
const KEY_IN_QUERY = /(?<=[?&](?:key|api[-_]?key|access[-_]?token|token|sig|signature)=)[^&#]*/gi;

/** Pairs of names and values, without the values that are keys. `raw`: names and values in turn. */
export function shownHeaders(raw: readonly string[]): readonly (readonly (string | null)[])[] {
  const pairs: (readonly (string | null)[])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const [name = "", value = ""] = [raw[i], raw[i + 1]];
    pairs.push([name, WITHHELD.test(name) ? null : value]);
  }
  return pairs;
}

export function shownPath(path: string): string {
  return path.replace(KEY_IN_QUERY, "");
}

/** The headers with which providers report what is left of a limit. */
const LIMIT = /ratelimit|x-rate-limit/i;
const MOST_LIMITS = 40;

export function limitsIn(raw: readonly string[]): readonly { readonly name: string; readonly value: string }[] {
  return shownHeaders(raw)
    .flatMap(([name, value]) => (typeof name === "string" && typeof value === "string" && LIMIT.test(name) ? [{ name, value }] : []))
    .slice(0, MOST_LIMITS);
}

/** How long the provider asks to wait. Null: it does not. */
export function retryAfterIn(raw: readonly string[], now: number): number | null {
  const values = new Map<string, string>();
  for (let i = 0; i + 1 < raw.length; i += 2) values.set(raw[i]?.toLowerCase() ?? "", raw[i + 1] ?? "");
  return retryAfter((name: string) => values.get(name), now) ?? null;
}
