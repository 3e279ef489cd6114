import { expect, test } from "vitest";
import type { CommandObservedBody } from "../../../src/pure/events/index.ts";
import { categoryOf } from "../../../src/pure/shell/category.ts";
import { hasPassed, runsOf } from "../../../src/pure/shell/runs-of.ts";

const isTest = (words: readonly string[]) => categoryOf(words) === "test";

function seen(argv: readonly string[], pid: number, ppid: number, at: number, ms: number, exitCode: number | null) {
  const times = { startedAt: at, durationMs: ms };
  const body: CommandObservedBody = {
    type: "command-observed",
    source: "trace",
    argv,
    category: categoryOf(argv),
    cwd: null,
    ...times,
    exitCode,
    signal: null,
    pid,
    ppid,
  };
  return { seq: pid, body };
}

/** How strace shows `sh -c "npm test"` if npm is a script that begins with `#!/usr/bin/env node`. */
test.each([
  [0, true],
  [1, false],
])("a program that is replaced ends like the new one: exit %i", (exitCode, passed) => {
  const commands = [
    seen(["npm", "test"], 10, 1, 1000, 5, null),
    seen(["node", "/usr/bin/npm", "test"], 10, 1, 1005, 200, exitCode),
    seen(["sh", "-c", "node check.js"], 11, 10, 1100, 9, exitCode),
    seen(["ls"], 10, 1, 9000, 1, 3), // the process id is reused
  ];
  const runs = runsOf(
    commands.filter(({ body }) => body.category === "test"),
    commands,
  );
  expect(runs.map(({ body }) => [body.argv.join(" "), hasPassed(body, isTest)])).toEqual([["npm test", passed]]);
});

test("an unknown end stays unknown", () => {
  const commands = [seen(["npm", "test"], 10, 1, 1000, 5, null), seen(["ls"], 10, 1, 9000, 1, 0)];
  expect(runsOf(commands.slice(0, 1), commands).map(({ body }) => hasPassed(body, isTest))).toEqual([null]);
});

test.each([
  ["cd x && npm test", false],
  ["npm test && echo good", false],
  ["npm test && git push", null],
  ["npm ci && npm test", null],
])("a failure of %s says %s about the tests", (text, passed) => {
  expect(hasPassed(seen(["bash", "-lc", text], 10, 1, 1000, 5, 1).body, isTest)).toBe(passed);
  expect(hasPassed(seen(["bash", "-lc", text], 10, 1, 1000, 5, 0).body, isTest)).toBe(true);
});
