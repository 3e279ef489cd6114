import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./imports.ts";

/** `npm run release`: what it finds wrong, and that it changes nothing unless asked. */

interface Problems {
  readonly treeProblems: (status: string, tags: string, tag: string) => readonly string[];
  readonly versionProblems: (version: string, lock: object) => readonly string[];
  readonly changelogProblems: (text: string, version: string) => readonly string[];
  readonly packProblems: (files: readonly string[]) => readonly string[];
}
const { treeProblems, versionProblems, changelogProblems, packProblems } = (await import(
  join(ROOT, "scripts/release/problems.mjs")
)) as Problems;

test("a clean tree with a new tag", () => {
  expect(treeProblems("", "v0.0.1\n", "v0.1.0")).toEqual([]);
  expect(treeProblems(" M README.md\n?? x\n", "", "v0.1.0")).toEqual([
    "2 files are changed or untracked; commit or remove them: M README.md",
  ]);
  expect(treeProblems("", "v0.1.0\n", "v0.1.0")).toEqual(["The tag v0.1.0 exists already; raise the version in package.json."]);
});

test("one version", () => {
  const lock = { version: "1.2.3", packages: { "": { version: "1.2.3" } } };
  expect(versionProblems("1.2.3", lock)).toEqual([]);
  expect(versionProblems("1.2", lock)).toHaveLength(2);
});

describe("the changelog", () => {
  const text = "# Changelog\n\n## [Unreleased]\n\n## [1.2.3] - 2026-11-16\n\n### Added\n\n- More.\n\n## [1.2.2] - 2026-11-01\n\n- Less.\n";
  test("with a dated section for the version", () => expect(changelogProblems(text, "1.2.3")).toEqual([]));
  test("with the oldest version last", () => expect(changelogProblems(text, "1.2.2")).toEqual([]));
  test("without a section", () => expect(changelogProblems(text, "1.2.4")).toEqual(["There is no section [1.2.4]."]));
  test("without a date", () =>
    expect(changelogProblems(text.replace("2026-11-16", "unreleased"), "1.2.3")).toEqual([
      "[1.2.3] has no date; write ## [1.2.3] - YYYY-MM-DD.",
    ]));
  test("with entries left over", () =>
    expect(changelogProblems(text.replace("[Unreleased]\n", "[Unreleased]\n\n- New.\n"), "1.2.3")).toEqual([
      "[Unreleased] has entries; move them to [1.2.3].",
    ]));
});

test("the package: what is missing, and what does not belong there", () => {
  const problems = packProblems(["README.md", "LICENSE", "fixtures/a/raw.jsonl"]);
  expect(problems).toContain("fixtures/a/raw.jsonl does not belong in the package.");
  expect(problems.filter((problem) => problem.startsWith("Nothing in the package matches"))).toHaveLength(8);
});

test.each([
  [[], /say what to do/],
  [["--publish", "--dry-run"], /need all checks/],
  [["--publish", "--skip-tests"], /need all checks/],
])("%j stops before it does anything", (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/release.mjs", ...args], { cwd: ROOT, encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});
