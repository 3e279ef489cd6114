/**
 * The p-value for the differences between two sides over all cases, if neither side were better: two-sided and exact.
 *
 * A difference is a whole number: how many more trials of a case one side passed. If neither were better, each difference would be equally
 * likely with the opposite sign. All 2^n sign patterns are counted, by their sums, and differences of one size together: the number of
 * positive ones is binomial. With one trial per case this is McNemar's exact test, where only discordant cases count. With several trials
 * it stays valid, because it flips whole cases; McNemar's test would treat the trials of a case as independent.
 */
export function signFlipTest(differences: readonly number[]): number {
  const times = new Map<number, number>();
  for (const size of differences.map(Math.abs)) if (size > 0) times.set(size, (times.get(size) ?? 0) + 1);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // ways[s]: the share of sign patterns whose positive differences sum to s; the total sum is then 2s − total.
  let ways = Float64Array.of(1);
  for (const [size, count] of times) ways = withSize(ways, size, signsOf(count));
  const total = ways.length - 1;
  const p = ways.reduce((sum, share, positive) => (Math.abs(2 * positive - total) >= observed ? sum + share : sum), 0);
  return Math.min(1, p);
}

function withSize(ways: Float64Array, size: number, signs: Float64Array): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(ways.length + size * (signs.length - 1));
  for (const [positive, share] of signs.entries()) {
    if (share === 0) continue; // underflow, the usual case with many differences
    for (let sum = 0, at = positive * size; sum < ways.length; sum++, at++) sums[at] = (sums[at] ?? 0) + share * (ways[sum] ?? 0);
  }
  return sums;
}

/** The share of sign patterns with 0, 1, 2 … positive signs, computed outwards from the middle, which is the largest. */
function signsOf(count: number): Float64Array {
  const shares = new Float64Array(count + 1);
  const middle = count >> 1;
  shares[middle] = middleShare(count, middle);
  for (let positive = middle + 1; positive <= count; positive++)
    shares[positive] = ((shares[positive - 1] ?? 0) * (count - positive + 1)) / positive;
  for (let positive = middle - 1; positive >= 0; positive--)
    shares[positive] = ((shares[positive + 1] ?? 0) * (positive + 1)) / (count - positive);
  return shares;
}

/** The share of all 2^count patterns in the middle. Halves along the way to avoid overflow; exact up to about fifty differences. */
function middleShare(count: number, middle: number): number {
  let share = 1;
  let halvings = count;
  for (let step = 1; step <= middle; step++) {
    share = (share * (count - middle + step)) / step;
    for (; share > 1 && halvings > 0; halvings--) share /= 2;
  }
  return share * 2 ** -halvings;
}
