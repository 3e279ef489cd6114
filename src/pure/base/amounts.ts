/** Amounts for people. An unknown amount is a dash, never a zero. */

export const NOT_KNOWN = "–";

/**
 * `250 ms`, `42.0 s`, `2 m 05 s`, `1 h 02 m`. Truncates like a clock, so it never shows more than has passed and nothing rounds up to 60 s.
 * `parseDuration` reads the result once the blanks are removed. With 0 decimals it shows no milliseconds either: for live displays.
 */
export function duration(ms: number | null, decimals: 0 | 1 = 1): string {
  if (ms === null) return NOT_KNOWN;
  const whole = Math.max(0, Math.floor(ms));
  const seconds = Math.floor(whole / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
  if (minutes > 0) return `${minutes} m ${twoDigits(seconds % 60)} s`;
  if (decimals === 0) return `${seconds} s`;
  return seconds === 0 ? `${whole} ms` : `${seconds}.${Math.floor(whole / 100) % 10} s`;
}

/** The time into a run: `4.2s`, `2:05`, `1:02:05`. Truncated, like `duration`. */
export function clockTime(ms: number): string {
  const tenths = Math.max(0, Math.floor(ms / 100));
  const seconds = Math.floor(tenths / 10);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}.${tenths % 10}s`;
  const rest = twoDigits(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${rest}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** `$12.30`, `$0.0123`. A cost above zero is never shown as zero. */
export function dollars(amount: number | null): string {
  if (amount === null) return NOT_KNOWN;
  if (amount === 0) return "$0";
  if (amount < 0.0001) return "< $0.0001";
  const exact = amount.toFixed(4);
  return Number(exact) < 1 ? `$${exact}` : `$${amount.toFixed(2)}`;
}

/** `1,234,567`. Done by hand: loading the locale takes longer than everything else a command loads. */
export function whole(count: number | null): string {
  return count === null ? NOT_KNOWN : String(Math.round(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `9,876`, `16.9k`, `1.2M`: truncated after one decimal. */
export function compact(count: number | null): string {
  return count === null || count < 10_000 ? whole(count) : inUnits(count, ["", "k", "M", "G"]);
}

/** `512 B`, `16.9 kB`, `1.2 MB`: truncated after one decimal. */
export function bytes(count: number | null): string {
  return count === null ? NOT_KNOWN : inUnits(count, [" B", " kB", " MB", " GB"]);
}

function inUnits(count: number, units: readonly string[]): string {
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor((String(Math.floor(count)).length - 1) / 3)));
  const tenths = Math.floor((count * 10) / 1000 ** unit);
  return `${Math.floor(tenths / 10)}${tenths % 10 === 0 ? "" : `.${tenths % 10}`}${units[unit]}`;
}

/** `1 tool call`, `1,200 tool calls`; pass an irregular plural as `many`: `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/** `66.7 %` for 0.667. Only 0 is shown as `0.0 %`, and only 1 as `100.0 %`. */
export function percent(rate: number | null): string {
  if (rate === null) return NOT_KNOWN;
  const rounded = (rate * 100).toFixed(1);
  if (rounded === "0.0" && rate > 0) return "< 0.1 %";
  return rounded === "100.0" && rate < 1 ? "> 99.9 %" : `${rounded} %`;
}

/** `part` as a percentage of `all`; unknown if `all` is 0. */
export function share(part: number | null, all: number | null): string {
  return percent(part === null || all === null || all === 0 ? null : part / all);
}

/** `41.2 … 66.7 %` */
export function percentRange(range: { readonly low: number; readonly high: number } | null): string {
  return range === null ? NOT_KNOWN : `${(range.low * 100).toFixed(1)} … ${(range.high * 100).toFixed(1)} %`;
}

/** `+12.5 points`: the difference between two rates. */
export function points(difference: number | null): string {
  return difference === null ? NOT_KNOWN : `${difference < 0 ? "−" : "+"}${(Math.abs(difference) * 100).toFixed(1)} points`;
}

/** `−48.6 … +2.1 points`: the interval of a difference between two rates. */
export function pointRange(range: { readonly low: number; readonly high: number } | null): string {
  return range === null ? NOT_KNOWN : `${points(range.low).replace(" points", "")} … ${points(range.high)}`;
}

export function probability(p: number | null): string {
  return p === null ? NOT_KNOWN : p < 0.001 ? "< 0.001" : p.toFixed(3);
}
