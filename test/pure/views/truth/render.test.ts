import { expect, test } from "vitest";
import type { Color, Terminal } from "../../../../src/pure/views/row.ts";
import { renderTruth } from "../../../../src/pure/views/truth/render.ts";
import type { Truth } from "../../../../src/pure/views/truth/schema.ts";

const bare = (text: string): string => text;
const colors: Readonly<Record<Color, typeof bare>> = {
  bold: bare,
  dim: bare,
  red: bare,
  green: bare,
  yellow: bare,
  blue: bare,
  magenta: bare,
  cyan: bare,
};
const terminal: Terminal = { width: 70, colors };

const consistent: Truth = {
  schemaVersion: "1.1",
  verdict: "consistent",
  findings: [],
  total: 0,
  unobservable: [],
  compared: { calls: 1, changes: 2, commands: 0 },
};

const lines = (record: Truth): readonly string[] => renderTruth(record, terminal).trimEnd().split("\n");

test("a consistent run is two lines", () => {
  expect(lines(consistent)).toEqual(["verdict       ✓ consistent", "compared        1 call, 2 changed files, 0 commands"]);
});

test("a finding shows both sides, whole, and the rest is counted", () => {
  const finding = {
    rule: "tests-claimed-unseen",
    message: "The agent says that tests passed, but it reported no test run, and none was observed.",
    declared: { text: "All tests pass.\u001b[2J", events: [10] },
    observed: { text: "no test run", events: [15] },
  } as const;
  const unobservable = [{ rule: "tokens-differ", reason: "the model's ledger was not recorded" }] as const;
  expect(lines({ ...consistent, verdict: "contradicted", findings: [finding], total: 3, unobservable })).toEqual([
    "verdict       ✗ contradicted  3 findings",
    "finding       ✗ The agent says that tests passed, but it reported no",
    "                test run, and none was observed.",
    expect.stringMatching(/^ {2}reported {6}All tests pass\.[^\u001b]*$/),
    "  observed      no test run",
    "                and 2 more findings",
    "not checked     tokens-differ: the model's ledger was not recorded",
    "compared        1 call, 2 changed files, 0 commands",
  ]);
});

test("what was not observed is unknown, and no mark claims more", () => {
  const compared = { calls: 2, changes: null, commands: null };
  expect(lines({ ...consistent, verdict: "unknown", compared })).toEqual([
    "verdict         unknown",
    "compared        2 calls, unknown changed files, unknown commands",
  ]);
});

test("T1: a claim that could not be checked is named, with the reason", () => {
  const unobservable = [
    { rule: "tests-claimed-unseen", reason: "a reported command may have run tests unseen", claim: "npm test passes." },
  ] as const;
  expect(lines({ ...consistent, verdict: "unknown", unobservable })).toEqual([
    "verdict         unknown",
    "undecided       npm test passes.",
    "  because       tests-claimed-unseen: a reported command may have run",
    "                tests unseen",
    "compared        1 call, 2 changed files, 0 commands",
  ]);
});
