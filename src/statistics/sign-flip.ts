/**
 * How surprising it is that the differences of the cases do not cancel out, if neither side were better: two-sided, exact.
 *
 * A difference is a whole number: by how many more trials of a case the one side passed than the other. If neither were
 * better, each difference would be as likely with the other sign; all 2^n signs are counted, by sums instead of one by one.
 * With one trial per case this is McNemar's exact test, of which only the discordant cases count; with several it stays
 * valid, because the sign is that of a whole case, where McNemar's own would take the trials of a case for independent.
 */
export function signFlipTest(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return 1;
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // ways[s]: the share of signs under which the positive ones sum up to s; the whole sum is then 2s − total.
  const ways = new Float64Array(total + 1);
  ways[0] = 1;
  let reached = 0;
  for (const size of sizes) {
    reached += size;
    for (let sum = reached; sum >= 0; sum--) ways[sum] = ((ways[sum] ?? 0) + (sum >= size ? (ways[sum - size] ?? 0) : 0)) / 2;
  }
  let p = 0;
  for (let sum = 0; sum <= total; sum++) if (Math.abs(2 * sum - total) >= observed) p += ways[sum] ?? 0;
  return Math.min(1, p);
}
