/** What a rate over n trials says about k trials. Null: no trial was graded, or fewer than k were. */

/** The documented formula, 1 − (1 − rate)^k. It takes the observed rate for the true one, so it is biased for few trials. */
export function passAtK(rate: number, k: number): number {
  return 1 - (1 - rate) ** k;
}

/** The documented formula, rate^k. */
export function passExpK(rate: number, k: number): number {
  return rate ** k;
}

/** P(at least one of k passes), unbiased: 1 − C(n−c, k) / C(n, k) (Chen et al., "Evaluating large language models trained on code", 2021). */
export function unbiasedPassAtK(passes: number, trials: number, k: number): number | null {
  const none = share(trials - passes, trials, k);
  return none === null ? null : 1 - none;
}

/** P(all of k pass), unbiased: C(c, k) / C(n, k) (Yao et al., "τ-bench", 2024). */
export function unbiasedPassExpK(passes: number, trials: number, k: number): number | null {
  return share(passes, trials, k);
}

/** C(some, k) / C(all, k) as a product of fractions, without factorials. */
function share(some: number, all: number, k: number): number | null {
  if (k < 1 || k > all) return null;
  let product = 1;
  for (let index = 0; index < k && product > 0; index++) product *= Math.max(0, some - index) / (all - index);
  return product;
}
