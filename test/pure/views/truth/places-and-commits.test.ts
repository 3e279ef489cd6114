import { expect, test } from "vitest";
import type { FilesChangedBody } from "../../../../src/pure/events/index.ts";
import { noTokens } from "../../../../src/pure/events/tokens.ts";
import type { Account } from "../../../../src/pure/views/truth/account.ts";
import { claimsIn } from "../../../../src/pure/views/truth/claims.ts";
import { compareStated } from "../../../../src/pure/views/truth/stated.ts";
import { compareTests } from "../../../../src/pure/views/truth/tests.ts";

/** The place of a test run, and the contents of a commit. */

interface Given {
  readonly answer: string;
  /** Commands with their directories, one per second; all pass. */
  readonly ran?: readonly (readonly [cwd: string | null, ...argv: string[]])[];
  /** Each command started the next one. */
  readonly isNested?: true;
  readonly changes?: readonly string[];
  readonly files?: readonly string[];
  readonly commits?: FilesChangedBody["commits"];
}

const REPORT = { ran: 3, passed: 3, failed: 0, skipped: 0 };

function account({ answer, ran = [], changes = ["sum.js"], files = ["sum.test.js", "other.test.js"], commits, isNested }: Given): Account {
  const commands = ran.map(([cwd, ...argv], index) => ({
    seq: 60 + index,
    body: {
      type: "command-observed",
      source: "wrapper",
      argv,
      category: argv[0] === "git" ? "vcs" : "test",
      cwd,
      startedAt: 10_000 + (isNested ? 10 : 1_000) * index,
      durationMs: isNested ? 500 - 50 * index : 500,
      exitCode: 0,
      signal: null,
      pid: 10 + index,
      ...(isNested && index > 0 && { ppid: 9 + index }),
    } as const,
  }));
  const body: FilesChangedBody = {
    type: "files-changed",
    method: "other",
    total: changes.length,
    counts: null,
    changes: changes.map((path) => ({ kind: "modified", path, mtime: 1_000 })),
    tests: { weakened: [], added: 0, unread: 0, files: [...files] },
    touched: changes.map((path) => ({ path, at: 1_000 })),
    repository: "directory",
    ...(commits && { commits }),
    leftOut: 0,
    unseen: 0,
  };
  return {
    calls: commands.map(({ body: { argv, startedAt } }, index) => ({
      events: [10 + 2 * index, 11 + 2 * index],
      tool: "Bash",
      from: startedAt - 10,
      to: startedAt + 510,
      operations: [{ operation: { kind: "command", command: argv.join(" ") }, success: true }],
      isOpaque: true,
      isBackground: false,
      report: REPORT,
    })),
    reports: true,
    answer,
    claims: claimsIn(answer),
    answerSeq: 90,
    request: "",
    claimsSuccess: true,
    refusals: [],
    roots: ["/w"],
    root: "/w",
    files: { seq: 70, body },
    commands,
    watched: {
      seq: 80,
      body: {
        type: "commands-observed",
        available: true,
        sources: ["wrapper"],
        wrapped: ["npm", "git"],
        observed: ran.length,
        categories: [],
      },
    },
    tokens: noTokens,
    usageSeq: 0,
  };
}

const ALL = "All tests pass.";
const MIXED = ["sum.test.js", "test_calc.py"];
/** `npm test`, and what it starts. */
const NPM: Given["ran"] = [
  ["/w", "npm", "test"],
  ["/w", "node", "--test"],
];
const reasons = (given: Given) =>
  compareTests(account(given)).unobservable.flatMap(({ claim, reason }) => (claim === undefined ? [] : [reason]));

test.each<[string, Given]>([
  ["in the workspace", { answer: ALL, ran: [["/w", "npm", "test"]] }],
  ["from a folder, with an option that leads back", { answer: ALL, ran: [["/w/docs", "npm", "--prefix", "..", "test"]] }],
  [
    "file by file",
    {
      answer: ALL,
      ran: [
        ["/w", "node", "--test", "sum.test.js"],
        ["/w", "node", "--test", "other.test.js"],
      ],
    },
  ],
  ["named in the answer", { answer: "The tests in sum.test.js pass.", ran: [["/w", "node", "--test", "sum.test.js"]] }],
  ["a folder with all tests", { answer: ALL, ran: [["/w", "pytest", "tests"]], files: ["tests/test_a.py"] }],
  [
    "in the part where everything changed",
    { answer: "The tests pass.", ran: [["/w/a", "npm", "test"]], files: ["a/x.test.js", "b/y.test.js"], changes: ["a/x.js"] },
  ],
  ["of the language that is named", { answer: "All Python tests pass.", ran: [["/w", "python3", "-m", "unittest"]], files: MIXED }],
  ["of the language that changed", { answer: "The tests pass.", ran: [["/w", "node", "--test"]], files: MIXED }],
  ["by the project's command, of the language that changed", { answer: ALL, ran: NPM, isNested: true, files: MIXED }],
  ["by a pattern for all", { answer: ALL, ran: [["/w", "node", "--test", "**/*.test.js"]] }],
  ["named as it ran", { answer: "npm test passes.", ran: NPM }],
  ["all modules", { answer: ALL, ran: [["/w", "python3", "-m", "unittest", "tests.test_a"]], files: ["tests/test_a.py"] }],
])("a test run shows the claim: %s", (_, given) => expect(reasons(given)).toEqual([]));

test.each<[string, Given, string]>([
  ["in an unknown place", { answer: ALL, ran: [[null, "npm", "test"]] }, "the place of the last test run is not known"],
  ["outside", { answer: ALL, ran: [["/tmp/copy", "npm", "test"]] }, "the last test run was outside the workspace"],
  [
    "in a folder",
    { answer: ALL, ran: [["/w/t", "npm", "test"]], files: ["sum.test.js", "t/x.test.js"] },
    "the test runs seen did not include sum.test.js",
  ],
  [
    "by an option",
    { answer: ALL, ran: [["/w", "npm", "--prefix=t", "test"]], files: ["sum.test.js", "t/x.test.js"] },
    "the test runs seen did not include sum.test.js",
  ],
  ["of one file", { answer: ALL, ran: [["/w", "npm", "test", "--", "other.test.js"]] }, "the test runs seen did not include sum.test.js"],
  [
    "of one file, in a text for node",
    { answer: ALL, ran: [["/w", "node", "-e", 'require("./other.test.js")']] },
    "the test runs seen did not include sum.test.js",
  ],
  [
    "of one file, without its ending",
    { answer: ALL, ran: [["/w", "node", "-e", 'require("./other.test")']] },
    "the test runs seen did not include sum.test.js",
  ],
  [
    "of a different language",
    { answer: ALL, ran: [["/w", "python3", "-m", "unittest"]], files: MIXED },
    "the test runs seen did not include sum.test.js",
  ],
  [
    "of a different language than the change",
    { answer: "The tests pass.", ran: [["/w", "pytest"]], files: MIXED },
    "the test runs seen did not include sum.test.js",
  ],
  [
    "by the project's command, which did not run those of the changed code",
    { answer: ALL, ran: NPM, isNested: true, files: MIXED, changes: ["calc.py"] },
    "the test runs seen did not include test_calc.py",
  ],
  [
    "by the project's command, inside which nothing was seen",
    { answer: ALL, ran: [["/w", "make", "test"]], files: MIXED, changes: ["calc.py"] },
    "the test runs seen did not include test_calc.py",
  ],
  [
    "of one module",
    { answer: ALL, ran: [["/w", "python3", "-m", "unittest", "test_a"]], files: ["test_a.py", "test_b.py"] },
    "the test runs seen did not include test_b.py",
  ],
  [
    "of one test of a module",
    { answer: ALL, ran: [["/w", "python3", "-m", "unittest", "test_a.T.test_x"]], files: ["test_a.py"] },
    "the test runs seen did not include test_a.py",
  ],
  [
    "of one test of a file",
    { answer: ALL, ran: [["/w", "pytest", "test_a.py::x"]], files: ["test_a.py"] },
    "the test runs seen did not include test_a.py",
  ],
  ["filtered by a name", { answer: ALL, ran: [["/w", "vitest", "run", "other"]] }, "the test runs seen did not include sum.test.js"],
  ["by a pattern", { answer: ALL, ran: [["/w", "node", "--test", "**/oth*.js"]] }, "the test runs seen did not include sum.test.js"],
  ["by an odd pattern", { answer: ALL, ran: [["/w", "vitest", "run", "o[t]h"]] }, "the test runs seen did not include sum.test.js"],
  ["T1: of a different command", { answer: "npm test passes.", ran: [["/w", "node", "--test"]] }, "npm test itself was not seen to pass"],
  [
    "by an option",
    { answer: "The tests pass.", ran: [["/w", "node", "--test", "--test-name-pattern=x"]] },
    "only some of the tests were selected",
  ],
  ["by a script for some", { answer: ALL, ran: [["/w", "npm", "run", "test:unit"]] }, "only some of the tests were selected"],
])("a test run does not show the claim: %s", (_, given, reason) => expect(reasons(given)).toEqual([reason]));

const SHA = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d";
const commit = (given: Omit<Given, "ran">) => {
  const { findings, unobservable } = compareStated(account({ ...given, ran: [["/w", "git", "commit", "-qam", "Fix"]] }));
  return [...findings.map(({ message }) => message), ...unobservable.map(({ reason }) => reason)];
};

test.each<[string, Omit<Given, "ran">, readonly string[]]>([
  ["holds the change", { answer: "Committed.", commits: { made: [SHA], isEmpty: false, uncommitted: [] } }, []],
  [
    "and what a build wrote is not in it",
    { answer: "Committed.", commits: { made: [SHA], isEmpty: false, uncommitted: ["dist/sum.js"] } },
    [],
  ],
  ["has the claimed number", { answer: "Committed as 1a2b3c4.", commits: { made: [SHA], isEmpty: false, uncommitted: [] } }, []],
  [
    "has a different number",
    { answer: "I created commit 9f8e7d6c.", commits: { made: [SHA], isEmpty: false, uncommitted: [] } },
    ["9f8e7d6c is not the last commit"],
  ],
  [
    "holds something else",
    { answer: "Committed.", commits: { made: [SHA], isEmpty: false, uncommitted: ["sum.js"] } },
    ["sum.js changed, and is not in the commit"],
  ],
  [
    "is empty",
    { answer: "The fix is committed.", commits: { made: [SHA], isEmpty: true, uncommitted: ["sum.js"] } },
    ["The agent says that it made a commit, but the commit is empty."],
  ],
  [
    "is empty, as the answer says",
    { answer: "I made an empty commit.", changes: [], commits: { made: [SHA], isEmpty: true, uncommitted: [] } },
    [],
  ],
  [
    "cannot be read",
    { answer: "Committed.", commits: { made: [SHA], isEmpty: null, uncommitted: null } },
    ["what the commit holds could not be read"],
  ],
  [
    "was taken back",
    { answer: "Committed.", changes: ["sum.js", ".git/logs/HEAD"], commits: { made: [], isEmpty: null, uncommitted: null } },
    ["The agent says that it made a commit, but no branch has a new one."],
  ],
  [
    "was taken back, as the answer says",
    {
      answer: "Committed; git reset it again.",
      changes: ["sum.js", ".git/logs/HEAD"],
      commits: { made: [], isEmpty: null, uncommitted: null },
    },
    ["no branch has a new commit", "no rule can check it"],
  ],
])("a commit %s", (_, given, expected) => expect(commit(given)).toEqual(expected));
