import type { ClassCounts } from "../../../pure/verdicts/index.ts";
import { readResults } from "../results/index.ts";
import { sideFold } from "./read-sides.ts";

/** How many trials of a side ended in each class, and what they cost. */
export interface Totals {
  readonly label: string;
  readonly classes: ClassCounts;
  readonly costUsd: number | null;
  /** The cost is a lower bound: some trials report only a part. */
  readonly partialCost?: true;
}

/** The totals of a whole results file, by side. */
export function totals(results: string): readonly Totals[] {
  const fold = sideFold(results);
  for (const { line } of readResults(results)) fold.add(line);
  return fold.sides().map(({ label, classes, costUsd, isCostPartial }) => ({
    label,
    classes,
    costUsd,
    ...(isCostPartial && { partialCost: true }),
  }));
}
