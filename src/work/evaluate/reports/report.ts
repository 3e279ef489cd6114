import { type CompareOptions, type Comparison, compareSides, type Side } from "../compare/index.ts";

/** What all reports are made of. */
export interface Report extends Comparison {
  /** Every case, in the order of the first side that has it. */
  readonly cases: readonly CaseRow[];
}

export interface CaseRow {
  readonly id: string;
  /** One per side. */
  readonly cells: readonly Cell[];
}

export interface Cell {
  readonly passes: number;
  readonly graded: number;
  readonly trials: number;
}

export function reportOf(sides: readonly Side[], options: CompareOptions = {}): Report {
  const ids = new Set(sides.flatMap(({ cases }) => [...cases.keys()]));
  const cases = [...ids].map((id) => ({ id, cells: sides.map((side) => cellOf(side, id)) }));
  return { ...compareSides(sides, options), cases };
}

/** The cases in which trials of one side disagree most, which is where one trial says least. */
export function flakiest({ cases }: Report, count: number): readonly CaseRow[] {
  const spread = ({ cells }: CaseRow) =>
    Math.max(0, ...cells.map(({ passes, graded }) => (graded < 2 ? 0 : Math.min(passes, graded - passes) / graded)));
  return [...cases]
    .filter((row) => spread(row) > 0)
    .sort((a, b) => spread(b) - spread(a))
    .slice(0, count);
}

function cellOf({ cases }: Side, id: string): Cell {
  const verdicts = cases.get(id)?.verdicts ?? [];
  const graded = verdicts.filter((verdict) => verdict !== null);
  return { passes: graded.filter(Boolean).length, graded: graded.length, trials: verdicts.length };
}
