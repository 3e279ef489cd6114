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
  readonly changes?: readonly string[];
  readonly files?: readonly string[];
  readonly commits?: FilesChangedBody["commits"];
}

const REPORT = { ran: 3, passed: 3, failed: 0, skipped: 0 };

function account({ answer, ran = [], changes = ["sum.js"], files = ["sum.test.js", "other.test.js"], commits }: Given): Account {
  const commands = ran.map(([cwd, ...argv], index) => ({
    seq: 60 + index,
    body: {
      type: "command-observed",
      source: "wrapper",
      argv,
      category: argv[0] === "git" ? "vcs" : "test",
      cwd,
      startedAt: 10_000 + 1_000 * index,
      durationMs: 500,
      exitCode: 0,
      signal: null,
      pid: 10 + index,
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
