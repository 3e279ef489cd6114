import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { historyOf, uncommitted } from "../../../src/host/workspace/index.ts";

let place = "";

const git = (...args: readonly string[]) =>
  execFileSync("git", ["-C", place, "-c", "user.name=x", "-c", "user.email=x@localhost", ...args], { encoding: "utf8" }).trim();

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "harness-history-"));
  git("init", "-q", "-b", "main");
  mkdirSync(join(place, "a/b"), { recursive: true });
  for (const name of ["one", "a/two", "a/b/three"]) writeFileSync(join(place, name), `${name}\n`);
  git("add", ".");
  git("commit", "-qm", "Begin");
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

/** What is new since an earlier look. */
function made(before: ReturnType<typeof historyOf>): readonly string[] {
  return [...(historyOf(place)?.tips ?? [])].filter((tip) => before?.tips.has(tip) !== true);
}

test("a commit holds the contents that the workspace has", () => {
  const before = historyOf(place);
  expect(before).toEqual({
    tips: new Set([git("rev-parse", "HEAD")]),
    head: git("rev-parse", "HEAD"),
    tree: git("rev-parse", "HEAD^{tree}"),
  });
  for (const name of ["one", "a/two", "a/b/three", "new"]) writeFileSync(join(place, name), "changed\n");
  git("rm", "-q", "--cached", "one");
  rmSync(join(place, "one"));
  git("add", "a/b/three", "new");
  git("commit", "-qm", "Some");
  expect(made(before)).toEqual([git("rev-parse", "HEAD")]);
  expect(uncommitted(place, made(before), ["one", "a/two", "a/b/three", "new", "nowhere"])).toEqual(["a/two"]);
});

test("a commit that was taken back is not new, and an empty one has the same tree", () => {
  const before = historyOf(place);
  writeFileSync(join(place, "one"), "changed\n");
  git("commit", "-qam", "Change");
  git("reset", "-q", "--soft", "HEAD~1");
  expect(made(before)).toEqual([]);
  git("reset", "-q");
  git("commit", "-q", "--allow-empty", "-m", "Empty");
  expect(made(before)).toHaveLength(1);
  expect(historyOf(place)?.tree).toBe(before?.tree);
});

test("packed branches are known, packed objects are not", () => {
  const before = historyOf(place);
  git("pack-refs", "--all");
  expect(historyOf(place)).toEqual(before);
  git("gc", "-q");
  expect(historyOf(place)).toEqual({ tips: before?.tips, head: before?.head });
  expect(uncommitted(place, [before?.head ?? ""], ["one"])).toBeUndefined();
});

test("a forged object counts as none", () => {
  const { head = "" } = historyOf(place) ?? {};
  rmSync(join(place, ".git/objects", head.slice(0, 2), head.slice(2)));
  writeFileSync(join(place, ".git/objects", head.slice(0, 2), head.slice(2)), "forged");
  expect(historyOf(place)?.tree).toBeUndefined();
});

test("what is not a repository, or leads elsewhere, is not read", () => {
  rmSync(join(place, ".git/HEAD"));
  symlinkSync("/etc/passwd", join(place, ".git/HEAD"));
  expect(historyOf(place)).toBeUndefined();
  rmSync(join(place, ".git"), { recursive: true });
  expect(historyOf(place)).toBeUndefined();
  writeFileSync(join(place, ".git"), "gitdir: /nowhere\n");
  expect(historyOf(place)).toBeUndefined();
});
