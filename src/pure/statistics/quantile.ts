/** The quantile of a sorted list, interpolated linearly (R's type 7). Null: the list is empty. */
export function quantile(sorted: ArrayLike<number>, share: number): number | null {
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * Math.min(1, Math.max(0, share));
  const low = Math.floor(place);
  const below = sorted[low] ?? 0;
  const above = sorted[Math.min(sorted.length - 1, low + 1)] ?? below;
  return below + (above - below) * (place - low);
}
