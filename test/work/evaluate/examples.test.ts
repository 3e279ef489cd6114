import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sample, shareOf } from "../../support/full.ts";
import { cleanUp, directory, harness, jsonLines, ROOT } from "../../support/harness.ts";

/** The data set under examples/: no unchanged workspace passes. The tutorial's test, next to this one, shows that every reference does. */

afterAll(cleanUp);

const TASKS = join(ROOT, "examples/tasks");
const GRADER = ["-g", join(TASKS, "grade.mjs")];
const cases = jsonLines(readFileSync(join(TASKS, "cases.jsonl"), "utf8")) as { id: string; input: string; workspace: string }[];
const MINUTES = 60_000;

describe("examples/tasks", () => {
  test("has at least thirty small cases, each with a check, a reference, and its marker in the prompt", () => {
    expect(cases.length).toBeGreaterThanOrEqual(30);
    const ids = cases.map(({ id }) => id).sort((a, b) => (a < b ? -1 : 1));
    expect(readdirSync(join(TASKS, "references")).sort()).toEqual(ids);
    expect(readdirSync(join(TASKS, "checks")).sort()).toEqual(ids.map((id) => `${id}.mjs`).sort());
    for (const { id, input } of cases) expect(input.endsWith(` [[${id}]]`), id).toBe(true);
    const files = readdirSync(TASKS, { recursive: true, encoding: "utf8" }).map((file) => statSync(join(TASKS, file)));
    expect(files.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0)).toBeLessThan(300_000);
  });

  const some = sample(cases, 10);

  test(`no workspace (${shareOf(some, cases)}) passes unchanged, and that is a verdict, not a grader error`, {
    timeout: 10 * MINUTES,
  }, async () => {
    const untouched = some.map((row) => ({ ...row, workspace: join(TASKS, row.workspace), reference: "command:true" }));
    const file = join(directory(), "untouched.jsonl");
    writeFileSync(file, untouched.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const checks = jsonLines((await harness(["validate-refs", file, ...GRADER])).stdout);
    expect(checks.length).toBe(some.length);
    expect(checks.filter(({ pass, error }) => pass !== false || error !== undefined)).toEqual([]);
  });
});
