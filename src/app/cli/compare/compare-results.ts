import { appendFileSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { errorWords, HarnessError, namedOrSuggest, percent, printable } from "../../../pure/base/index.ts";
import {
  casesTable,
  csvReport,
  flakiest,
  htmlReport,
  junitReport,
  markdownReport,
  pairsTable,
  type Report,
  readSides,
  reportOf,
  type Side,
  sidesTable,
  textTable,
} from "../../../work/evaluate/index.ts";
import { inTerminal, say, setExitCode, write } from "../../terminal/index.ts";

export interface CompareFlags {
  readonly json?: true;
  readonly markdown?: true;
  readonly report: readonly string[];
  readonly seed?: string;
  readonly baseline?: string;
  readonly failUnder?: number;
  readonly failOnRegression?: true;
}

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
    say(`${label} passes ${passRate === null ? "nothing that was graded" : percent(passRate)}, less than ${(failUnder ?? 0) * 100} %`);
  for (const { a, b } of worse) say(`${b} is shown to be worse than ${a}`);
  if (low.length + worse.length > 0) setExitCode(1);
}
