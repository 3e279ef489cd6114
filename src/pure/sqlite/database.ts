import { columnsOf, indexedColumn } from "./declared.ts";
import { damaged, openPages, type Pages } from "./pages.ts";
import type { DecodeText, ReadAt } from "./read-at.ts";
import type { Value } from "./record.ts";
import { rowidsOf, rowWith, type Stored, tableRows } from "./tree.ts";

/** A row: its columns in the order of the table. A column that was added after the row was written is absent. */
export type Row = ReadonlyMap<string, Value>;

export interface Table {
  readonly columns: readonly string[];
  rows(): Generator<Row, void>;
  /** The rows whose column is this text; by an index if there is one. */
  where(column: string, text: string): Generator<Row, void>;
}

export type Database = ReadonlyMap<string, Table>;

/**
 * Opens a database by its bytes and those of its write-ahead log. SQLite itself is not used: even to read, it writes to the file next to
 * the log. Throws a HarnessError if the bytes are not a database; a table is read only when it is asked for.
 */
export function openDatabase(file: ReadAt, wal: ReadAt | undefined, decode: DecodeText): Database {
  const pages = openPages(file, wal, decode);
  const tables = new Map<string, Table>();
  const schema = [...sound(tableRows(pages, 1))].map(({ values }) => values);
  for (const [type, name, , root, sql] of schema) {
    if (type !== "table" || typeof name !== "string" || typeof root !== "number" || root < 1 || typeof sql !== "string") continue;
    const columns = columnsOf(sql);
    if (columns === undefined) continue;
    const indexes = new Map<string, number>();
    for (const [kind, , table, at, text] of schema) {
      const column = kind === "index" && table === name && typeof text === "string" ? indexedColumn(text) : undefined;
      if (column !== undefined && typeof at === "number" && !indexes.has(column)) indexes.set(column, at);
    }
    tables.set(name, openTable(pages, root, columns, indexes));
  }
  return tables;
}

function openTable(
  pages: Pages,
  root: number,
  { names, rowid: alias }: { readonly names: readonly string[]; readonly rowid: string | undefined },
  indexes: ReadonlyMap<string, number>,
): Table {
  function rowOf({ rowid, values }: Stored): Row {
    const row = new Map<string, Value>();
    for (const [n, name] of names.entries()) {
      const value = name === alias ? rowid : values[n];
      if (value !== undefined) row.set(name, value);
    }
    return row;
  }

  function* rows(): Generator<Row, void> {
    for (const stored of sound(tableRows(pages, root))) yield rowOf(stored);
  }

  return {
    columns: names,
    rows,
    *where(column, text) {
      const index = indexes.get(column);
      if (index === undefined) {
        for (const row of rows()) if (row.get(column) === text) yield row;
        return;
      }
      for (const stored of sound(found(index, text))) yield rowOf(stored);
    },
  };

  function* found(index: number, text: string): Generator<Stored, void> {
    for (const rowid of rowidsOf(pages, index, text)) {
      const stored = rowWith(pages, root, rowid);
      if (stored !== undefined) yield stored;
    }
  }
}

/** A damaged place can lead outside its page, or so deep that the stack ends. */
function* sound<T>(items: Iterable<T>): Generator<T, void> {
  try {
    yield* items;
  } catch (error) {
    throw error instanceof RangeError ? damaged("a place in it leads nowhere") : error;
  }
}
