import { textTable } from "../../../pure/base/index.ts";
import type { Comparison } from "../compare/index.ts";
import type { PreferenceSummary } from "../prefer/index.ts";
import { flakiest } from "./flakiest.ts";
import { casesTable, pairsTable, preferencesTable, sidesTable } from "./tables.ts";

/** For a terminal with `width` columns. */
export function textReport(comparison: Comparison, width?: number): string {
  const flaky = flakiest(comparison, 10);
  const tables = [
    sidesTable(comparison),
    ...(comparison.pairs.length > 0 ? [pairsTable(comparison)] : []),
    ...(flaky.length > 0 ? [casesTable(comparison, flaky, "Cases whose trials disagree")] : []),
  ];
  return tables.map((table) => textTable(table, width)).join("\n");
}

/** Summarizes preferences for a terminal with `width` columns. */
export function textPreferences(summary: readonly PreferenceSummary[], width?: number): string {
  return textTable(preferencesTable(summary), width);
}
