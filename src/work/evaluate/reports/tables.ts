import {
  dollars,
  duration,
  NOT_KNOWN,
  percentRange,
  pointRange,
  points,
  probability,
  type Table,
  whole,
} from "../../../pure/base/index.ts";
import { atLeast, shortCost, shortTokens, totalTokens } from "../../../pure/events/index.ts";
import { classesIn, classWords, rateText, tallyText } from "../../../pure/verdicts/index.ts";
import type { Cell, ComparedCase, Comparison, SideReport } from "../compare/index.ts";
import type { PreferenceSummary } from "../prefer/index.ts";

export function sidesTable({ sides }: Comparison): Table {
  const shown = classesIn(sides.flatMap(({ classes }) => classes ?? []));
  const isJudged = sides.some(({ judging }) => judging !== undefined);
  return {
    title: "Results",
    head: [
      "agent",
      "cases",
      "trials",
      ...shown.map((each) => classWords[each]),
      "pass rate",
      "95 % interval",
      "tool errors",
      "p50",
      "p90",
      "p99",
      "tokens",
      "cost",
      ...(isJudged ? ["judge tokens", "judge cost"] : []),
    ],
    rows: sides.map((side) => [
      side.label,
      whole(side.cases),
      whole(side.trials),
      ...shown.map((each) => whole(side.classes?.[each] ?? null)),
      rateText(side.passRate, side.graded),
      percentRange(side.passRateInterval),
      whole(side.toolErrors),
      duration(side.latencyMs.p50),
      duration(side.latencyMs.p90),
      duration(side.latencyMs.p99),
      atLeast(whole(totalTokens(side.tokens)), side.partialTokens === true),
      costText(side),
      ...(isJudged ? judgeCells(side.judging) : []),
    ]),
  };
}

/** With ≥ for a lower bound, and with ~ if a part of it was computed. */
export function costText({ costUsd, partialCost, computedCost }: SideReport): string {
  return `${computedCost === undefined ? "" : "~"}${atLeast(dollars(costUsd), partialCost === true)}`;
}

/** What the agents did; undefined if none reports it. */
export function behaviorTable({ sides }: Comparison): Table | undefined {
  const shown = sides.flatMap(({ label, behavior }) => (behavior === undefined ? [] : [{ label, behavior }]));
  if (shown.length === 0) return undefined;
  const skills = [...new Set(shown.flatMap(({ behavior }) => behavior.skills.map(({ name }) => name)))];
  const mean = (value: number) => value.toFixed(1);
  return {
    title: "Behavior per trial",
    head: ["agent", "trials", "calls", "failed calls", "retries", "files written", ...skills.map((name) => `skill ${name}`)],
    rows: shown.map(({ label, behavior: { trials, calls, failed, retries, files, skills: used } }) => [
      label,
      whole(trials),
      mean(calls),
      mean(failed),
      mean(retries),
      mean(files),
      ...skills.map((name) => `${whole(used.find((each) => each.name === name)?.trials ?? 0)}/${whole(trials)}`),
    ]),
  };
}

/** How the behavior of each two sides differs; undefined if none reports it. */
export function behaviorPairsTable({ pairs }: Comparison): Table | undefined {
  const shown = pairs.flatMap(({ a, b, behavior }) => (behavior === undefined ? [] : [{ a, b, behavior }]));
  if (shown.length === 0) return undefined;
  const signed = (value: number) => `${value > 0 ? "+" : ""}${value.toFixed(1)}`;
  const text = ({ difference, interval }: (typeof shown)[number]["behavior"]["calls"]) =>
    `${signed(difference)}${interval === null ? "" : ` (${signed(interval.low)} to ${signed(interval.high)})`}`;
  return {
    title: "Differences in behavior per trial, with 95 % intervals",
    head: ["agent", "compared with", "cases", "calls", "failed calls", "retries", "files written"],
    rows: shown.map(({ a, b, behavior: { cases, calls, failed, retries, files } }) => [
      b,
      a,
      whole(cases),
      text(calls),
      text(failed),
      text(retries),
      text(files),
    ]),
  };
}

/** What was compared: versions, the models that answered, graders, tables of prices. */
export function setupTable({ sides }: Comparison): Table {
  const listed = (values: readonly string[] | undefined) => values?.join(", ") || NOT_KNOWN;
  return {
    title: "Setup",
    head: ["agent", "version", "models that answered", "graders", "computed cost"],
    rows: sides.map(({ label, versions, models, graders, computedCost }) => [
      label,
      listed(versions),
      listed(models),
      listed(graders),
      computedCost === undefined ? "–" : `${dollars(computedCost.costUsd)} by ${computedCost.tables.join(", ")}`,
    ]),
  };
}

function judgeCells(judging: SideReport["judging"]): string[] {
  if (judging === undefined) return [NOT_KNOWN, NOT_KNOWN];
  const { tokens, costUsd, partialTokens, partialCost } = judging;
  return [atLeast(whole(totalTokens(tokens)), partialTokens === true), atLeast(dollars(costUsd), partialCost === true)];
}

export function pairsTable({ pairs }: Comparison): Table {
  return {
    title: "Differences",
    head: [
      "agent",
      "compared with",
      "cases",
      "pairs",
      "wins",
      "losses",
      "ties",
      "difference",
      "95 % interval",
      "effect (h)",
      "p",
      "p (Holm)",
      "verdict",
    ],
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
      typeof pair.effectSize === "number" ? pair.effectSize.toFixed(2) : NOT_KNOWN,
      probability(pair.p),
      probability(pair.pAdjusted),
      pair.verdict,
    ]),
  };
}

export function preferencesTable(sums: readonly PreferenceSummary[]): Table {
  return {
    title: "Preferences",
    head: [
      "agent",
      "compared with",
      "cases",
      "pairs",
      "preferred",
      "not",
      "neither",
      "inconsistent",
      "errors",
      "p",
      "p (Holm)",
      "tokens",
      "cost",
      "verdict",
    ],
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
      shortTokens(sum.judging.usage, sum.judging.partialUsage),
      shortCost(sum.judging.costUsd, sum.judging.partialCost) ?? NOT_KNOWN,
      sum.verdict,
    ]),
  };
}

export function casesTable({ sides }: Comparison, rows: readonly ComparedCase[], title = "Cases"): Table {
  return { title, head: ["case", ...sides.map(({ label }) => label)], rows: rows.map(({ id, cells }) => [id, ...cells.map(cellText)]) };
}

export function cellText({ passes, graded, trials, classes }: Cell): string {
  if (trials === 0) return "";
  const others = classes === undefined ? "" : tallyText({ ...classes, passed: 0, failed: 0 });
  if (graded === 0) return others;
  return others === "" ? `${passes}/${graded}` : `${passes}/${graded} (${others})`;
}
