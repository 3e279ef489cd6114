import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/reference/departures.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| 00\d /.test(line));

test.for(rows)("%s", (row) => {
  const [, title, path] = /\[([^\]]+)\]\(\.\.\/\.\.\/([^)]+)\) *\|$/.exec(row) ?? [];
  expect(path, "the row names a test").toBeDefined();
  expect(readFileSync(join(ROOT, path ?? ""), "utf8")).toContain(title);
});

test("every specification is listed", () => {
  expect(new Set(rows.map((row) => row.slice(2, 5)))).toEqual(new Set(["000", "001", "002", "003", "004"]));
});
