/**
 * The size of the difference between two rates (Cohen 1988): the same number of points counts for more near 0 and 1, because it takes more to
 * get there. From −π to π; positive if the second is higher.
 */
export function cohensH(first: number, second: number): number {
  const angle = (rate: number) => 2 * Math.asin(Math.sqrt(Math.min(1, Math.max(0, rate))));
  return angle(second) - angle(first);
}
