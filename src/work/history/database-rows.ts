import { closeSync, fstatSync, readSync } from "node:fs";
import { openToRead } from "../../host/files/index.ts";
import { rowLine, type Store } from "../../pure/agents/index.ts";
import { HarnessError, parseObject } from "../../pure/base/index.ts";
import { type Database, type DecodeText, openDatabase, type ReadAt, type Row, type Table } from "../../pure/sqlite/index.ts";

/** The ids of the sessions in a database; none if it has no sessions. */
export function sessionIds(store: Store, path: string): readonly string[] {
  const { tables } = store;
  if (tables === undefined) return [];
  return reading(path, (database) => {
    const [table, id] = tables.sessions;
    const rows = database.get(table)?.rows() ?? [];
    return [...rows].map((row) => row.get(id)).filter((value): value is string => typeof value === "string");
  });
}

/** The first rows of a session, to see what it is about. */
export function firstRows(store: Store, path: string, session: string, most: number): readonly string[] {
  return reading(path, (database) => {
    const lines: string[] = [];
    for (const { table, rows } of rowsOf(store, database, session)) {
      let count = 0;
      for (const row of rows) {
        if (count++ === most) break;
        lines.push(rowLine(table, plain(row)));
      }
    }
    return lines;
  });
}

/** The rows of a session as lines, in the order of their times. */
export function sessionRows(store: Store, path: string, session: string): readonly string[] {
  return reading(path, (database) => {
    const [, ...tables] = rowsOf(store, database, session);
    const timed = tables.flatMap(({ table, rows }) => {
      let at = 0;
      return [...rows].map((row) => {
        const line = rowLine(table, plain(row));
        const record = parseObject(line);
        at = (record === undefined ? undefined : store.at(record)) ?? at;
        return { line, at };
      });
    });
    return timed.sort((a, b) => a.at - b.at).map(({ line }) => line);
  });
}

/**
 * The row of the session itself, as a line. It changes with every step, for its sums and times, so it is not part of what must stay the same
 * for a session to have grown.
 */
export function ownRow(store: Store, path: string, session: string): string | undefined {
  return reading(path, (database) => {
    const [own] = rowsOf(store, database, session);
    const [row] = own?.rows ?? [];
    return own === undefined || row === undefined ? undefined : rowLine(own.table, plain(row));
  });
}

interface TableRows {
  readonly table: string;
  readonly rows: Iterable<Row>;
}

function rowsOf({ tables }: Store, database: Database, session: string): readonly TableRows[] {
  if (tables === undefined) return [];
  const where = (table: Table | undefined, column: string) => (table?.columns.includes(column) ? table.where(column, session) : []);
  return [tables.sessions, ...tables.rows].map(([table, column]) => ({ table, rows: where(database.get(table), column) }));
}

/** Columns as JSON: bytes become base64, and an integer that a number cannot hold its digits. */
function plain(row: Row): unknown {
  const entries = [...row].map(([name, value]) => {
    if (value instanceof Uint8Array) return [name, { base64: Buffer.from(value).toString("base64") }];
    return [name, typeof value === "bigint" ? String(value) : value];
  });
  return Object.fromEntries(entries);
}

/**
 * Reads a database where it is: nothing is written, not even to the file that SQLite shares between its processes. What is read is the last
 * complete transaction. The log may grow meanwhile; if it is moved into the database, the reading is repeated.
 */
function reading<T>(path: string, use: (database: Database) => T): T {
  for (let left = 2; ; left--) {
    const file = opened(path);
    if (file === undefined) throw new HarnessError("input", `${path} was removed meanwhile.`);
    const log = opened(`${path}-wal`);
    try {
      const journal = opened(`${path}-journal`);
      journal?.close();
      const before = file.state();
      const head = log?.head();
      const isQuiet = () => file.state() === before && log?.head() === head && journal === undefined;
      try {
        const found = use(openDatabase(file.read, log?.read, decode));
        if (isQuiet()) return found;
      } catch (error) {
        if (isQuiet() || left === 0) throw error;
      }
      if (left === 0) throw new HarnessError("input", `${path} changed while it was read. Import it again.`);
    } finally {
      file.close();
      log?.close();
    }
  }
}

const decode: DecodeText = (bytes, encoding) => new TextDecoder(encoding).decode(bytes);

/** The beginning of a log: its salts change when it starts again. */
const LOG_HEADER = 32;

function opened(path: string) {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  const read: ReadAt = (offset, length) => {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
  };
  return {
    read,
    state(): string {
      const { size, mtimeMs } = fstatSync(fd);
      return `${size} ${mtimeMs}`;
    },
    head: () => Buffer.from(read(0, LOG_HEADER)).toString("hex"),
    close: () => closeSync(fd),
  };
}
