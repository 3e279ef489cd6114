/**
 * Several tests together find something by chance. Holm's step-down procedure (1979) keeps the probability of any false finding at the
 * level of one test, even if the tests depend on each other. Keeps the order.
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = pValues.map(() => 1);
  let worst = 0;
  for (const [rank, { p, index }] of order.entries()) {
    worst = Math.max(worst, Math.min(1, p * (order.length - rank)));
    adjusted[index] = worst;
  }
  return adjusted;
}
