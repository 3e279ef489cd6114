import { count, described, either, list, nullable, number, object, oneOf, type Static, text } from "../../../pure/base/index.ts";
import { tokens } from "../../../pure/events/index.ts";
import { interval, rate } from "../trial/index.ts";

/** How one side did. */
const sideReport = object({
  label: text,
  cases: count,
  trials: count,
  graded: count,
  nError: count,
  nInfrastructure: count,
  /** Of the share of trials that passed; null where nothing was graded. */
  passRate: described(nullable(rate), "The mean over cases"),
  passRateInterval: interval,
  latencyMs: object({ p50: nullable(number), p90: nullable(number), p99: nullable(number) }),
  tokens,
  costUsd: nullable(number),
  toolErrors: described(count, "Trials in which a tool call failed"),
});
export type SideReport = Static<typeof sideReport>;

/** How two sides differ, over the cases that both were graded in. */
const pairReport = object({
  a: text,
  b: text,
  cases: described(count, "With at least one real pair: the same trial of the same case, graded on both sides"),
  pairs: count,
  wins: described(count, "Cases in which b passed more often than a"),
  losses: count,
  ties: count,
  difference: described(nullable(number), "Of the pass rates, b − a"),
  interval,
  p: described(nullable(rate), "Exact; McNemar's test where every case has one pair"),
  /** Over all pairs of this comparison. */
  pAdjusted: described(nullable(rate), "By Holm"),
  verdict: oneOf("better", "worse", "no difference shown"),
});
export type PairReport = Static<typeof pairReport>;

const cell = object({ passes: count, graded: count, trials: count });
export type Cell = Static<typeof cell>;

/** One cell per side. */
const comparedCase = object({ id: text, cells: list(cell) });
export type ComparedCase = Static<typeof comparedCase>;

/** How the sides did, and how every two of them differ. */
export const comparison = object({
  sides: list(sideReport),
  pairs: list(pairReport),
  confidence: rate,
  seed: either(number, text),
  /** In the order of the first side that has it. */
  cases: list(comparedCase),
});
export type Comparison = Static<typeof comparison>;
