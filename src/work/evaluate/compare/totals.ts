import type { JsonObject } from "../../../pure/base/index.ts";
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

/** The totals of a whole results file and of more lines, by side. */
export function totals(results: string, more: readonly JsonObject[] = []): readonly Totals[] {
  const fold = sideFold(results);
  for (const { line } of readResults(results)) fold.add(line);
  for (const line of more) fold.add({ ...line, id: String(line["id"]) });
  return fold.sides().map(({ label, classes, costUsd, isCostPartial }) => ({
    label,
    classes,
    costUsd,
    ...(isCostPartial && { partialCost: true }),
  }));
}
