import {
  dollars,
  duration,
  percentRange,
  pointRange,
  points,
  probability,
  type Table,
  textTable,
  whole,
} from "../../../pure/base/index.ts";
import { rateText } from "../../../pure/verdicts/index.ts";
import type { Trend } from "../trend/index.ts";
import { markdownTable } from "./markdown-report.ts";

/** For a terminal with `width` columns. */
export function trendText(trend: Trend, width?: number): string {
  return tablesOf(trend)
    .map((table) => textTable(table, width))
    .join("\n");
}

export function trendMarkdown(trend: Trend): string {
  return tablesOf(trend).map(markdownTable).join("\n");
}

function tablesOf({ evaluations, changes, flakiest, separating, showsNothing }: Trend): readonly Table[] {
  const percent = (passes: number, trials: number) => `${passes}/${trials}`;
  const all: readonly Table[] = [
    {
      title: "Evaluations",
      head: ["evaluation", "started", "side", "trials", "pass rate", "95 % interval", "p50", "cost"],
      rows: evaluations.flatMap(({ evaluation, at, sides }) =>
        sides.map((side) => [
          evaluation,
          at === null ? "–" : new Date(at).toISOString().slice(0, 16).replace("T", " "),
          side.label,
          whole(side.trials),
          rateText(side.passRate, side.graded),
          percentRange(side.passRateInterval),
          duration(side.latencyMs.p50),
          dollars(side.costUsd),
        ]),
      ),
    },
    {
      title: "Changes",
      head: ["side", "from", "to", "cases", "changed cases", "difference", "95 % interval", "p (Holm)", "verdict"],
      rows: changes.map((each) => [
        each.side,
        each.from,
        each.to,
        whole(each.cases),
        whole(each.changedCases),
        points(each.difference),
        pointRange(each.interval),
        probability(each.pAdjusted),
        each.isRegression ? "regression" : each.verdict,
      ]),
    },
    {
      title: "Flakiest cases",
      head: ["case", "side", "passed", "two trials disagree"],
      rows: flakiest.map(({ id, side, passes, trials, disagreement }) => [
        id,
        side,
        percent(passes, trials),
        `${Math.round(disagreement * 100)} %`,
      ]),
    },
    {
      title: "Cases that separate the sides",
      head: ["case", "spread", "sides"],
      rows: separating.map(({ id, spread, rates }) => [
        id,
        `${Math.round(spread * 100)} points`,
        rates.map(({ side, passes, trials }) => `${side} ${percent(passes, trials)}`).join(", "),
      ]),
    },
    {
      title: "Cases that show nothing",
      head: ["case", "trials", "all of them"],
      rows: showsNothing.map(({ id, trials, passes }) => [id, whole(trials), passes === 0 ? "failed" : "passed"]),
    },
  ];
  return all.filter(({ rows }) => rows.length > 0);
}
