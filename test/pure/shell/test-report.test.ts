import { expect, test } from "vitest";
import { testReport } from "../../../src/pure/shell/test-report.ts";

/** The last lines of each reporter, and the counts: ran, passed, failed, skipped. */
const REPORTS: Readonly<Record<string, readonly [output: string, counts: readonly [number, number, number, number]]>> = {
  "node:test": ["ℹ tests 6\nℹ suites 0\nℹ pass 4\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 70.2", [5, 4, 1, 1]],
  "node:test as TAP": ["1..2\n# tests 2\n# suites 0\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0", [2, 2, 0, 0]],
  "node:test that matched nothing": ["1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0", [0, 0, 0, 0]],
  "node:test, only what grep left": ["ℹ pass 3\nℹ fail 0", [3, 3, 0, 0]],
  pytest: ["==== 1 failed, 4 passed, 2 skipped in 0.12s ====", [5, 4, 1, 2]],
  "pytest -q": ["....\n4 passed in 0.01s", [4, 4, 0, 0]],
  "pytest without a test": ["\nno tests ran in 0.00s", [0, 0, 0, 0]],
  unittest: ["Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)", [4, 2, 2, 1]],
  "unittest without a test": ["Ran 0 tests in 0.000s\n\nNO TESTS RAN", [0, 0, 0, 0]],
  Jest: ["Test Suites: 1 passed, 1 total\nTests:       1 failed, 1 skipped, 5 passed, 7 total", [6, 5, 1, 1]],
  Vitest: [" Test Files  1 passed (1)\n      Tests  5 passed | 1 skipped (6)\n", [5, 5, 0, 1]],
  "Vitest in color": ["\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m5 passed\u001b[39m\u001b[22m (5)", [5, 5, 0, 0]],
  "Vitest without a test": ["No test files found, exiting with code 0", [0, 0, 0, 0]],
  Mocha: ["  5 passing (12ms)\n  1 pending\n  2 failing", [7, 5, 2, 1]],
  cargo: ["test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\ntest result: ok. 2 passed; 0 failed; 0 ignored", [5, 5, 0, 1]],
  Go: ["ok  \texample.com/a\t0.004s\n?   \texample.com/b\t[no test files]", [1, 1, 0, 0]],
  "Go without a test": ["?   \texample.com/b\t[no test files]", [0, 0, 0, 0]],
  "Go that matched nothing": ["ok  \texample.com/a\t0.004s [no tests to run]", [0, 0, 0, 0]],
  RSpec: ["5 examples, 1 failure, 1 pending", [4, 3, 1, 1]],
  minitest: ["5 runs, 9 assertions, 1 failures, 0 errors, 0 skips", [5, 4, 1, 0]],
  PHPUnit: ["OK (5 tests, 7 assertions)", [5, 5, 0, 0]],
  "PHPUnit with a failure": ["Tests: 5, Assertions: 7, Failures: 1.", [5, 4, 1, 0]],
  Surefire: ["Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1", [4, 3, 1, 1]],
  ".NET": ["Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6", [5, 5, 0, 1]],
  CTest: ["80% tests passed, 1 tests failed out of 5", [5, 4, 1, 0]],
  Deno: ["ok | 5 passed | 0 failed (12ms)", [5, 5, 0, 0]],
  Bun: [" 5 pass\n 0 fail\n 9 expect() calls", [5, 5, 0, 0]],
  Swift: ["Executed 5 tests, with 1 failure (0 unexpected) in 0.01 seconds", [5, 4, 1, 0]],
  TAP: ["1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later", [2, 1, 1, 1]],
};

test.each(Object.entries(REPORTS))("%s", (_, [output, [ran, passed, failed, skipped]]) => {
  expect(testReport(output)).toEqual({ ran, passed, failed, skipped });
});

test("J8: an output without totals reports nothing", () => {
  for (const output of ["", "v24.1.0", "ok", "All good!", "5 tests will be run", "1..4"]) {
    const report = testReport(output);
    expect(report === undefined || report.ran === 0, output).toBe(true);
  }
});
