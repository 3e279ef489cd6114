import { expect, test } from "vitest";
import type { CommandObservedBody } from "../../../../src/pure/events/index.ts";
import { noTokens } from "../../../../src/pure/events/tokens.ts";
import { categoryOf } from "../../../../src/pure/shell/category.ts";
import type { Account } from "../../../../src/pure/views/truth/account.ts";
import { claimsIn } from "../../../../src/pure/views/truth/claims.ts";
import { compareTests } from "../../../../src/pure/views/truth/tests.ts";

interface Given {
  /** Reported runs: the command, its time in seconds, and whether it passed. */
  readonly reported: readonly (readonly [command: string, at: number, success: boolean])[];
  /** Observed runs: the command, its time in seconds, and its exit code. */
  readonly seen: readonly (readonly [command: string, at: number, exitCode: number])[];
  /** The number of observed commands that are not listed. */
  readonly unlisted?: number;
}

/** A traced agent that says that the tests pass. */
function account({ reported, seen, unlisted = 0 }: Given): Account {
  const commands = seen.map(([line, at, exitCode], index): { readonly seq: number; readonly body: CommandObservedBody } => {
    const argv = line.split(" ");
    const when = { cwd: null, startedAt: at * 1000, durationMs: 100, exitCode, signal: null, pid: 10 + index, ppid: 1 };
    return { seq: 30 + index, body: { type: "command-observed", source: "trace", argv, category: categoryOf(argv), ...when } };
  });
  const observed = commands.length + unlisted;
  return {
    calls: reported.map(([command, at, success], index) => ({
      events: [index],
      tool: "Bash",
      from: at * 1000,
      to: at * 1000 + 500,
      operations: [{ operation: { kind: "command", command }, success }],
      isOpaque: true,
      isBackground: false,
    })),
    reports: true,
    answer: "All tests pass.",
    claims: claimsIn("All tests pass."),
    answerSeq: 90,
    request: "",
    claimsSuccess: true,
    refusals: [],
    roots: [],
    commands,
    watched: { seq: 80, body: { type: "commands-observed", available: true, sources: ["trace"], wrapped: [], observed, categories: [] } },
    tokens: noTokens,
    usageSeq: 0,
  };
}

const rules = (given: Given) => compareTests(account(given)).findings.map(({ rule }) => rule);

test("tests that passed before a different command failed have passed", () => {
  expect(rules({ reported: [["npm test && git push", 10, false]], seen: [] })).toEqual([]);
  expect(rules({ reported: [["cd x && npm test", 10, false]], seen: [] })).toEqual(["tests-claimed-failed"]);
});

test("an observed command that is not listed may be the reported one", () => {
  const late: Given = { reported: [["npm test", 100, true]], seen: [["npm test", 10, 1]] };
  expect(rules(late)).toEqual(["test-run-unseen", "tests-claimed-failed"]);
  expect(rules({ ...late, unlisted: 1 })).toEqual([]);
  const early: Given = { ...late, reported: [["npm test", 10, true]], unlisted: 1 };
  expect(rules({ ...early, seen: [...early.seen, ["ls", 50, 0]] })).toEqual(["test-run-failed"]);
});
