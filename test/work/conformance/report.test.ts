import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { renderSummary } from "../../../src/app/cli/conformance/render-summary.ts";
import { plainOf } from "../../../src/app/terminal/index.ts";
import { writeReport } from "../../../src/work/conformance/report-page.ts";
import { isGood } from "../../../src/work/conformance/summary.ts";
import { outcome, summary } from "./summary.ts";

/** The report of the conformance runner: for people, for programs, and as a table on a page. */

const folder = mkdtempSync(join(tmpdir(), "harness-report-"));

afterAll(() => rmSync(folder, { recursive: true }));

const good = summary();
const bad = summary({ agent: "b", version: "2.0", label: "other 2.0", outcomes: [outcome("one", ["wrong", "wrong"])] });

describe("the report", () => {
  test("for people: each difference once, and the unread lines", () => {
    expect(plainOf(renderSummary(bad))).toBe(
      [
        "b, other 2.0: 0 of 1 runs match their scenario",
        "✗  one     1.2 s    2 requests        7 tokens",
        "      wrong, 2 times",
        "   lines       50 read, 96 % explained",
        "   operations  2 right, 2 wrong, 0 missing",
        "   usage       input equal in 1, cacheRead equal in 1, cacheWrite differs in 1, output equal in 1, reasoning not reported separately",
        "   status      0 right, 1 wrong",
        "   drift       unknown: it has no fixtures",
        '   not explained, odd, 2: {"type":"odd","n":0}',
        "",
        "",
      ].join("\n"),
    );
  });

  test("an agent's output cannot control the terminal", () => {
    const nasty = summary({ outcomes: [outcome("one", ["\x1b]0;owned\x07"], { unread: [{ type: "\x1b[2J" }] })] });
    expect(plainOf(renderSummary(nasty))).not.toMatch(/[\x1b\x07]/);
  });

  test("for programs: the counts of all runs, and each run", () => {
    expect(JSON.parse(JSON.stringify(good))).toMatchObject({
      agent: "a",
      version: "1.0",
      good: 2,
      runs: 2,
      lines: 100,
      explained: 100,
      unexplained: [],
      operations: { right: 4, wrong: 0, missing: 0 },
      usage: { input: { equal: 2, differs: 0, within: 0 }, cacheWrite: { differs: 2 }, reasoning: { within: 2 } },
      status: { right: 2, wrong: 0 },
      drift: null,
      scenarios: [
        { scenario: "one", problems: [], milliseconds: 1235, requests: 2, tokens: 7, operations: { right: 2 } },
        { scenario: "two", problems: [] },
      ],
    });
    expect(bad.unexplained).toEqual([{ kind: "odd", lines: 2, sample: '{"type":"odd","n":0}' }]);
  });

  test("a difference is a regression, and so is a failing reader; drift is not", () => {
    const recorded = { kinds: new Map([["gone", { fields: new Set<string>(), always: new Set<string>(), scenarios: new Set(["one"]) }]]) };
    expect(isGood(summary({ recorded }))).toBe(true);
    expect(isGood(bad)).toBe(false);
    expect(isGood(summary({ consumers: [{ what: "jq", problem: "no" }] }))).toBe(false);
  });

  test("a run that could not be judged has no right status", () => {
    expect(summary({ outcomes: [outcome("one", ["it broke"], { judgement: null, lines: 0 })] })).toMatchObject({
      status: { right: 0, wrong: 1 },
      explained: null,
      scenarios: [{ operations: null, status: null }],
    });
  });
});

describe("the page", () => {
  const exceptions = [{ agent: "a", what: ["status"], why: "It never | reports.", scenarios: ["one", "two"] }];

  test("a run replaces its own rows and leaves the others", () => {
    const page = join(folder, "page.md");
    const parts = "<!-- results -->\n<!-- end of results -->\n\nBetween.\n\n<!-- exceptions -->\n<!-- end of exceptions -->";
    writeFileSync(page, `# Page\n\n${parts}\n\nThe rest.\n`);
    writeReport(page, [good, bad], exceptions, new Date("2026-01-02"));
    writeReport(page, [bad], exceptions, new Date("2026-03-04"));
    const text = readFileSync(page, "utf8");
    const cells = text
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| |\|$/g, "").trim()));
    expect(cells).toEqual([
      [
        "`a`",
        "agent 1.0",
        "2",
        "2",
        "100",
        "100 %",
        "4 right, 0 wrong, 0 missing",
        "2 right, 0 wrong",
        ...usage,
        "nothing recorded",
        "2026-01-02",
      ],
      [
        "`b`",
        "other 2.0",
        "1",
        "0",
        "50",
        "96 %",
        "2 right, 2 wrong, 0 missing",
        "0 right, 1 wrong",
        ...usage,
        "nothing recorded",
        "2026-03-04",
      ],
      ["`a`", "status", "It never \\| reports.", "`one`, `two`"],
    ]);
    expect(text.startsWith("# Page\n\n<!-- results -->\n\n| agent")).toBe(true);
    expect(text).toContain("\n\n<!-- end of results -->\n\nBetween.\n\n<!-- exceptions -->\n\n| agent");
    expect(text.endsWith("\n\n<!-- end of exceptions -->\n\nThe rest.\n")).toBe(true);
  });

  const usage = ["cacheWrite differ; input, cacheRead, output equal; reasoning not reported separately"];

  test("a missing page is created", () => {
    const page = join(folder, "new.md");
    writeReport(page, [good], exceptions, new Date("2026-01-02"));
    expect(readFileSync(page, "utf8")).toMatch(/^# Conformance\n[\s\S]*\| `a` [\s\S]*## Exceptions[\s\S]*It never/);
  });

  test("a page without the section gives one sentence", () => {
    const page = join(folder, "none.md");
    writeFileSync(page, "# Page\n");
    expect(() => writeReport(page, [], [])).toThrow("has no section for results");
  });
});
