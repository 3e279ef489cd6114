import type { SeededRandom } from "./seeded-random.ts";

/** The number of successes in `trials`, each with probability `chance`. Takes one or a few draws, however many trials there are. */
export function drawBinomial(random: SeededRandom, trials: number, chance: number): number {
  if (chance > 0.5) return trials - drawBinomial(random, trials, 1 - chance);
  return trials * chance < 10 ? bySearch(random, trials, chance) : byRejection(random, trials, chance);
}

/** Subtracts the probabilities of 0, 1, 2 … successes from a uniform draw until it is used up. */
function bySearch(random: SeededRandom, trials: number, chance: number): number {
  const odds = chance / (1 - chance);
  let rest = random.next();
  let share = (1 - chance) ** trials;
  for (let count = 0; count < trials; count++) {
    if (rest < share) return count;
    rest -= share;
    share *= (odds * (trials - count)) / (count + 1);
  }
  return trials;
}

/** Hörmann's transformed rejection with squeeze, BTRS, with its constants ("The generation of binomial random variates", 1993). */
function byRejection(random: SeededRandom, trials: number, chance: number): number {
  const spread = Math.sqrt(trials * chance * (1 - chance));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * chance;
  const odds = chance / (1 - chance);
  const alpha = (2.83 + 5.1 / b) * spread;
  const mode = Math.floor((trials + 1) * chance);
  for (;;) {
    const u = random.next() - 0.5;
    const v = random.next();
    const us = 0.5 - Math.abs(u);
    const count = Math.floor(((2 * a) / us + b) * u + trials * chance + 0.5);
    if (us >= 0.07 && v <= 0.92 - 4.2 / b) return count;
    if (!(count >= 0 && count <= trials)) continue;
    const limit =
      (mode + 0.5) * Math.log((mode + 1) / (odds * (trials - mode + 1))) +
      (trials + 1) * Math.log((trials - mode + 1) / (trials - count + 1)) +
      (count + 0.5) * Math.log((odds * (trials - count + 1)) / (count + 1)) +
      (stirlingTail(mode) + stirlingTail(trials - mode) - stirlingTail(count) - stirlingTail(trials - count));
    if (Math.log((v * alpha) / (a / (us * us) + b)) <= limit) return count;
  }
}

/** The error of Stirling's formula for ln n!. */
function stirlingTail(n: number): number {
  if (n < SMALL_TAILS.length) return SMALL_TAILS[n] ?? 0;
  const square = (n + 1) ** 2;
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (n + 1);
}

const SMALL_TAILS = Array.from({ length: 10 }, (_, n) => {
  let logFactorial = 0;
  for (let factor = 2; factor <= n; factor++) logFactorial += Math.log(factor);
  return logFactorial - (n + 0.5) * Math.log(n + 1) + (n + 1) - 0.5 * Math.log(2 * Math.PI);
});
