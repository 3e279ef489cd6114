import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

/** The report of the conformance runner: for people, for programs, and as a table in a page. */

const SCRIPTS = join(import.meta.dirname, "../../scripts/conformance");
const folder = mkdtempSync(join(tmpdir(), "harness-report-"));

afterAll(() => rmSync(folder, { recursive: true }));

const run = (name: string, problems: readonly string[]) => ({
  scenario: { name },
  problems,
  milliseconds: 1234.5,
  lines: 50,
  unread: problems.map(() => ({ raw: { type: "odd", n: 1 } })),
  ledger: [{ usage: { input: 5, output: 2 } }, { usage: null }],
});

const good = { id: "a", agent: { label: "agent 1.0", version: "1.0" }, outcomes: [run("one", []), run("two", [])] };
const bad = { id: "b", agent: { label: "other 2.0", version: "2.0" }, outcomes: [run("one", ["wrong", "wrong"])] };

function evaluate(program: string): string {
  const imports = `import { asData, report } from ${JSON.stringify(join(SCRIPTS, "report.mjs"))};
    import { writeReport } from ${JSON.stringify(join(SCRIPTS, "report-page.mjs"))};
    const [good, bad] = ${JSON.stringify([good, bad])};`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", `${imports}\n${program}`], { encoding: "utf8", stdio: "pipe" });
}

describe("the report", () => {
  test("for people: what differed, once, and what was not read", () => {
    expect(evaluate("console.log(report(bad.id, bad.agent, bad.outcomes))")).toBe(
      [
        "b, other 2.0: 0 of 1 runs went as their scenario says",
        "✗  one    1.2 s    2 requests        7 tokens",
        "    wrong, 2 times",
        "   50 lines read, 96.00 % of them explained",
        '    not explained, odd: {"type":"odd","n":1}',
        "",
        "",
      ].join("\n"),
    );
  });

  test("for programs", () => {
    expect(JSON.parse(evaluate("console.log(JSON.stringify(asData(good)))"))).toEqual({
      agent: "a",
      version: "1.0",
      lines: 100,
      explained: 100,
      unexplained: {},
      runs: [
        { scenario: "one", problems: [], milliseconds: 1235, requests: 2 },
        { scenario: "two", problems: [], milliseconds: 1235, requests: 2 },
      ],
    });
  });

  test("as a table: a run replaces its own rows and leaves the others", () => {
    const page = join(folder, "page.md");
    writeFileSync(page, "# Page\n\n<!-- results -->\n<!-- end of results -->\n\nThe rest.\n");
    const write = (what: string, day: string) => evaluate(`writeReport(${JSON.stringify(page)}, [${what}], new Date("${day}"))`);
    write("good, bad", "2026-01-02");
    write("bad", "2026-03-04");
    const text = readFileSync(page, "utf8");
    expect(text.split("\n").filter((line) => line.startsWith("| `"))).toEqual([
      "| `a` | agent 1.0 | 2 | 2 | 100 | 100 % | 2026-01-02 |",
      "| `b` | other 2.0 | 1 | 0 | 50 | 96.00 % | 2026-03-04 |",
    ]);
    expect(text.startsWith("# Page\n\n<!-- results -->\n\n| agent")).toBe(true);
    expect(text.endsWith("\n\n<!-- end of results -->\n\nThe rest.\n")).toBe(true);
  });

  test("a page without a place for it is one sentence", () => {
    const page = join(folder, "none.md");
    writeFileSync(page, "# Page\n");
    expect(() => evaluate(`writeReport(${JSON.stringify(page)}, [])`)).toThrow("has no place for results");
  });
});
