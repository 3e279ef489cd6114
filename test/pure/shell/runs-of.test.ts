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

/** As strace tells `sh -c "npm test"`, where npm is a script that begins with `#!/usr/bin/env node`. */
test.each([
  [0, true],
  [1, false],
])("a program in whose place another one comes ends as that does: exit %i", (exitCode, passed) => {
  const commands = [
    seen(["npm", "test"], 10, 1, 1000, 5, null),
    seen(["node", "/usr/bin/npm", "test"], 10, 1, 1005, 200, exitCode),
    seen(["sh", "-c", "node check.js"], 11, 10, 1100, 9, exitCode),
    seen(["ls"], 10, 1, 9000, 1, 3), // the number is used again
  ];
  const runs = runsOf(
    commands.filter(({ body }) => body.category === "test"),
    commands,
  );
  expect(runs.map(({ body }) => [body.argv.join(" "), hasPassed(body, isTest)])).toEqual([["npm test", passed]]);
});

test("what is not known stays unknown", () => {
  const commands = [seen(["npm", "test"], 10, 1, 1000, 5, null), seen(["ls"], 10, 1, 9000, 1, 0)];
  expect(runsOf(commands.slice(0, 1), commands).map(({ body }) => hasPassed(body, isTest))).toEqual([null]);
});

test.each([
  ["cd x && npm test", false],
  ["npm test && echo good", false],
  ["npm test && git push", null],
  ["npm ci && npm test", null],
])("that %s failed says %s about the tests", (text, passed) => {
  expect(hasPassed(seen(["bash", "-lc", text], 10, 1, 1000, 5, 1).body, isTest)).toBe(passed);
  expect(hasPassed(seen(["bash", "-lc", text], 10, 1, 1000, 5, 0).body, isTest)).toBe(true);
});
