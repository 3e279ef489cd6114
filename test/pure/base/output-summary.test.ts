import { expect, test } from "vitest";
import { outputSummary } from "../../../src/pure/base/index.ts";

const TAP = "TAP version 13\n# Subtest: no discount\nok 1 - no discount\n# Subtest: ten percent off\nnot ok 2 - ten percent off\n";

test.each([
  ["node --test", TAP, "not ok 2 - ten percent off"],
  ["pytest", "===== test session starts =====\ncollected 2 items\n\nE       assert 190 == 180\n", "E       assert 190 == 180"],
  ["cargo test", "\nrunning 2 tests\ntest a ... ok\ntest b ... FAILED\n", "test b ... FAILED"],
  ["npm test", "\n> shop@1.0.0 test\n> vitest run\n\n FAIL  test/price.test.js\n", "FAIL  test/price.test.js"],
  ["a banner and nothing else", "TAP version 13\n", "TAP version 13"],
  ["any other program", "cannot open a.txt\nError: more\n", "cannot open a.txt"],
])("a failed call is summarized by its first failure: %s", (_, output, line) => {
  expect(outputSummary(output, true)).toBe(line);
});

test("a call that succeeded is summarized by its first line", () => {
  expect(outputSummary(`\n${TAP}`, false)).toBe("TAP version 13");
  expect(outputSummary("", false)).toBe("");
  expect(outputSummary("x".repeat(5000), true)).toHaveLength(200);
});
