import { count, described, flag, HarnessError, list, nullable, number, object, type Static, text } from "../../../pure/base/index.ts";
import { holm } from "../../../pure/statistics/index.ts";
import { type Counting, compareSides, judged, pairOf, pairReport, readEvaluations, type Side, sideReport } from "../compare/index.ts";
import { rate } from "../trial/index.ts";

const point = object({
  evaluation: described(text, "The results file, or the files of its parts"),
  at: described(nullable(number), "When its first trial started, in milliseconds since 1970"),
  sides: list(sideReport),
});

const change = object({
  side: text,
  from: described(text, "The earlier evaluation"),
  to: text,
  changedCases: described(count, "Cases of both that are not the same any more: they are not compared"),
  isRegression: described(flag, "The later one is worse, and the corrected test supports it"),
  ...pairReport.fields,
});

const flaky = object({
  id: text,
  side: text,
  trials: count,
  passes: count,
  disagreement: described(rate, "How probable it is that two trials of one evaluation disagree: unbiased"),
});
const separating = object({
  id: text,
  rates: described(list(object({ side: text, passes: count, trials: count })), "Over all evaluations"),
  spread: described(rate, "The highest rate of a side minus the lowest"),
});
const silent = object({ id: text, trials: count, passes: count });

/** Earlier evaluations side by side. */
export const trendReport = object({
  evaluations: described(list(point), "In the order of time"),
  changes: described(
    list(change),
    "Each evaluation of a side with the one before it, and the last with the first; p is corrected over all",
  ),
  flakiest: described(list(flaky), "Cases whose trials disagree within an evaluation, worst first"),
  separating: described(list(separating), "Cases that distinguish the sides, best first"),
  showsNothing: described(list(silent), "Cases that every trial of every side passed, or failed"),
  confidence: rate,
});
export type Trend = Static<typeof trendReport>;

export interface TrendOptions extends Counting {
  /** How many cases of each kind to list. Default: 10. */
  readonly most?: number;
  /** The seed of the bootstrap. Default: 1. */
  readonly seed?: number | string;
  /** The confidence of intervals and tests. Default: 0.95. */
  readonly confidence?: number;
}

/** How sides did over several evaluations, and which cases say something. Throws if there is only one evaluation. */
export function trend(results: readonly string[], { most = 10, seed = 1, confidence = 0.95, ...counting }: TrendOptions = {}): Trend {
  const all = inOrder(readEvaluations(results, counting).map((each) => ({ ...each, at: startOf(each.sides) })));
  if (all.length < 2) throw new HarnessError("usage", "A trend needs the results of at least two evaluations. Pass more files.");
  const raw = seriesOf(all).flatMap(({ side, points }) => steps(points).map(([from, to]) => changeOf(side, from, to, seed, confidence)));
  const known = raw.filter(({ p }) => p !== null);
  const adjusted = new Map(holm(known.map(({ p }) => p ?? 1)).map((p, index) => [known[index], p]));
  const pooled = pooledCases(all.flatMap(({ sides }) => sides));
  return {
    evaluations: all.map(({ path, at, sides }) => ({
      evaluation: path,
      at: at ?? null,
      sides: [...compareSides(sides, { seed, confidence, ...counting }).sides],
    })),
    changes: raw.map((each) => {
      const { side, from, to, changedCases, ...pair } = each;
      const verdict = judged(pair, adjusted.get(each) ?? null, confidence);
      return { side, from, to, changedCases, isRegression: verdict.verdict === "worse", ...verdict };
    }),
    flakiest: flakiestOf(all.flatMap(({ sides }) => sides)).slice(0, most),
    separating: separatingOf(pooled).slice(0, most),
    showsNothing: [...pooled].flatMap(([id, sides]) => {
      const trials = sum(sides, (each) => each.trials);
      const passes = sum(sides, (each) => each.passes);
      return trials > 1 && (passes === 0 || passes === trials) ? [{ id, trials, passes }] : [];
    }),
    confidence,
  };
}

interface Evaluated {
  readonly path: string;
  readonly at: number | undefined;
  readonly sides: readonly Side[];
}

function startOf(sides: readonly Side[]): number | undefined {
  const known = sides.flatMap(({ startedAt }) => startedAt ?? []);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** In the order of time; as given, if the time of one is not known. */
function inOrder(all: readonly Evaluated[]): readonly Evaluated[] {
  return all.some(({ at }) => at === undefined) ? all : all.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
}

interface Point {
  readonly path: string;
  readonly side: Side;
}

function seriesOf(all: readonly Evaluated[]): readonly { readonly side: string; readonly points: readonly Point[] }[] {
  const series = new Map<string, Point[]>();
  for (const { path, sides } of all) for (const side of sides) series.set(side.label, [...(series.get(side.label) ?? []), { path, side }]);
  return [...series].map(([side, points]) => ({ side, points }));
}

/** Each with the one before it. A slow decline shows only from the first to the last. */
function steps(points: readonly Point[]): readonly (readonly [Point, Point])[] {
  const next = points.slice(1).flatMap((to, index) => (points[index] === undefined ? [] : [[points[index], to] as const]));
  const [first, last] = [points[0], points.at(-1)];
  return points.length < 3 || first === undefined || last === undefined ? next : [...next, [first, last] as const];
}

function changeOf(side: string, from: Point, to: Point, seed: number | string, confidence: number) {
  const isChanged = (id: string) => {
    const [before, after] = [from.side.cases.get(id)?.hash, to.side.cases.get(id)?.hash];
    return before !== undefined && after !== undefined && before !== after;
  };
  const changed = [...to.side.cases.keys()].filter(isChanged);
  const same = { ...to.side, cases: new Map([...to.side.cases].filter(([id]) => !changed.includes(id))) };
  return { side, from: from.path, to: to.path, changedCases: changed.length, ...pairOf(from.side, same, seed, confidence) };
}

interface Pooled {
  readonly side: string;
  readonly trials: number;
  readonly passes: number;
}

/** The trials of each case, by side, over all evaluations. */
function pooledCases(sides: readonly Side[]): ReadonlyMap<string, readonly Pooled[]> {
  const pooled = new Map<string, Map<string, { side: string; trials: number; passes: number }>>();
  for (const { label, cases } of sides) {
    for (const [id, { verdicts }] of cases) {
      const bySide = pooled.get(id) ?? new Map();
      pooled.set(id, bySide);
      const entry = bySide.get(label) ?? { side: label, trials: 0, passes: 0 };
      bySide.set(label, entry);
      for (const verdict of verdicts) {
        if (verdict === null) continue;
        entry.trials++;
        if (verdict) entry.passes++;
      }
    }
  }
  return new Map([...pooled].map(([id, bySide]) => [id, [...bySide.values()].filter(({ trials }) => trials > 0)]));
}

/** Of n trials with p passes, a pair disagrees with probability 2p(n − p) / n(n − 1): every pair within one evaluation is counted. */
function flakiestOf(sides: readonly Side[]): Trend["flakiest"] {
  const found = new Map<string, { id: string; side: string; trials: number; passes: number; pairs: number; disagreeing: number }>();
  for (const { label, cases } of sides) {
    for (const [id, { verdicts }] of cases) {
      const graded = verdicts.filter((verdict) => verdict !== null);
      const passes = graded.filter(Boolean).length;
      const key = JSON.stringify([id, label]);
      const entry = found.get(key) ?? { id, side: label, trials: 0, passes: 0, pairs: 0, disagreeing: 0 };
      found.set(key, entry);
      entry.trials += graded.length;
      entry.passes += passes;
      entry.pairs += (graded.length * (graded.length - 1)) / 2;
      entry.disagreeing += passes * (graded.length - passes);
    }
  }
  return [...found.values()]
    .filter(({ disagreeing }) => disagreeing > 0)
    .map(({ pairs, disagreeing, ...entry }) => ({ ...entry, disagreement: disagreeing / pairs }))
    .sort((a, b) => b.disagreement - a.disagreement);
}

function separatingOf(pooled: ReadonlyMap<string, readonly Pooled[]>): Trend["separating"] {
  return [...pooled]
    .flatMap(([id, sides]) => {
      const rates = sides.map(({ passes, trials }) => passes / trials);
      const spread = sides.length < 2 ? 0 : Math.max(...rates) - Math.min(...rates);
      return spread === 0 ? [] : [{ id, rates: [...sides], spread }];
    })
    .sort((a, b) => b.spread - a.spread);
}

function sum(sides: readonly Pooled[], of: (each: Pooled) => number): number {
  return sides.reduce((total, each) => total + of(each), 0);
}
