/** The number, but not below `low` and not above `high`; RangeError if `low` is above `high`. */
export function clamp(number, low, high) {
  if (low > high) throw new RangeError("low is above high");
  return Math.min(Math.max(number, low), high);
}
