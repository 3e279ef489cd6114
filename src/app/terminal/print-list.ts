import { printable } from "../../pure/base/index.ts";
import { inTerminal, write, writeJson } from "./output.ts";

type Row = Readonly<Record<string, string | null | readonly string[]>>;

/** A table for people, one JSON object per line for programs. */
export async function printList(rows: readonly Row[], options: { json: boolean }): Promise<void> {
  if (inTerminal() && !options.json) return printTable(rows);
  await writeJson(rows);
}

/** A table, always. */
export async function printTable(rows: readonly Row[]): Promise<void> {
  await write(table(rows));
}

function table(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells
    .map(
      (line) =>
        `${line
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function cell(value: Row[string] | undefined): string {
  const text = Array.isArray(value) ? value.join(", ") : (value as string | null | undefined);
  return printable(text || "–");
}
