/** About 24 days. Node's timers cannot wait longer, and fire immediately if asked to. */
export const LONGEST_DURATION_MS = 2_147_483_647;

const AMOUNT = "(\\d+(?:\\.\\d+)?)";
const PARTS = new RegExp(`^(?:${AMOUNT}h)?(?:${AMOUNT}m)?(?:${AMOUNT}s)?(?:${AMOUNT}ms)?$`);
const SECONDS = new RegExp(`^${AMOUNT}$`);
const UNITS_MS = [3_600_000, 60_000, 1000, 1];

/** Describes the format in error messages. */
export const DURATION_FORM = 'a duration such as "90s", "10m", "1h30m" or "500ms", a number meaning seconds';

/**
 * `90s`, `10m`, `1h30m`, `500ms`, or `90` for seconds, in milliseconds. Undefined for anything else, and for more than a timer can
 * hold. A duration above 0 never rounds to 0, because people write 0 for “no limit”.
 */
export function parseDuration(text: string): number | undefined {
  if (text === "" || text.length > 40) return undefined;
  const seconds = SECONDS.exec(text);
  const parts = seconds === null ? PARTS.exec(text)?.slice(1) : [undefined, undefined, seconds[1]];
  if (parts === undefined) return undefined;
  const total = parts.reduce((sum, amount, unit) => sum + Number(amount ?? 0) * (UNITS_MS[unit] ?? 0), 0);
  if (total > LONGEST_DURATION_MS) return undefined;
  return total === 0 ? 0 : Math.max(1, Math.round(total));
}
