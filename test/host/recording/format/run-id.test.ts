import { describe, expect, test } from "vitest";
import { isRunId, newRunId } from "../../../../src/host/recording/format/run-id.ts";

describe("newRunId", () => {
  test("holds the time in UTC, and never repeats", () => {
    const at = new Date("2026-11-15T07:29:30.999Z");
    const ids = Array.from({ length: 1000 }, () => newRunId(at));
    for (const id of ids) expect(id).toMatch(/^20261115-072930-[0-9a-hjkmnp-tv-z]{6}$/);
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every(isRunId)).toBe(true);
  });

  test("sorts by age", () => {
    const moments = ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z", "2026-10-01T00:00:00Z"];
    const ids = moments.map((moment) => newRunId(new Date(moment)));
    expect([...ids].sort()).toEqual(ids);
  });
});

/** Case 48: an id may become part of a path only if it cannot be anything else. */
describe("isRunId", () => {
  test.each(["a", "0", "20261115-072930-4f3a9c", "CON", "my_run-2", "A".repeat(128)])("%s names a run", (id) => {
    expect(isRunId(id)).toBe(true);
  });

  test.each([
    "",
    ".",
    "..",
    "../../x",
    "a/b",
    "a\\b",
    "/etc/passwd",
    ".hidden",
    "-rf",
    "_x",
    "a.b",
    "a b",
    "a\0",
    "\0",
    "a\n",
    "\na",
    "a\r",
    "%2e%2e",
    "~",
    "a:b",
    "x".repeat(129),
    "x".repeat(300),
    "раураl", // Cyrillic letters
    "ａｂｃ", // full width
    "a\u2215b", // looks like a slash
    "a\u200bb", // has no width
    "é",
    "e\u0301",
    "\ud83d",
    "１２３",
  ])("%j does not", (id) => {
    expect(isRunId(id)).toBe(false);
  });
});
