import type { Comparison } from "../compare/index.ts";

/** One row per case and agent, for spreadsheets. */
export function csvReport({ sides, cases }: Comparison): string {
  const rows = cases.flatMap(({ id, cells }) =>
    cells.map(({ passes, graded, trials }, index) => [
      id,
      sides[index]?.label ?? "",
      trials,
      graded,
      passes,
      graded === 0 ? "" : passes / graded,
    ]),
  );
  return [["case", "agent", "trials", "graded", "passes", "pass_rate"], ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** Escapes a text that a spreadsheet would read as a formula. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
