import type { Comparison } from "../compare/index.ts";
import { flakiest } from "./flakiest.ts";
import { casesTable, pairsTable, sidesTable } from "./tables.ts";
import { textTable } from "./text-table.ts";

/** For a terminal. */
export function textReport(comparison: Comparison, width?: number): string {
  const flaky = flakiest(comparison, 10);
  const tables = [
    sidesTable(comparison),
    ...(comparison.pairs.length > 0 ? [pairsTable(comparison)] : []),
    ...(flaky.length > 0 ? [casesTable(comparison, flaky, "Cases whose trials disagree")] : []),
  ];
  return tables.map((table) => textTable(table, width)).join("\n");
}
