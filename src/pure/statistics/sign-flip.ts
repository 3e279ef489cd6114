/**
 * How surprising it is that the differences of the cases do not cancel out, if neither side were better: two-sided, exact.
 *
 * A difference is a whole number: by how many more trials of a case the one side passed than the other. If neither were
 * better, each difference would be as likely with the other sign; all 2^n signs are counted, by sums instead of one by one,
 * and all differences of one size at once: how many of them are positive is binomial.
 * With one trial per case this is McNemar's exact test, of which only the discordant cases count; with several it stays
 * valid, because the sign is that of a whole case, where McNemar's own would take the trials of a case for independent.
 */
export function signFlipTest(differences: readonly number[]): number {
  const times = new Map<number, number>();
  for (const size of differences.map(Math.abs)) if (size > 0) times.set(size, (times.get(size) ?? 0) + 1);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // ways[s]: the share of signs under which the positive ones sum up to s; the whole sum is then 2s − total.
  let ways = Float64Array.of(1);
  for (const [size, count] of times) ways = withSize(ways, size, signsOf(count));
  const total = ways.length - 1;
  const p = ways.reduce((sum, share, positive) => (Math.abs(2 * positive - total) >= observed ? sum + share : sum), 0);
  return Math.min(1, p);
}

function withSize(ways: Float64Array, size: number, signs: Float64Array): Float64Array<ArrayBuffer> {
  const sums = new Float64Array(ways.length + size * (signs.length - 1));
  for (const [positive, share] of signs.entries()) {
    if (share === 0) continue; // too small for a number; of many signs that is most
    for (let sum = 0, at = positive * size; sum < ways.length; sum++, at++) sums[at] = (sums[at] ?? 0) + share * (ways[sum] ?? 0);
  }
  return sums;
}

/** The share of all signs of so many differences with 0, 1, 2 … positive ones; from the middle, which is the largest, outwards. */
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

/** How many of 2^count are in the middle. Halved on the way, so that neither of the two overflows; of some fifty differences it is exact. */
function middleShare(count: number, middle: number): number {
  let share = 1;
  let halvings = count;
  for (let step = 1; step <= middle; step++) {
    share = (share * (count - middle + step)) / step;
    for (; share > 1 && halvings > 0; halvings--) share /= 2;
  }
  return share * 2 ** -halvings;
}
