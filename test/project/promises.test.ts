import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./root.ts";

const PAGE = join(ROOT, "docs/explanation/promises.md");
const [promised = ""] = readFileSync(PAGE, "utf8").split("\n## ");

/** Each `- …` below a numbered promise, on one line. */
const claims = promised
  .split(/\n(?= *- |\d+\. )/)
  .map((part) => part.trim().replace(/\s+/g, " "))
  .filter((part) => part.startsWith("- "));

/** The files that a sentence names as its tests: in parentheses at its end. */
function testsOf(claim: string): readonly string[] {
  const [, named = ""] = /\(((?:\[[^\]]+\]\([^)]+\)(?:, )?)+)\)\.$/.exec(claim) ?? [];
  return [...named.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => join(dirname(PAGE), path));
}

test("every promise has a sentence", () => {
  expect(claims.length).toBeGreaterThan(30);
  for (const part of promised.split(/\n(?=\d+\. )/).slice(1)) expect(part).toMatch(/\n\s+- /);
});

describe("each sentence names tests that exist", () => {
  test.each(claims.map((claim) => [claim.slice(2, 80), claim] as const))("%s…", (_, claim) => {
    const tests = testsOf(claim);
    expect(tests).not.toEqual([]);
    for (const path of tests) {
      expect(path).toMatch(/\.test\.ts$/);
      expect(existsSync(path), path).toBe(true);
      expect(readFileSync(path, "utf8")).toMatch(/\btest(?:\.\w+)*\(/);
    }
  });
});
