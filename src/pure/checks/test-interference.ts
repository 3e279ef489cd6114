import type { FilePatch } from "./patch-files.ts";
import { ASSERTION, COMMENT, isPackageFile, TEST_SCRIPT, type Weakening } from "./weakened-tests.ts";

/** Changes by which a test run can pass without its tests. Each may be honest, so a reviewer must decide. */

export function isSource(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|py|rb|php|java|kt|go|rs|cs|sh)$/.test(path);
}

/** Ends the process, or replaces what reports a failure. */
const INTERFERES =
  /\bprocess\s*\.\s*(?:exit|reallyExit|abort|kill)\b|\bprocess\s*\.\s*exitCode\s*=|\bprocess\s*\.\s*(?:on|once|prependListener)\(\s*["'`](?:exit|beforeExit|uncaughtException)|\bprocess\s*\[|\b_exit\(|\bsys\.exit\(|\bSystem\.exit\(|\bos\.Exit\(|\bassert(?:["'`]\s*\))?(?:\.strict)?\.\w+\s*=(?![=>])|\bunittest\.\w[\w.]*\s*=(?!=)|\bModule\._\w+|\bglobal(?:This)?\.(?:test|it|describe|expect|assert)\b\s*=(?!=)|\bstdout\.write\s*=(?!=)|\bconsole\.\w+\s*=(?!=)|\bpytest_\w+|\bos\.kill\(/;

export function interference(file: FilePatch | undefined): readonly Weakening[] {
  const line = file?.added.find(({ text }) => INTERFERES.test(text.slice(0, 10_000)) && !COMMENT.test(text));
  if (line === undefined || file === undefined || !isSource(file.path)) return [];
  return [{ what: "code that can end or change a test run", line: line.line, excerpt: line.text.trim(), isCertain: false }];
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

const TOOL = /^\s*"(?:jest|mocha|ava|vitest|nyc|c8|tap|setupFiles\w*|globalSetup|testEnvironment|testMatch|require|imports)"\s*:/;

/** Test scripts and settings in package.json that say something else now. */
export function changedScripts(file: FilePatch | undefined): readonly Weakening[] {
  if (file === undefined || !isPackageFile(file.path) || file.change !== "modified") return [];
  const before = new Set(file.removed.map(({ text }) => text.trim().replace(/,$/, "")));
  const line = file.added.find(
    ({ text }) => (TEST_SCRIPT.test(text.slice(0, 10_000)) || TOOL.test(text)) && !before.has(text.trim().replace(/,$/, "")),
  );
  return line === undefined ? [] : [{ what: "a changed test script", line: line.line, excerpt: line.text.trim(), isCertain: false }];
}
