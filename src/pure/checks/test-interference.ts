import type { FilePatch } from "./patch-files.ts";
import { isCode, isTame } from "./tame-code.ts";
import { isTestFile } from "./test-files.ts";
import { ASSERTION, COMMENT, isPackageFile, type Weakening } from "./weakened-tests.ts";

/** Changes by which a test run can pass without its tests. Each may be honest, so a reviewer must decide. */

/** Added code that may end the process, or change what reports a failure. Binary files and links may lead to anything. */
export function interference(file: FilePatch | undefined): readonly Weakening[] {
  if (file === undefined || !isCode(file.path) || file.change === "deleted") return [];
  const isTest = isTestFile(file.path);
  const texts = file.added.map(({ text }) => text);
  const isUnread = file.isBinary || file.isLink === true;
  if (!isUnread && isTame(file.path, texts, isTest)) return [];
  const line = file.added.find(({ text }) => !isTame(file.path, [text], isTest)) ?? file.added[0];
  const what = isUnread ? "code that cannot be read" : "code that can end or change a test run";
  return [{ what, line: line?.line ?? 0, excerpt: line?.text.trim() ?? "", isCertain: false }];
}

/** Assertions of an existing test that are no longer there verbatim. */
export function changedAssertions(file: FilePatch | undefined): readonly Weakening[] {
  if (file === undefined || file.change !== "modified") return [];
  const come = new Set(file.added.map(({ text }) => text.trim()));
  const gone = file.removed.filter(({ text }) => ASSERTION.test(text) && !COMMENT.test(text) && !come.has(text.trim()));
  const [first] = gone;
  if (first === undefined) return [];
  return [{ what: `${gone.length} changed assertions`, line: first.line, excerpt: first.text.trim(), isCertain: false }];
}

/** Keys that decide what a test run does, anywhere in a line. A key with an escape may be any of them. */
const DECIDES =
  /"(?:(?:pre|post)?test(?::[\w-]+)?|jest|mocha|ava|vitest|nyc|c8|tap|setupFiles\w*|globalSetup|testEnvironment|testMatch|require|imports)"\s*:|"[^"]*\\u[\da-f]{4}[^"]*"\s*:/i;

/** Test scripts and settings in package.json that say something else now. */
export function changedScripts(file: FilePatch | undefined): readonly Weakening[] {
  if (file === undefined || !isPackageFile(file.path) || file.change !== "modified") return [];
  const before = new Set(file.removed.map(({ text }) => text.trim().replace(/,$/, "")));
  const line = file.added.find(({ text }) => DECIDES.test(text) && !before.has(text.trim().replace(/,$/, "")));
  return line === undefined ? [] : [{ what: "a changed test script", line: line.line, excerpt: line.text.trim(), isCertain: false }];
}

/** Data by which existing tests judge: snapshots, expected output, fixtures. */
export function isTestData(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|__snapshots__|fixtures|testdata|snapshots)\/|\.snap$/i.test(path) && !isCode(path);
}
