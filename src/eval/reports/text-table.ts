import type { Table } from "./tables.ts";

/** For a terminal: the first column to the left, numbers to the right. */
export function textTable({ title, head, rows }: Table): string {
  const widths = head.map((cell, index) => Math.max(cell.length, ...rows.map((row) => (row[index] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join("  ")
      .trimEnd();
  return `${title}\n\n${[head, ...rows].map((cells) => `  ${line(cells)}\n`).join("")}`;
}
