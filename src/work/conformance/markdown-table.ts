type Row = readonly string[];

/** A table with aligned columns, as this repository's formatter writes it. */
export function markdownTable(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows].map((row) => row.map(escaped));
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: Row) => `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [first = [], ...rest] = all;
  return [line(first), line(widths.map((width) => "-".repeat(width))), ...rest.map(line)].join("\n");
}

/** The cells of a table's rows, without the header. */
export function rowsOf(table: string): readonly Row[] {
  const lines = table.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    return cells.map((cell) => cell.trim().replaceAll("\\|", "|"));
  });
}

function escaped(cell: string): string {
  return cell.replaceAll("\n", " ").replaceAll("|", "\\|");
}
