/** Intervals, tests and samples: how much a rate in an evaluation is worth. */

export { bootstrapMean } from "./bootstrap.ts";
export { cohensH } from "./cohens-h.ts";
export { holm } from "./holm.ts";
export { passAtK, passExpK, unbiasedPassAtK, unbiasedPassExpK } from "./pass-at-k.ts";
export { quantile } from "./quantile.ts";
export { sampleOf } from "./sample.ts";
export { seededRandom } from "./seeded-random.ts";
export { signFlipTest } from "./sign-flip.ts";
export { stoppingRule } from "./stopping-rule.ts";
export { type Interval, scoreInterval, wilson } from "./wilson.ts";
