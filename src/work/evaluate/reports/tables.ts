import { dollars, duration, percent, percentRange, pointRange, points, probability, type Table, whole } from "../../../pure/base/index.ts";
import { atLeast, totalTokens } from "../../../pure/events/index.ts";
import type { Cell, ComparedCase, Comparison } from "../compare/index.ts";
import type { PreferenceSummary } from "../prefer/index.ts";

export function sidesTable({ sides }: Comparison): Table {
  return {
    title: "Results",
    head: [
      "agent",
      "cases",
      "trials",
      "graded",
      "pass rate",
      "95 % interval",
      "grader errors",
      "lost",
      "tool errors",
      "p50",
      "p90",
      "p99",
      "tokens",
      "cost",
    ],
    rows: sides.map((side) => [
      side.label,
      whole(side.cases),
      whole(side.trials),
      whole(side.graded),
      percent(side.passRate),
      percentRange(side.passRateInterval),
      whole(side.nError),
      whole(side.nInfrastructure),
      whole(side.toolErrors),
      duration(side.latencyMs.p50),
      duration(side.latencyMs.p90),
      duration(side.latencyMs.p99),
      atLeast(whole(totalTokens(side.tokens)), side.partialTokens === true),
      atLeast(dollars(side.costUsd), side.partialCost === true),
    ]),
  };
}

export function pairsTable({ pairs }: Comparison): Table {
  return {
    title: "Differences",
    head: ["agent", "compared with", "cases", "pairs", "wins", "losses", "ties", "difference", "95 % interval", "p", "p (Holm)", "verdict"],
    rows: pairs.map((pair) => [
      pair.b,
      pair.a,
      whole(pair.cases),
      whole(pair.pairs),
      whole(pair.wins),
      whole(pair.losses),
      whole(pair.ties),
      points(pair.difference),
      pointRange(pair.interval),
      probability(pair.p),
      probability(pair.pAdjusted),
      pair.verdict,
    ]),
  };
}

export function preferencesTable(sums: readonly PreferenceSummary[]): Table {
  return {
    title: "Preferences",
    head: ["agent", "compared with", "cases", "pairs", "preferred", "not", "neither", "inconsistent", "errors", "p", "p (Holm)", "verdict"],
    rows: sums.map((sum) => [
      sum.b,
      sum.a,
      whole(sum.cases),
      whole(sum.pairs),
      whole(sum.wins),
      whole(sum.losses),
      whole(sum.ties),
      whole(sum.inconsistent),
      whole(sum.nError),
      probability(sum.p),
      probability(sum.pAdjusted),
      sum.verdict,
    ]),
  };
}

export function casesTable({ sides }: Comparison, rows: readonly ComparedCase[], title = "Cases"): Table {
  return { title, head: ["case", ...sides.map(({ label }) => label)], rows: rows.map(({ id, cells }) => [id, ...cells.map(cellText)]) };
}

function cellText({ passes, graded, trials }: Cell): string {
  if (trials === 0) return "";
  return graded === 0 ? "not graded" : `${passes}/${graded}`;
}
