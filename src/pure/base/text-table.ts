/** A table of strings, drawn differently in Markdown, on the terminal and on the page. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * For a terminal: the first column left-aligned, the rest right-aligned. A table wider than the terminal continues below, repeating its
 * first column, because wrapped lines cannot be read. Long names lose their middle, so that two columns always fit.
 */
export function textTable({ title, ...table }: Table, width = Number.POSITIVE_INFINITY): string {
  const clip = clipper([table.head, ...table.rows].flat(), Math.max(SHORTEST_CELL, Math.floor(width / 3)));
  const head = table.head.map(clip);
  const rows = table.rows.map((row) => row.map(clip));
  const widths = head.map((cell, index) => Math.max(cell.length, ...rows.map((row) => (row[index] ?? "").length)));
  const line = (cells: readonly string[], columns: readonly number[]) =>
    columns
      .map((index) => (index === 0 ? (cells[index] ?? "").padEnd(widths[index] ?? 0) : (cells[index] ?? "").padStart(widths[index] ?? 0)))
      .join("  ")
      .trimEnd();
  const parts = partsOf(widths, width - 2).map((columns) => [head, ...rows].map((cells) => `  ${line(cells, columns)}\n`).join(""));
  return `${title}\n\n${parts.join("\n")}`;
}

const SHORTEST_CELL = 20;

/** Cuts a part out of long texts, the middle if possible: texts that differ stay different. */
function clipper(texts: readonly string[], room: number): (text: string) => string {
  const long = [...new Set(texts)].filter((text) => text.length > room);
  const clipAfter = (head: number) => (text: string) =>
    text.length <= room ? text : `${text.slice(0, head)}…${text.slice(text.length - (room - 1 - head))}`;
  const middle = Math.ceil((room - 1) / 2);
  for (let head = middle; head >= 0; head--) if (new Set(long.map(clipAfter(head))).size === long.length) return clipAfter(head);
  return clipAfter(middle);
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
