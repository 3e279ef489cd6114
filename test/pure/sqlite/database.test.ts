import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { columnsOf, indexedColumn } from "../../../src/pure/sqlite/declared.ts";
import { type DecodeText, openDatabase, type ReadAt } from "../../../src/pure/sqlite/index.ts";

/** Made by SQLite 3.40: pages of 1024 bytes; rows that overflow, were deleted and updated; most of it is only in the log. */
const folder = join(import.meta.dirname, "made");

const decode: DecodeText = (bytes, encoding) => new TextDecoder(encoding).decode(bytes);

function bytesAt(name: string): ReadAt {
  const bytes = readFileSync(join(folder, name));
  return (offset, length) => bytes.subarray(offset, offset + length);
}

describe("a database with a write-ahead log", () => {
  const expected = JSON.parse(readFileSync(join(folder, "expected.txt"), "utf8")) as readonly Readonly<Record<string, unknown>>[];
  const table = openDatabase(bytesAt("wal.db"), bytesAt("wal.db-wal"), decode).get("t");
  const plain = (row: ReadonlyMap<string, unknown>) =>
    Object.fromEntries(
      [...row].map(([name, value]) => [
        name,
        value instanceof Uint8Array ? Buffer.from(value).toString("hex").toUpperCase() : typeof value === "bigint" ? String(value) : value,
      ]),
    );

  test("has the rows that SQLite shows", () => {
    expect([...(table?.rows() ?? [])].map(plain)).toEqual(expected);
  });

  test("finds rows by an index, as a scan does", () => {
    const byIndex = [...(table?.where("s", "s1") ?? [])].map(plain);
    expect(byIndex.length).toBeGreaterThan(3);
    expect(new Set(byIndex.map((row) => row["id"]))).toEqual(new Set(expected.filter((row) => row["s"] === "s1").map((row) => row["id"])));
    expect([...(table?.where("s", "none") ?? [])]).toEqual([]);
    expect([...(table?.where("id", "k7") ?? [])].map(plain)).toEqual(expected.filter((row) => row["id"] === "k7"));
  });

  test("without the log, has what was moved into the file", () => {
    expect([...openDatabase(bytesAt("wal.db"), undefined, decode).keys()]).toEqual([]);
  });
});

test.each([
  ["CREATE TABLE t (a, b)", ["a", "b"], undefined],
  ['CREATE TABLE "t" (`a b` text, "c""d" int, [e] x, f INTEGER PRIMARY KEY AUTOINCREMENT)', ["a b", 'c"d', "e", "f"], "f"],
  ["CREATE TABLE t(a TEXT DEFAULT ')', -- a, b\n b INT CHECK (b IN (1, 2)), PRIMARY KEY(b))", ["a", "b"], undefined],
  ["CREATE TABLE t(a INTEGER, PRIMARY KEY (a))", ["a"], "a"],
  ["CREATE TABLE t(a INTEGER, b INTEGER, CONSTRAINT x PRIMARY KEY(a, b))", ["a", "b"], undefined],
])("columns of %s", (sql, names, rowid) => {
  expect(columnsOf(sql)).toEqual({ names, rowid });
});

test("a table without rowids is left out, and so is an index with other rows", () => {
  expect(columnsOf("CREATE TABLE t(a TEXT PRIMARY KEY) WITHOUT ROWID")).toBeUndefined();
  expect(indexedColumn("CREATE INDEX i ON t(`s`, n DESC)")).toBe("s");
  expect(indexedColumn("CREATE INDEX i ON t(s COLLATE NOCASE)")).toBeUndefined();
  expect(indexedColumn("CREATE INDEX i ON t(s) WHERE s > 1")).toBeUndefined();
});

test.each(["", "SQLite format 3", `SQLite format 3\u0000${"\u0000".repeat(200)}`, "x".repeat(5000)])("%.20j is not a database", (text) => {
  const bytes = Buffer.from(text, "latin1");
  expect(() => openDatabase((offset, length) => bytes.subarray(offset, offset + length), undefined, decode)).toThrow(/database/);
});
