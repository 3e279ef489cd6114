import {
  count,
  described,
  either,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
  yes,
} from "../../../pure/base/index.ts";
import { tokens } from "../../../pure/events/index.ts";
import { classCounts, outOfTime, startProblem, unverifiedTrials } from "../../../pure/verdicts/index.ts";
import { interval, rate } from "../trial/index.ts";

export const sideReport = object({
  label: text,
  cases: count,
  trials: count,
  graded: described(count, "Trials that count: passed, failed and out of time"),
  nError: described(count, "Trials without a verdict because a grader broke"),
  nInfrastructure: described(count, "Trials that never started, or were lost to the provider or to us"),
  classes: optional(classCounts, "How many trials ended in each class"),
  unverified: optional(count, "Trials whose recordings `grade` did not find; left out if there are none"),
  startProblems: optional(list(startProblem), "What kept trials from starting"),
  passRate: described(nullable(rate), "Passed / (passed + failed + out of time), as the mean over cases; null if no trial counts"),
  passRateInterval: interval,
  latencyMs: object({ p50: nullable(number), p90: nullable(number), p99: nullable(number) }),
  tokens,
  costUsd: described(nullable(number), "Reported, or computed if a trial reports none"),
  computedCost: optional(object({ costUsd: number, tables: list(text) }), "The part of it that was computed with tables of prices"),
  versions: optional(list(text), "What the agent's program printed as its version"),
  models: optional(list(text), "The models that the agent says have answered"),
  graders: optional(list(text)),
  behavior: optional(
    object({
      trials: described(count, "Trials whose agent reports what it does; the other numbers are means over them"),
      calls: number,
      failed: described(number, "Calls that failed"),
      retries: described(number, "Calls with the same input as an earlier call that failed"),
      files: described(number, "Files that it says it wrote"),
      skills: described(list(object({ name: text, trials: count })), "In how many trials each skill was used"),
    }),
  ),
  partialTokens: described(yes, "Some trials report only a part of their tokens: the sum is a lower bound"),
  partialCost: described(yes, "Some trials report only a part of their cost: the sum is a lower bound"),
  judging: optional(
    object({
      attempts: count,
      tokens,
      costUsd: nullable(number),
      partialTokens: described(yes, "The sum is a lower bound"),
      partialCost: described(yes, "The sum is a lower bound"),
    }),
    "If a judge was asked: what it used and cost for this side",
  ),
  toolErrors: described(nullable(count), "Trials in which a tool call failed; null if the agent does not show its calls"),
});
export type SideReport = Static<typeof sideReport>;

/** b minus a. The interval is a bootstrap over cases. */
const effect = object({ difference: number, interval });

/** How two sides differ, over the cases graded on both. */
export const pairReport = object({
  a: text,
  b: text,
  cases: described(count, "Cases with at least one real pair: the same trial of the same case, graded on both sides"),
  pairs: count,
  wins: described(count, "Cases in which b passed more often than a"),
  losses: count,
  ties: count,
  difference: described(nullable(number), "The pass rate of b minus that of a"),
  interval,
  effectSize: optional(
    nullable(number),
    "Cohen's h between the pass rates: 0.2 is small, 0.5 medium, 0.8 large; of the cases that are paired",
  ),
  behavior: optional(
    object({
      cases: described(count, "Cases in which both agents report what they do"),
      calls: effect,
      failed: effect,
      retries: effect,
      files: effect,
    }),
    "How b's behavior differs from a's: means per trial, over the cases of both",
  ),
  p: described(nullable(rate), "Exact; McNemar's test if every case has one pair"),
  pAdjusted: described(nullable(rate), "Corrected by Holm over all pairs of this comparison"),
  verdict: described(oneOf("better", "worse", "no difference shown", "nothing compared"), "nothing compared: there is no pair"),
});
export type PairReport = Static<typeof pairReport>;

const cell = object({
  passes: count,
  graded: described(count, "Trials that count: passed, failed and out of time"),
  trials: count,
  classes: optional(classCounts),
});
export type Cell = Static<typeof cell>;

const comparedCase = object({ id: text, cells: list(cell) });
export type ComparedCase = Static<typeof comparedCase>;

/** How each side did, and how each two differ. */
export const comparison = object({
  outOfTime: optional(outOfTime, "Present if trials out of time are not part of the rates"),
  unverified: optional(unverifiedTrials, "Present if trials that could not be verified are part of the rates"),
  sides: list(sideReport),
  pairs: list(pairReport),
  confidence: rate,
  seed: either(number, text),
  /** In the order of the first side that has the case. */
  cases: list(comparedCase),
});
export type Comparison = Static<typeof comparison>;
