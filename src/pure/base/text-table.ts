/** A table of strings, drawn differently in Markdown, on the terminal and on the page. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * For a terminal: the first column left-aligned, the rest right-aligned. A table wider than the terminal continues below, repeating its
 * first column, because wrapped lines cannot be read.
 */
export function textTable({ title, head, rows }: Table, width = Number.POSITIVE_INFINITY): string {
  const widths = head.map((cell, index) => Math.max(cell.length, ...rows.map((row) => (row[index] ?? "").length)));
  const line = (cells: readonly string[], columns: readonly number[]) =>
    columns
      .map((index) => (index === 0 ? (cells[index] ?? "").padEnd(widths[index] ?? 0) : (cells[index] ?? "").padStart(widths[index] ?? 0)))
      .join("  ")
      .trimEnd();
  const parts = partsOf(widths, width - 2).map((columns) => [head, ...rows].map((cells) => `  ${line(cells, columns)}\n`).join(""));
  return `${title}\n\n${parts.join("\n")}`;
}

/** Groups the columns that fit next to each other; each group starts with the first column. */
function partsOf(widths: readonly number[], width: number): readonly (readonly number[])[] {
  const parts: number[][] = [[0]];
  let used = widths[0] ?? 0;
  for (let index = 1; index < widths.length; index++) {
    const more = 2 + (widths[index] ?? 0);
    const part = parts.at(-1) ?? [];
    if (used + more > width && part.length > 1) {
      parts.push([0, index]);
      used = (widths[0] ?? 0) + more;
    } else {
      part.push(index);
      used += more;
    }
  }
  return parts;
}
