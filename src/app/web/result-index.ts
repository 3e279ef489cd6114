import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isObject, type JsonObject, numberOf } from "../../pure/base/index.ts";
import type { ResultCell, ResultRow, ResultSide } from "../../pure/timeline/index.ts";
import {
  type Comparison,
  compareSides,
  flakiest,
  outcomeOf,
  readResults,
  type Side,
  sideFold,
  toldApart,
  trialsIn,
} from "../../work/evaluate/index.ts";

/** Where a line is: files of results may be larger than the memory, so that only numbers and places are kept. */
export interface LinePlace {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
  readonly side: number;
}

interface CaseEntry {
  readonly key: string;
  readonly lines: LinePlace[];
  /** Grader errors and lost trials, by side. */
  readonly errors: number[];
  readonly lost: number[];
}

export interface ResultIndex {
  readonly report: Comparison;
  readonly sides: readonly ResultSide[];
  readonly rows: readonly ResultRow[];
  readonly flakiest: readonly ResultRow[];
  /** A case by its key. */
  find(key: string): { readonly id: string; readonly lines: readonly LinePlace[] } | undefined;
}

/** How long others wait for their turn. */
const TURN_MS = 12;
const SHOWN_ID = 300;
const MOST_FLAKY = 10;

/** Reads the files once, a line at a time. The numbers are those of `harness compare`. */
export async function indexResults(paths: readonly string[]): Promise<ResultIndex> {
  const entries = new Map<string, CaseEntry>();
  const told = new Map<Side["cases"], Told>(); // a side may be copied under another name, and keeps its cases
  const byFile: { path: string; sides: readonly Side[] }[] = [];
  let turn = performance.now();
  for (const path of paths) {
    const fold = sideFold(path);
    for (const { line, offset, length } of readResults(path)) {
      const side = fold.add(line);
      const numbers = told.get(side.cases) ?? { place: told.size, costs: 0, usages: 0 };
      told.set(side.cases, numbers);
      const entry = entries.get(line.id) ?? { key: keyOf(line.id), lines: [], errors: [], lost: [] };
      entries.set(line.id, entry);
      entry.lines.push({ path, offset, length, side: numbers.place });
      for (const trial of trialsIn(line)) count(entry, numbers, trial);
      if (performance.now() - turn < TURN_MS) continue;
      await nextTurn();
      turn = performance.now();
    }
    byFile.push({ path, sides: fold.sides() });
  }
  const sides = toldApart(byFile);
  return indexOf(
    sides,
    sides.map(({ cases }) => told.get(cases) ?? { place: -1, costs: 0, usages: 0 }),
    entries,
  );
}

interface Told {
  /** In the order of appearance, which is not that of the report. */
  readonly place: number;
  /** Trials that tell what they cost, and what they used. */
  costs: number;
  usages: number;
}

function count(entry: CaseEntry, numbers: Told, trial: JsonObject): void {
  const outcome = outcomeOf(trial);
  if (outcome === "error") entry.errors[numbers.place] = (entry.errors[numbers.place] ?? 0) + 1;
  if (outcome === "lost") entry.lost[numbers.place] = (entry.lost[numbers.place] ?? 0) + 1;
  if (numberOf(trial["cost"]) !== undefined) numbers.costs++;
  const { usage } = trial;
  if (isObject(usage) && Object.values(usage).some((amount) => typeof amount === "number")) numbers.usages++;
}

function indexOf(sides: readonly Side[], told: readonly Told[], entries: ReadonlyMap<string, CaseEntry>): ResultIndex {
  const report = compareSides(sides);
  const ids = new Map([...entries].map(([id, { key }]) => [key, id]));
  const rows = new Map(
    report.cases.map(({ id, cells }) => {
      const entry = entries.get(id);
      const shown = cells.map(({ passes, graded, trials }, i): ResultCell => {
        const { place = -1 } = told[i] ?? {};
        return [passes, graded, trials, entry?.errors[place] ?? 0, entry?.lost[place] ?? 0];
      });
      return [id, { key: entry?.key ?? "", id: id.slice(0, SHOWN_ID), cells: shown }];
    }),
  );
  return {
    report,
    sides: report.sides.map((side, i): ResultSide => {
      const { costs = 0, usages = 0 } = told[i] ?? {};
      const tokens = Object.values(side.tokens).reduce((sum: number, amount) => sum + (amount ?? 0), 0);
      return { ...side, meanCostUsd: mean(side.costUsd, costs), meanTokens: mean(tokens, usages) };
    }),
    rows: [...rows.values()],
    flakiest: flakiest(report, MOST_FLAKY).flatMap(({ id }) => rows.get(id) ?? []),
    find(key) {
      const id = ids.get(key);
      const entry = id === undefined ? undefined : entries.get(id);
      if (id === undefined || entry === undefined) return undefined;
      return { id, lines: entry.lines.map((line) => ({ ...line, side: told.findIndex(({ place }) => place === line.side) })) };
    },
  };
}

function mean(sum: number | null, count: number): number | null {
  return sum === null || count === 0 ? null : sum / count;
}

function keyOf(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 16);
}
