/** The number, limited to the range from `low` to `high`; throws a RangeError if `low` is above `high`. */
export function clamp(number, low, high) {
  if (low > high) throw new RangeError("low is above high");
  return Math.min(Math.max(number, low), high);
}
