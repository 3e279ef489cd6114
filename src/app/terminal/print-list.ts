import { clip, columnsOf, printable } from "../../pure/base/index.ts";
import { inTerminal, write, writeJson } from "./output.ts";
import { terminal } from "./terminal.ts";

type Row = Readonly<Record<string, string | null | readonly string[]>>;

interface TableOptions {
  /** Columns to leave out if the terminal is too narrow, in this order. */
  readonly optional?: readonly string[];
  /** Clip the last column instead of letting its lines wrap. A path is never clipped: people copy it. */
  readonly clipped?: true;
}

/** A table for people, one JSON object per line for programs. */
export async function printList(rows: readonly Row[], { json, ...options }: TableOptions & { readonly json: boolean }): Promise<void> {
  if (inTerminal() && !json) return printTable(rows, options);
  await writeJson(rows);
}

export async function printTable(rows: readonly Row[], options: TableOptions = {}): Promise<void> {
  await write(table(rows, terminal.width, options));
}

/** What the last column keeps while there are optional columns to leave out. */
const LEAST_LAST = 24;

export function table(rows: readonly Row[], width: number, { optional = [], clipped }: TableOptions): string {
  const all = Object.keys(rows[0] ?? {});
  const widths = new Map(all.map((name) => [name, Math.max(name.length, ...rows.map((row) => columnsOf(cell(row[name]))))]));
  const widthOf = (name: string) => widths.get(name) ?? 0;
  const last = all.at(-1) ?? "";
  const before = (names: readonly string[]) => names.filter((name) => name !== last).reduce((sum, name) => sum + widthOf(name) + 2, 0);
  let names = all;
  for (const name of optional)
    if (before(names) + Math.min(widthOf(last), LEAST_LAST) > width) names = names.filter((each) => each !== name);
  const room = Math.max(1, width - before(names));
  const padded = (text: string, name = "") => (name === last ? text : text + " ".repeat(widthOf(name) - columnsOf(text)));
  const line = (cells: readonly string[]) => {
    const shown = cells.map((text, column) => padded(clipped && names[column] === last ? clip(text, room) : text, names[column]));
    return shown.join("  ").trimEnd();
  };
  return [names.map((name) => name.toUpperCase()), ...rows.map((row) => names.map((name) => cell(row[name])))]
    .map((cells) => `${line(cells)}\n`)
    .join("");
}

function cell(value: Row[string] | undefined): string {
  const text = Array.isArray(value) ? value.join(", ") : (value as string | null | undefined);
  return printable(text || "–");
}
