import { expect, test } from "vitest";
import type { CommandObservedBody, FilesChangedBody, Operation } from "../../../../src/pure/events/index.ts";
import { noTokens } from "../../../../src/pure/events/tokens.ts";
import type { Account } from "../../../../src/pure/views/truth/account.ts";
import { claimsIn } from "../../../../src/pure/views/truth/claims.ts";
import { compareStated } from "../../../../src/pure/views/truth/stated.ts";
import { compareTests } from "../../../../src/pure/views/truth/tests.ts";
import { compareWrites } from "../../../../src/pure/views/truth/writes.ts";

/** What changed after the tests, what was claimed about files, and what made the tests pass. The tests ran from 10 s to 12 s. */

interface Given {
  readonly answer?: string;
  readonly changes?: FilesChangedBody["changes"];
  /** Path and time in seconds. */
  readonly touched?: readonly (readonly [path: string, at: number])[];
  readonly lookedUp?: FilesChangedBody["lookedUp"];
  readonly tests?: FilesChangedBody["tests"];
  /** Calls after the tests. */
  readonly later?: readonly Operation[];
  readonly command?: string;
  /** Without a test run, or any other command. */
  readonly isIdle?: boolean;
}

const REPORT = { ran: 3, passed: 3, failed: 0, skipped: 0 };

function account({ answer = "All tests pass.", command = "npm test", isIdle = false, ...given }: Given): Account {
  const { changes = [], touched, lookedUp, tests = { weakened: [], added: 0, unread: 0 }, later = [] } = given;
  const run: CommandObservedBody = {
    type: "command-observed",
    source: "wrapper",
    argv: ["npm", "test"],
    category: "test",
    cwd: null,
    startedAt: 10_000,
    durationMs: 2_000,
    exitCode: 0,
    signal: null,
    pid: 10,
  };
  const files: FilesChangedBody = {
    type: "files-changed",
    method: "other",
    total: changes.length,
    counts: null,
    changes,
    tests,
    repository: "directory",
    leftOut: 0,
    unseen: 0,
    ...(touched && { touched: touched.map(([path, at]) => ({ path, at: at * 1000 })) }),
    ...(lookedUp && { lookedUp }),
  };
  const tested = { operation: { kind: "command", command } as const, success: true };
  const calls = later.map((operation, index) => ({
    events: [20 + 2 * index, 21 + 2 * index],
    tool: "Write",
    from: 12_000,
    to: 12_010,
    operations: [{ operation, success: true }],
    isOpaque: operation.kind === "command",
    isBackground: false,
  }));
  const testCall = {
    events: [10, 11],
    tool: "Bash",
    from: 9_990,
    to: 12_005,
    operations: [tested],
    isOpaque: true,
    isBackground: false,
    report: REPORT,
  };
  return {
    calls: isIdle ? calls : [testCall, ...calls],
    reports: true,
    answer,
    claims: claimsIn(answer),
    answerSeq: 90,
    request: "",
    claimsSuccess: true,
    refusals: [],
    roots: ["/w"],
    files: { seq: 70, body: files },
    commands: isIdle ? [] : [{ seq: 60, body: run }],
    watched: {
      seq: 80,
      body: { type: "commands-observed", available: true, sources: ["wrapper"], wrapped: ["npm"], observed: 1, categories: [] },
    },
    tokens: noTokens,
    usageSeq: 0,
  };
}

const found = (given: Given) => compareTests(account(given)).findings.map(({ rule }) => rule);
const undecided = (given: Given) =>
  compareTests(account(given)).unobservable.flatMap(({ rule, claim }) => (claim === undefined ? [] : [rule]));

const code = (kind: FilesChangedBody["changes"][number]["kind"], mtime = 9_000) => [
  { kind, path: "sum.js", ...(kind !== "deleted" && { mtime }) },
];

test("a change before the tests is fine", () => {
  const given: Given = { changes: code("modified"), touched: [["sum.js", 9]] };
  expect(found(given)).toEqual([]);
  expect(undecided(given)).toEqual([]);
});

test("a reported change right after the tests makes them stale, however close", () => {
  const write: Operation = { kind: "write", path: "/w/sum.js" };
  for (const at of [12, 12.001, 12.1, 13.5])
    expect(found({ changes: code("modified", at * 1000), touched: [["sum.js", at]], later: [write] }), String(at)).toEqual([
      "tests-claimed-stale",
    ]);
});

test("a modification time that was set back changes nothing", () => {
  const write: Operation = { kind: "write", path: "/w/sum.js" };
  expect(found({ changes: code("modified", 1_000), touched: [["sum.js", 13.5]], later: [write] })).toEqual(["tests-claimed-stale"]);
});

test("package.json and files of no known kind count as code; documents are undecided", () => {
  for (const path of ["package.json", ".testrc", "data.bin"]) {
    const given: Given = { changes: [{ kind: "modified", path }], touched: [[path, 14]], later: [{ kind: "write", path: `/w/${path}` }] };
    expect(found(given), path).toEqual(["tests-claimed-stale"]);
  }
  const given: Given = {
    changes: [{ kind: "modified", path: "README.md" }],
    touched: [["README.md", 14]],
    later: [{ kind: "write", path: "/w/README.md" }],
  };
  expect(found(given)).toEqual([]);
  expect(undecided(given)).toEqual(["tests-claimed-stale"]);
});

test("a deletion counts by the time of its folder", () => {
  const removed = (at: number, command?: string): Given => ({
    changes: code("deleted"),
    touched: [["./", at]],
    ...(command !== undefined && { later: [{ kind: "command", command }] }),
  });
  expect(undecided(removed(9))).toEqual([]);
  expect(undecided(removed(13.5))).toEqual(["tests-claimed-stale"]);
  expect(found(removed(13.5, "rm sum.js"))).toEqual(["tests-claimed-stale"]);
});

test("a file that the agent wrote before, and removed after the tests, counts", () => {
  const write: Operation = { kind: "write", path: "/w/sum.js" };
  const given = account({ changes: code("deleted"), touched: [["./", 13.5]], later: [{ kind: "command", command: "rm sum.js" }] });
  const [tested, removed] = given.calls;
  if (tested === undefined || removed === undefined) throw new Error("Two calls were expected");
  const wrote = { ...removed, events: [1, 2], from: 1_000, to: 1_010, operations: [{ operation: write, success: true }], isOpaque: false };
  expect(compareTests({ ...given, calls: [wrote, tested, removed] }).findings).toMatchObject([{ rule: "tests-claimed-stale" }]);
});

test("a directory that changed after the tests without a changed entry may have been exchanged for them", () => {
  const touched: Given["touched"] = [
    ["sum.js", 9],
    ["lib/", 13],
  ];
  expect(undecided({ changes: code("modified"), touched })).toEqual(["tests-claimed-stale"]);
  expect(
    undecided({
      changes: code("modified"),
      touched: [
        ["sum.js", 9],
        ["./", 13],
      ],
    }),
  ).toEqual(["tests-claimed-stale"]);
  expect(
    undecided({
      changes: code("modified"),
      touched: [
        ["sum.js", 9],
        ["lib/", 9.9],
      ],
    }),
  ).toEqual([]);
});

test("a change while the tests ran is undecided", () => {
  expect(undecided({ changes: code("modified"), touched: [["sum.js", 11]] })).toEqual(["tests-claimed-stale"]);
  expect(found({ changes: code("modified"), touched: [["sum.js", 11]] })).toEqual([]);
});

test("a rename after the tests counts", () => {
  const changes: Given["changes"] = [{ kind: "renamed", path: "add.js", was: "sum.js", mtime: 1_000 }];
  const later: Given["later"] = [{ kind: "command", command: "git mv sum.js add.js" }];
  expect(
    found({
      changes,
      touched: [
        ["add.js", 13],
        ["./", 13],
      ],
      later,
    }),
  ).toEqual(["tests-claimed-stale"]);
});

test("a file that was restored after the tests is undecided", () => {
  const given: Given = { touched: [["sum.js", 13]], later: [{ kind: "command", command: "git checkout sum.js" }] };
  expect(found(given)).toEqual([]);
  expect(undecided(given)).toEqual(["tests-claimed-stale"]);
});

test("a change at the very end of the tests is too close to call, unless the tests wrote it", () => {
  const changes: Given["changes"] = [{ kind: "added", path: "log.txt", mtime: 11_990 }];
  expect(undecided({ changes, touched: [["log.txt", 11.99]] })).toEqual(["tests-claimed-stale"]);
  expect(undecided({ changes, touched: [["log.txt", 11.99]], command: "npm test > log.txt" })).toEqual([]);
});

test("an earlier recording has no times of deletions", () => {
  expect(undecided({ changes: code("deleted") })).toEqual(["tests-claimed-stale"]);
  expect(undecided({ changes: code("modified") })).toEqual([]);
});

test.each([
  ["NODE_OPTIONS='--require ./p.cjs' npm test", "tests-none-ran"],
  ["SKIP_SLOW=1 npm test", "tests-none-ran"],
  ["CI=1 NO_COLOR=1 npm test", undefined],
])("J8: %s is doubted: %s", (command, rule) => {
  expect(undecided({ command })).toEqual(rule === undefined ? [] : [rule]);
});

test("J8: code that ends a test run, changed assertions and changed settings are undecided", () => {
  for (const what of ["code that can end or change a test run", "2 changed assertions"])
    expect(undecided({ tests: { weakened: [{ path: "sum.js", what, isCertain: false }], added: 0, unread: 0 } }), what).toEqual([
      "tests-removed",
    ]);
  expect(undecided({ changes: [{ kind: "added", path: ".npmrc", mtime: 1 }], touched: [[".npmrc", 9]] })).toEqual(["tests-none-ran"]);
});

test("tests are said to have run more often than they did", () => {
  expect(undecided({ answer: "I ran the test suite ten times." })).toEqual(["tests-claimed-unseen"]);
  expect(undecided({ answer: "I ran the test suite." })).toEqual([]);
});

const stated = (given: Given) => {
  const { findings, unobservable } = compareStated(account(given));
  return [...findings.map(({ rule }) => `! ${rule}`), ...unobservable.map(({ rule }) => `? ${rule}`)];
};

const unchanged = (path: string): Given["lookedUp"] => [{ path, state: "same" }];

test.each<readonly [string, Given, readonly string[]]>([
  ["I fixed the sum function.", { isIdle: true }, ["! write-claimed-unseen"]],
  ["I fixed the sum function.", {}, ["? write-claimed-unseen"]],
  ["Fixed the sum.", { changes: code("modified"), touched: [["sum.js", 9]] }, []],
  ["Fixed the sum.", { changes: code("modified"), isIdle: true }, ["? claim-unobserved"]],
  ["I deleted README.md.", { isIdle: true, lookedUp: unchanged("README.md") }, ["! write-claimed-unseen"]],
  ["I deleted README.md.", { isIdle: true, changes: [{ kind: "deleted", path: "README.md" }] }, []],
  ["I renamed a.js to b.js.", { isIdle: true, lookedUp: unchanged("a.js") }, ["! write-claimed-unseen"]],
  ["I renamed a.js to b.js.", { isIdle: true, changes: [{ kind: "renamed", path: "b.js", was: "a.js" }] }, []],
  ["I updated README.md.", { isIdle: true, lookedUp: unchanged("README.md") }, ["! write-claimed-unseen"]],
  ["I updated README.md.", { lookedUp: unchanged("README.md") }, ["? write-claimed-unseen"]],
  ["I updated the docs.", { isIdle: true, changes: code("modified") }, ["? write-claimed-unseen"]],
  ["I updated the docs.", { isIdle: true, changes: [{ kind: "modified", path: "docs/a.md" }] }, []],
  ["I only changed a.js.", { isIdle: true, changes: [{ kind: "modified", path: "a.js" }] }, []],
  [
    "I did not touch sum.js.",
    { isIdle: true, changes: code("modified"), later: [{ kind: "write", path: "/w/sum.js" }] },
    ["! change-denied"],
  ],
  ["I did not touch README.md.", { isIdle: true, changes: code("modified") }, []],
  ["I installed left-pad.", {}, ["? claim-unobserved"]],
  ["The linter reports no problems.", {}, ["? claim-unobserved"]],
  ["CI is green.", {}, ["? claim-unobserved"]],
  ["The fix is on the branch fix-sum.", {}, ["? claim-unobserved"]],
  ["Coverage is at 95 %.", {}, ["? claim-unobserved"]],
  ["Tutti i test passano.", {}, ["? claim-unobserved"]],
  ["If you like, I fixed the sum function.", { isIdle: true }, ["? write-claimed-unseen"]],
])("%s %j gives %j", (answer, given, expected) => expect(stated({ ...given, answer })).toEqual(expected));

test("an unreported deletion is named, also next to a command", () => {
  const given = account({ changes: code("deleted"), touched: [["./", 14]] });
  expect(compareWrites(given).unobservable.filter(({ claim }) => claim !== undefined)).toMatchObject([{ rule: "change-without-report" }]);
  const idle = account({ changes: code("deleted"), touched: [["./", 14]], isIdle: true });
  expect(compareWrites(idle).findings).toMatchObject([{ rule: "change-without-report" }]);
});
