import { bootstrapMean, cohensH, holm, type Interval, quantile, signFlipTest, wilson } from "../../../pure/statistics/index.ts";
import type { Cell, Comparison, PairReport, SideReport } from "./comparison.ts";
import type { Counting } from "./read-sides.ts";
import type { BehaviorSum, CaseScores, JudgeSpending, Side } from "./scores.ts";

interface SidesOptions extends Counting {
  readonly seed?: number | string;
  readonly confidence?: number;
}

/** Compares every side with every other. The first one is the baseline. */
export function compareSides(
  sides: readonly Side[],
  { seed = 1, confidence = 0.95, outOfTime, unverified }: SidesOptions = {},
): Comparison {
  const raw = sides.flatMap((a, index) => sides.slice(index + 1).map((b) => pairOf(a, b, seed, confidence)));
  const known = raw.filter(({ p }) => p !== null);
  const adjusted = new Map(holm(known.map(({ p }) => p ?? 1)).map((p, index) => [known[index], p]));
  const ids = new Set(sides.flatMap(({ cases }) => [...cases.keys()]));
  return {
    ...(outOfTime === "ignored" && { outOfTime }),
    ...(unverified === "counted" && { unverified }),
    sides: sides.map((side) => reportOf(side, seed, confidence)),
    pairs: raw.map((pair) => judged(pair, adjusted.get(pair) ?? null, confidence)),
    confidence,
    seed,
    cases: [...ids].map((id) => ({ id, cells: sides.map((side) => cellOf(side, id)) })),
  };
}

function cellOf({ cases }: Side, id: string): Cell {
  const { verdicts = [], classes } = cases.get(id) ?? {};
  const graded = verdicts.filter((verdict) => verdict !== null);
  return { passes: graded.filter(Boolean).length, graded: graded.length, trials: verdicts.length, ...(classes && { classes }) };
}

function reportOf(side: Side, seed: number | string, confidence: number): SideReport {
  const rates = [...side.cases.values()].flatMap((entry) => rateOf(entry.verdicts) ?? []);
  const isOneEach = side.graded === rates.length;
  const sorted = Float64Array.from(side.durationsMs).sort();
  const { label, trials, graded, nError, classes, tokens, costUsd, toolErrors } = side;
  return {
    label,
    cases: side.cases.size,
    trials,
    graded,
    nError,
    nInfrastructure: classes.not_started + classes.lost_to_provider + classes.lost_to_us,
    classes,
    ...(side.unverified > 0 && { unverified: side.unverified }),
    ...(side.startProblems.size > 0 && { startProblems: [...side.startProblems] }),
    passRate: rates.length === 0 ? null : mean(rates),
    passRateInterval: isOneEach ? wilson(side.passes, graded, confidence) : intervalOf(rates, seed, confidence),
    latencyMs: { p50: quantile(sorted, 0.5), p90: quantile(sorted, 0.9), p99: quantile(sorted, 0.99) },
    tokens,
    costUsd,
    ...(side.computed && { computedCost: { costUsd: side.computed.costUsd, tables: [...side.computed.tables] } }),
    ...(side.versions.size > 0 && { versions: [...side.versions] }),
    ...(side.models.size > 0 && { models: [...side.models] }),
    ...(side.graders.size > 0 && { graders: [...side.graders] }),
    ...(side.behavior && { behavior: meansOf(side.behavior) }),
    ...(side.isPartial && { partialTokens: true }),
    ...(side.isCostPartial && { partialCost: true }),
    ...(side.judging && { judging: judgingOf(side.judging) }),
    toolErrors,
  };
}

function meansOf({ trials, calls, failed, retries, files, skills }: BehaviorSum): SideReport["behavior"] {
  const mean = (sum: number) => sum / trials;
  const used = [...skills].map(([name, count]) => ({ name, trials: count }));
  return { trials, calls: mean(calls), failed: mean(failed), retries: mean(retries), files: mean(files), skills: used };
}

function judgingOf({ isPartial, isCostPartial, ...spent }: JudgeSpending): SideReport["judging"] {
  return { ...spent, ...(isPartial && { partialTokens: true }), ...(isCostPartial && { partialCost: true }) };
}

/** If all cases passed, or all failed, each case counts as one observation. */
function intervalOf(rates: readonly number[], seed: number | string, confidence: number): Interval | null {
  const passes = rates.filter((rate) => rate === 1).length;
  const isSame = passes === rates.length || rates.every((rate) => rate === 0);
  return isSame ? wilson(passes, rates.length, confidence) : bootstrapMean(rates, { seed, confidence });
}

/** How two sides differ, without a correction for other pairs. */
export function pairOf(a: Side, b: Side, seed: number | string, confidence: number): Omit<PairReport, "pAdjusted" | "verdict"> {
  const differences: number[] = []; // b's passes − a's, per case, as whole numbers
  const rates: number[] = []; // the same as shares of the case's pairs
  const [inFirst, inSecond]: [number[], number[]] = [[], []]; // the rates of a and b in each case
  let pairs = 0;
  for (const [id, ofA] of a.cases) {
    const both = realPairs(ofA, b.cases.get(id));
    if (both.length === 0) continue;
    pairs += both.length;
    const difference = both.reduce((sum, [inA, inB]) => sum + Number(inB) - Number(inA), 0);
    differences.push(difference);
    rates.push(difference / both.length);
    inFirst.push(both.filter(([inA]) => inA).length / both.length);
    inSecond.push(both.filter(([, inB]) => inB).length / both.length);
  }
  return {
    a: a.label,
    b: b.label,
    cases: differences.length,
    pairs,
    wins: differences.filter((difference) => difference > 0).length,
    losses: differences.filter((difference) => difference < 0).length,
    ties: differences.filter((difference) => difference === 0).length,
    difference: rates.length === 0 ? null : mean(rates),
    interval: bootstrapMean(rates, { seed, confidence }),
    effectSize: rates.length === 0 ? null : cohensH(mean(inFirst), mean(inSecond)),
    ...behaviorPair(a, b, seed, confidence),
    p: differences.length === 0 ? null : signFlipTest(differences),
  };
}

/** Nothing if no case has trials of both sides that say what the agent did. */
function behaviorPair(a: Side, b: Side, seed: number | string, confidence: number): Pick<PairReport, "behavior"> {
  const both = [...a.cases].flatMap(([id, { did }]) => {
    const other = b.cases.get(id)?.did;
    return did === undefined || other === undefined ? [] : [[did, other] as const];
  });
  if (both.length === 0) return {};
  const effectOf = (deed: "calls" | "failed" | "retries" | "files") => {
    const differences = both.map(([inA, inB]) => inB[deed] / inB.trials - inA[deed] / inA.trials);
    return { difference: mean(differences), interval: bootstrapMean(differences, { seed, confidence }) };
  };
  return {
    behavior: {
      cases: both.length,
      calls: effectOf("calls"),
      failed: effectOf("failed"),
      retries: effectOf("retries"),
      files: effectOf("files"),
    },
  };
}

/** The same trial of the same case, if both have a verdict. */
function realPairs(a: CaseScores, b: CaseScores | undefined): [boolean, boolean][] {
  if (b === undefined) return [];
  return a.verdicts.flatMap((inA, index): [boolean, boolean][] => {
    const inB = b.verdicts[index];
    return inA === null || inB === null || inB === undefined ? [] : [[inA, inB]];
  });
}

/** A difference is shown only if the corrected test supports it. “Not shown” does not mean “no difference”. */
export function judged(pair: Omit<PairReport, "pAdjusted" | "verdict">, pAdjusted: number | null, confidence: number): PairReport {
  if (pAdjusted === null) return { ...pair, pAdjusted, verdict: "nothing compared" };
  const isShown = pAdjusted <= 1 - confidence + 1e-12;
  const verdict = isShown ? ((pair.difference ?? 0) > 0 ? "better" : "worse") : "no difference shown";
  return { ...pair, pAdjusted, verdict };
}

function rateOf(verdicts: readonly (boolean | null)[]): number | undefined {
  const graded = verdicts.filter((verdict) => verdict !== null);
  return graded.length === 0 ? undefined : graded.filter(Boolean).length / graded.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
