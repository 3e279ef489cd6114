import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonObject } from "../../pure/base/index.ts";
import type { ResultCell, ResultRow, ResultSide } from "../../pure/timeline/index.ts";
import { trialClasses } from "../../pure/verdicts/index.ts";
import {
  type Comparison,
  compareSides,
  flakiest,
  readResults,
  type Side,
  sideFold,
  spentIn,
  toldApart,
  trialsIn,
} from "../../work/evaluate/index.ts";

/** The position of a line. Result files can be larger than memory, so only numbers and positions are kept. */
export interface LinePlace {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  readonly side: number;
}

interface CaseEntry {
  readonly key: string;
  readonly lines: LinePlace[];
}

export interface ResultIndex {
  readonly report: Comparison;
  readonly sides: readonly ResultSide[];
  readonly rows: readonly ResultRow[];
  readonly flakiest: readonly ResultRow[];
  find(key: string): { readonly id: string; readonly lines: readonly LinePlace[] } | undefined;
}

/** Other requests get a turn after this time. */
const TURN_MS = 12;
const SHOWN_ID = 300;
const MOST_FLAKY = 10;

/** Reads the files once, line by line, and gives the same numbers as `harness compare`. */
export async function indexResults(paths: readonly string[]): Promise<ResultIndex> {
  const entries = new Map<string, CaseEntry>();
  const totals = new Map<Side["cases"], Totals>(); // a renamed copy of a side keeps its `cases` object
  const byFile: { path: string; sides: readonly Side[] }[] = [];
  let turn = performance.now();
  for (const path of paths) {
    const fold = sideFold(path);
    for (const { line, offset, length } of readResults(path)) {
      const side = fold.add(line);
      const numbers = totals.get(side.cases) ?? { place: totals.size, costs: 0, usages: 0 };
      totals.set(side.cases, numbers);
      const entry = entries.get(line.id) ?? { key: keyOf(line.id), lines: [] };
      entries.set(line.id, entry);
      entry.lines.push({ path, offset, length, side: numbers.place });
      for (const trial of trialsIn(line)) count(numbers, trial);
      if (performance.now() - turn < TURN_MS) continue;
      await nextTurn();
      turn = performance.now();
    }
    byFile.push({ path, sides: fold.sides() });
  }
  const sides = toldApart(byFile);
  return indexOf(
    sides,
    sides.map(({ cases }) => totals.get(cases) ?? { place: -1, costs: 0, usages: 0 }),
    entries,
  );
}

interface Totals {
  /** The order of appearance; the report has a different one. */
  readonly place: number;
  /** Trials that report their cost, and their usage. */
  costs: number;
  usages: number;
}

function count(numbers: Totals, trial: JsonObject): void {
  const { usage, cost } = spentIn(trial);
  if (cost !== undefined) numbers.costs++;
  if (usage !== undefined && Object.values(usage).some((amount) => typeof amount === "number")) numbers.usages++;
}

function indexOf(sides: readonly Side[], totals: readonly Totals[], entries: ReadonlyMap<string, CaseEntry>): ResultIndex {
  const report = compareSides(sides);
  const ids = new Map([...entries].map(([id, { key }]) => [key, id]));
  const rows = new Map(
    report.cases.map(({ id, cells }) => {
      const entry = entries.get(id);
      const shown = cells.map(({ graded, classes }): ResultCell => [graded, ...trialClasses.map((each) => classes?.[each] ?? 0)]);
      return [id, { key: entry?.key ?? "", id: id.slice(0, SHOWN_ID), cells: shown }];
    }),
  );
  return {
    report,
    sides: report.sides.map((side, i): ResultSide => {
      const { costs = 0, usages = 0 } = totals[i] ?? {};
      const tokens = Object.values(side.tokens).reduce((sum: number, amount) => sum + (amount ?? 0), 0);
      return { ...side, meanCostUsd: mean(side.costUsd, costs), meanTokens: mean(tokens, usages) };
    }),
    rows: [...rows.values()],
    flakiest: flakiest(report, MOST_FLAKY).flatMap(({ id }) => rows.get(id) ?? []),
    find(key) {
      const id = ids.get(key);
      const entry = id === undefined ? undefined : entries.get(id);
      if (id === undefined || entry === undefined) return undefined;
      return { id, lines: entry.lines.map((line) => ({ ...line, side: totals.findIndex(({ place }) => place === line.side) })) };
    },
  };
}

function mean(sum: number | null, count: number): number | null {
  return sum === null || count === 0 ? null : sum / count;
}

function keyOf(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 16);
}
