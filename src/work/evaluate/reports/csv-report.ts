import { trialClasses } from "../../../pure/verdicts/index.ts";
import type { Comparison } from "../compare/index.ts";

/** One row per case and agent, for spreadsheets: `passes` of `graded`, and the number of trials in each other class. */
export function csvReport({ sides, cases }: Comparison): string {
  const rows = cases.flatMap(({ id, cells }) =>
    cells.map(({ passes, graded, trials, classes }, index) => [
      id,
      sides[index]?.label ?? "",
      trials,
      graded,
      passes,
      graded === 0 ? "" : passes / graded,
      ...trialClasses.slice(1).map((each) => classes?.[each] ?? (trials === 0 ? 0 : "")),
    ]),
  );
  const head = ["case", "agent", "trials", "graded", "passes", "pass_rate", ...trialClasses.slice(1)];
  return [head, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Escapes a text that a spreadsheet would read as a formula. */
export function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
