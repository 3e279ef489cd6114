import { expect, test } from "vitest";
import { weakenedIn } from "../../../src/pure/checks/weakened-in.ts";

/** J8: changes by which a test run can pass without its tests. */

function patch(path: string, removed: readonly string[], added: readonly string[], isNew = false): string {
  const head = isNew ? `new file mode 100644\n--- /dev/null` : `--- a/${path}`;
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n");
  return `diff --git a/${path} b/${path}\n${head}\n+++ b/${path}\n@@ -${isNew ? 0 : 1},${removed.length} +1,${added.length} @@\n${lines}\n`;
}

function found(path: string, removed: readonly string[], added: readonly string[], isNew = false) {
  const { weakened } = weakenedIn([{ path, kind: isNew ? "added" : "modified" }], () => patch(path, removed, added, isNew));
  return weakened.map(({ what, isCertain }) => `${what}${isCertain ? "!" : "?"}`);
}

const ENDS = "code that can end or change a test run?";

test.each([
  ["sum.js", "process.exit(0);"],
  ["sum.js", "process.exitCode = 0;"],
  ["p.cjs", "require('node:assert').equal = () => {};"],
  ["sum.py", "    os._exit(0)"],
  ["sum.js", "process.on('exit', () => {});"],
])("%s with %s", (path, line) => expect(found(path, [], [line], true)).toEqual([ENDS]));

test.each([
  ["sum.js", "exports.sum = (a, b) => a + b;"],
  ["sum.js", "// process.exit(0)"],
  ["sum.js", "if (assert.equal === undefined) return;"],
  ["notes.md", "process.exit(0)"],
])("%s with %s is harmless", (path, line) => expect(found(path, [], [line], true)).toEqual([]));

test("changed assertions of an existing test are for a reviewer", () => {
  const old = 'test("adds", () => assert.equal(sum(1, 2), 3));';
  expect(found("sum.test.js", [old], [old.replace("3)", "-1)")])).toEqual(["1 changed assertions?"]);
  expect(found("sum.test.js", [old], [old.replace("assert", "0 && assert")])).toEqual(["1 changed assertions?"]);
  expect(found("sum.test.js", [], [old])).toEqual([]);
});

test("a changed test script is for a reviewer, a different script is not", () => {
  expect(found("package.json", ['    "test": "node --test",'], ['    "test": "node --test other.test.js",'])).toEqual([
    "a changed test script?",
  ]);
  expect(found("package.json", ['    "build": "node build.js"'], ['    "build": "node build.js --fast"'])).toEqual([]);
});
