import { appendFileSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { errorWords, HarnessError } from "../../../pure/base/errors.ts";
import { namedOrSuggest } from "../../../pure/base/named.ts";
import { readSides } from "../../../work/evaluate/compare/read-sides.ts";
import type { Side } from "../../../work/evaluate/compare/scores.ts";
import { csvReport } from "../../../work/evaluate/reports/csv-report.ts";
import { htmlReport } from "../../../work/evaluate/reports/html-report.ts";
import { junitReport } from "../../../work/evaluate/reports/junit-report.ts";
import { markdownReport } from "../../../work/evaluate/reports/markdown-report.ts";
import { flakiest, type Report, reportOf } from "../../../work/evaluate/reports/report.ts";
import { casesTable, pairsTable, sidesTable } from "../../../work/evaluate/reports/tables.ts";
import { textTable } from "../../../work/evaluate/reports/text-table.ts";
import { setExitCode } from "../../terminal/exit-code.ts";
import { inTerminal, write } from "../../terminal/output.ts";
import { printable } from "../../terminal/printable.ts";
import { say } from "../../terminal/report.ts";
import type { CompareFlags } from "./index.ts";

/** `harness compare` */
export async function compareResults(paths: readonly string[], flags: CompareFlags): Promise<void> {
  const targets = flags.report.map(targetOf); // refused before gigabytes are read
  const sides = baselineFirst(readSides(paths), flags.baseline);
  const report = reportOf(sides, flags.seed === undefined ? {} : { seed: flags.seed });
  for (const target of targets) target(report, paths.join(", "));
  if (flags.markdown) await write(markdownReport(report));
  else if (flags.json || !inTerminal()) await write(`${JSON.stringify(report)}\n`);
  else await write(printable(textReport(report)));
  judge(report, flags);
}

function textReport(report: Report): string {
  const flaky = flakiest(report, 10);
  const tables = [
    sidesTable(report),
    ...(report.pairs.length > 0 ? [pairsTable(report)] : []),
    ...(flaky.length > 0 ? [casesTable(report, flaky, "Cases whose trials disagree")] : []),
  ];
  return tables.map((table) => textTable(table, process.stdout.columns)).join("\n");
}

function baselineFirst(sides: readonly Side[], baseline: string | undefined): readonly Side[] {
  if (baseline === undefined) return sides;
  const found = sides.find(({ label }) => label === baseline);
  if (found === undefined)
    throw new HarnessError(
      "usage",
      namedOrSuggest(
        "side",
        baseline,
        sides.map(({ label }) => label),
      ),
    );
  return [found, ...sides.filter((side) => side !== found)];
}

type Target = (report: Report, title: string) => void;

const FORMATS: Readonly<Record<string, (report: Report, title: string) => string>> = {
  ".html": htmlReport,
  ".md": markdownReport,
  ".csv": csvReport,
  ".xml": junitReport,
  ".json": (report) => `${JSON.stringify(report, null, 2)}\n`,
};

function targetOf(name: string): Target {
  if (name === "github") {
    const file = process.env["GITHUB_STEP_SUMMARY"];
    if (file === undefined || file === "")
      throw new HarnessError("usage", "There is no step summary here: GITHUB_STEP_SUMMARY is not set.");
    return (report) => appendFileSync(file, `${markdownReport(report)}\n`);
  }
  const format = FORMATS[extname(name)];
  if (format === undefined)
    throw new HarnessError("usage", `The end of ${name} names no kind of report: ${Object.keys(FORMATS).join(", ")}, or github.`);
  return (report, title) => {
    try {
      writeFileSync(name, format(report, title));
    } catch (error) {
      throw new HarnessError("output", `Cannot write ${name}: ${errorWords(error)}.`, {
        cause: error,
      });
    }
  };
}

/** What CI asked for. A rate that is not known is not above anything. */
function judge({ sides, pairs }: Report, { failUnder, failOnRegression }: CompareFlags): void {
  const [first] = sides;
  const low = failUnder === undefined ? [] : sides.filter(({ passRate }) => (passRate ?? -1) < failUnder);
  const worse = failOnRegression ? pairs.filter(({ a, verdict }) => a === first?.label && verdict === "worse") : [];
  for (const { label, passRate } of low)
    say(
      `${label} passes ${passRate === null ? "nothing that was graded" : `${(passRate * 100).toFixed(1)} %`}, less than ${(failUnder ?? 0) * 100} %`,
    );
  for (const { a, b } of worse) say(`${b} is shown to be worse than ${a}`);
  if (low.length + worse.length > 0) setExitCode(1);
}
