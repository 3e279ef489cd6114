/** A reader of SQLite databases with their write-ahead logs: tables and rows, and no SQL. */

export { type Database, openDatabase, type Row, type Table } from "./database.ts";
export type { DecodeText, ReadAt } from "./read-at.ts";
