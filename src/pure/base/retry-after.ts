/** HTTP statuses after which the same request may succeed. */
const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);

export function isTransientStatus(status: number): boolean {
  return TRANSIENT.has(status);
}

/** The milliseconds that a provider asks to wait: in seconds, as a date, or in milliseconds, whichever it uses. Undefined if it does not. */
export function retryAfter(header: (name: string) => string | undefined, now: number): number | undefined {
  const exact = Number(header("retry-after-ms") || Number.NaN);
  if (exact >= 0) return exact;
  const text = header("retry-after");
  if (text === undefined || text.trim() === "") return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
