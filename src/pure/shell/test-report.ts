/** What a test reporter printed: how many tests ran, and how they ended. */
export interface TestReport {
  readonly ran: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reporters print their totals at the end. */
const LONGEST = 50_000;

/**
 * Reads the totals in a test program's output. Undefined: it contains none, so how many tests ran is not known. Several totals of one
 * reporter are added: a workspace may run one after another.
 */
export function testReport(output: string): TestReport | undefined {
  const text = output.slice(-LONGEST).replace(ANSI, "").replace(/\r/g, "");
  for (const read of REPORTERS) {
    const report = read(text);
    if (report !== undefined) return report;
  }
  return undefined;
}

const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g;

type Read = (text: string) => TestReport | undefined;

/** Sums one number per matched line, by its name. */
function counting(line: RegExp, names: Readonly<Record<string, keyof TestReport>>): Read {
  return (text) => {
    const sums: { -readonly [Key in keyof TestReport]?: number } = {};
    for (const [, first = "", second = ""] of text.matchAll(line)) {
      const [name, count] = /^\d+$/.test(first) ? [second, first] : [first, second];
      const key = names[name.toLowerCase()];
      if (key !== undefined) sums[key] = (sums[key] ?? 0) + Number(count);
    }
    return Object.keys(sums).length === 0 ? undefined : completed(sums);
  };
}

/** Reads summary lines, each with counts in a list: `1 failed, 5 passed`. */
function listing(line: RegExp, names: Readonly<Record<string, keyof TestReport>>, pair = /(\d+) ([a-z]+)/gi): Read {
  const each = counting(pair, names);
  return (text) => {
    const found = [...text.matchAll(line)].map(([whole]) => each(whole) ?? { ran: 0, passed: 0, failed: 0, skipped: 0 });
    return found.length === 0 ? undefined : found.reduce(sum);
  };
}

function sum(a: TestReport, b: TestReport): TestReport {
  return { ran: a.ran + b.ran, passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** A skipped test did not run, though reporters count it in their total. */
function completed({ ran, passed, failed = 0, skipped = 0 }: Partial<TestReport>): TestReport {
  const real = passed !== undefined ? passed + failed : Math.max(0, (ran ?? 0) - skipped);
  return { ran: real, passed: passed ?? Math.max(0, real - failed), failed, skipped };
}

const PASSED = { pass: "passed", passed: "passed", passing: "passed" } as const;
const FAILED = { fail: "failed", failed: "failed", failing: "failed", failure: "failed", failures: "failed" } as const;
const ERRORS = { error: "failed", errors: "failed" } as const;
const SKIPPED = { skip: "skipped", skipped: "skipped", pending: "skipped", todo: "skipped", ignored: "skipped" } as const;
const ENDS = { ...PASSED, ...FAILED, ...ERRORS, ...SKIPPED, xfailed: "passed", xpassed: "passed", cancelled: "failed" } as const;

const REPORTERS: readonly Read[] = [
  // node:test, as spec and as TAP
  counting(/^(?:#|ℹ) (tests|pass|fail|cancelled|skipped|todo) (\d+)$/gm, { ...ENDS, tests: "ran" }),
  // cargo
  listing(/^test result: .*$/gm, ENDS),
  // Jest, Vitest
  listing(/^\s*Tests:? +(?:no tests|.*\d+ (?:passed|failed|skipped|todo|total).*)$/gm, ENDS),
  listing(/^No test files? found.*$/gm, ENDS),
  // Surefire, PHPUnit, unittest
  listing(/^(?:\[\w+\] )?Tests run: \d+.*$(?![\s\S]*^(?:\[\w+\] )?Tests run: \d+, [^\n]*$)/gm, { ...ENDS, run: "ran" }, /(\w+): (\d+)/g),
  listing(/^OK \(\d+ tests?, .*\)$/gm, { test: "ran", tests: "ran" }),
  listing(/^Tests: \d+, Assertions: .*$/gm, { ...ENDS, tests: "ran", incomplete: "skipped" }, /(\w+): (\d+)/g),
  ofUnittest,
  // pytest
  listing(/^=* ?(?:no tests ran|(?:\d+ [a-z]+(?:, )?)+) in [\d.:]+s.*$/gm, ENDS),
  // RSpec, minitest, Bats
  listing(/^\d+ examples?, .*$/gm, { ...ENDS, example: "ran", examples: "ran" }),
  listing(/^\d+ (?:runs|tests), (?:\d+ assertions, )?\d+ failures.*$/gm, { ...ENDS, runs: "ran", tests: "ran", skips: "skipped" }),
  // .NET, CTest, Deno, Swift
  listing(/^.*Failed: +\d+, Passed: +\d+, Skipped: +\d+.*$/gm, ENDS, /(\w+): +(\d+)/g),
  ofCTest,
  listing(/^ok \| \d+ passed.*$|^FAILED \| \d+ passed.*$/gm, ENDS),
  listing(/^\s*Executed \d+ tests?, with \d+ failures?.*$/gm, { ...ENDS, test: "ran", tests: "ran" }),
  // Mocha, Bun, AVA
  counting(/^\s*(\d+) (passing|failing|pending)\b.*$/gm, ENDS),
  counting(/^\s*(\d+) (pass|fail|skip)$/gm, ENDS),
  counting(/^\s*(\d+) tests? (passed|failed|skipped)$/gm, ENDS),
  ofGo,
  ofTap,
];

function ofUnittest(text: string): TestReport | undefined {
  const found = [...text.matchAll(/^Ran (\d+) tests? in .*\n+(OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/gm)].map(([, ran, , rest = ""]) => {
    const count = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(rest)?.[1] ?? 0);
    return completed({ ran: Number(ran), failed: count("failures") + count("errors"), skipped: count("skipped") });
  });
  return found.length === 0 ? undefined : found.reduce(sum);
}

function ofCTest(text: string): TestReport | undefined {
  const [, failed, ran] = /^\d+% tests passed, (\d+) tests failed out of (\d+)$/m.exec(text) ?? [];
  if (ran === undefined) return /^No tests were found!!!$/m.test(text) ? completed({ ran: 0 }) : undefined;
  return completed({ ran: Number(ran), failed: Number(failed) });
}

/** Without `-v`, Go reports packages; each of them ran at least one test. */
function ofGo(text: string): TestReport | undefined {
  const count = (line: RegExp) => [...text.matchAll(line)].length;
  const packages = { passed: count(/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?!.*no tests to run)/gm), failed: count(/^FAIL\s+\S+\s/gm) };
  const none = count(/^\?\s+\S+\s+\[no test files\]$|^ok\s.*\[no tests to run\]$/gm);
  const tests = { passed: count(/^\s*--- PASS: /gm), failed: count(/^\s*--- FAIL: /gm), skipped: count(/^\s*--- SKIP: /gm) };
  if (packages.passed + packages.failed + none === 0) return undefined;
  return completed(tests.passed + tests.failed + tests.skipped > 0 ? tests : packages);
}

/** A plan, and a line for each test at the top level. A plan alone shows nothing. */
function ofTap(text: string): TestReport | undefined {
  if (!/^1\.\.\d+/m.test(text)) return undefined;
  const lines = [...text.matchAll(/^(not )?ok \d+(.*)$/gm)];
  const skipped = lines.filter(([, , rest = ""]) => /# (?:SKIP|TODO)/i.test(rest)).length;
  const failed = lines.filter(([, not, rest = ""]) => not !== undefined && !/# (?:SKIP|TODO)/i.test(rest)).length;
  return completed({ ran: lines.length, failed, skipped });
}
