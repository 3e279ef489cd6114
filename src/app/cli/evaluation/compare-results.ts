import { basename, extname } from "node:path";
import { errorWords, HarnessError, printable } from "../../../pure/base/index.ts";
import { type ClassCounts, type OutOfTime, rateText, startAdvice, tallyText, type UnverifiedTrials } from "../../../pure/verdicts/index.ts";
import {
  type Comparison,
  caseDetails,
  compare,
  csvTrials,
  type Gate,
  gateOf,
  gatesMissed,
  htmlPieces,
  junitReport,
  markdownReport,
  shownTrials,
  textReport,
} from "../../../work/evaluate/index.ts";
import { inTerminal, saveText, say, setExitCode, write } from "../../terminal/index.ts";

export interface CompareFlags {
  readonly json?: true;
  readonly markdown?: true;
  readonly report: readonly string[];
  readonly seed?: number | string;
  /** The headline of reports. Default: the names of the files. */
  readonly title?: string;
  readonly baseline?: string;
  /** The baseline, if the results have it under this name. */
  readonly preferred?: string | undefined;
  readonly failUnder?: number;
  readonly outOfTime?: OutOfTime;
  readonly unverified?: UnverifiedTrials;
  readonly gate?: readonly string[];
  readonly failOnRegression?: true;
}

export async function compareResults(paths: readonly string[], flags: CompareFlags): Promise<void> {
  const targets = flags.report.map(targetOf); // a mistake is reported before gigabytes are read
  const gates = (flags.gate ?? []).map(gateOf);
  const { baseline, preferred, outOfTime, unverified } = flags;
  const comparison = compare(paths, { baseline, preferred, seed: seedOf(flags.seed), outOfTime, unverified });
  const title = flags.title ?? paths.map((path) => basename(path)).join(", "); // a report is passed on: it names no directories
  for (const target of targets) target(comparison, title, paths);
  if (flags.markdown) await write(markdownReport(comparison));
  else if (flags.json || !inTerminal()) await write(`${JSON.stringify(comparison)}\n`);
  else await write(printable(textReport(comparison, process.stdout.columns)));
  for (const { a, b, pairs } of comparison.pairs)
    if (pairs === 0) say(`${b} and ${a} have no graded trial of the same case in common, so nothing was compared`);
  for (const { label, trials, graded, classes, startProblems = [] } of comparison.sides) {
    if (graded === trials || classes === undefined) continue;
    const advice = startProblems.map((each) => `. ${startAdvice[each].what}: ${startAdvice[each].remedy}`);
    say(
      `${label}: ${trials - graded} of ${trials} trials are not in the pass rate: ${tallyText(leftOut(classes, flags.outOfTime))}${advice.join("")}`,
    );
  }
  for (const { label, trials, unverified } of comparison.sides)
    if (unverified !== undefined) say(aboutUnverified(label, unverified, trials, flags));
  judge(comparison, flags, gates);
}

/** A flag is text, and a file may have a number: 1 is the same seed in both. */
function seedOf(seed: number | string | undefined): number | string | undefined {
  return typeof seed === "string" && /^(0|[1-9]\d{0,8})$/.test(seed) ? Number(seed) : seed;
}

function aboutUnverified(label: string, some: number, all: number, { unverified }: CompareFlags): string {
  const what = `${label}: ${some} of ${all} trials are not verified: harness grade found no recordings of them`;
  return unverified === "counted"
    ? `${what}, and they count because of --unverified counted`
    : `${what}, so they do not count. Grade them where they were recorded, or pass --unverified counted`;
}

function leftOut(classes: ClassCounts, late: OutOfTime | undefined): ClassCounts {
  return { ...classes, passed: 0, failed: 0, ...(late === "ignored" ? {} : { out_of_time: 0 }) };
}

type Target = (comparison: Comparison, title: string, paths: readonly string[]) => void;

const FORMATS: Readonly<Record<string, (comparison: Comparison, title: string, paths: readonly string[]) => string | Iterable<string>>> = {
  ".html": (comparison, title, paths) => htmlPieces(comparison, title, { trials: shownTrials(paths), at: new Date() }),
  ".md": markdownReport,
  ".csv": (_, __, paths) => csvTrials(shownTrials(paths)),
  ".xml": (comparison, _, paths) => junitReport(comparison, caseDetails(shownTrials(paths))),
  ".json": (comparison) => `${JSON.stringify(comparison, null, 2)}\n`,
};

function targetOf(name: string): Target {
  if (name === "github") {
    const file = process.env["GITHUB_STEP_SUMMARY"];
    if (file === undefined || file === "")
      throw new HarnessError("usage", "--report github works in GitHub Actions only: GITHUB_STEP_SUMMARY is not set.");
    return (comparison) => saveText(file, `${markdownReport(comparison)}\n`, { flag: "a" });
  }
  const format = FORMATS[extname(name)];
  if (format === undefined)
    throw new HarnessError(
      "usage",
      `Unknown report format: ${name}. Pass github, or a file that ends in ${Object.keys(FORMATS).join(", ")}.`,
    );
  return (comparison, title, paths) => {
    try {
      savePieces(name, format(comparison, title, paths));
    } catch (error) {
      throw new HarnessError("output", `Cannot write ${name}: ${errorWords(error)}.`, {
        cause: error,
      });
    }
  };
}

/** Writes a long report in parts, so that it is never in memory as a whole. */
function savePieces(file: string, pieces: string | Iterable<string>): void {
  if (typeof pieces === "string") return saveText(file, pieces);
  let waiting = "";
  let isBegun = false;
  const save = () => {
    saveText(file, waiting, isBegun ? { flag: "a" } : {});
    isBegun = true;
    waiting = "";
  };
  for (const piece of pieces) {
    waiting += piece;
    if (waiting.length > PART) save();
  }
  save();
}

const PART = 1024 * 1024;

/** Sets the exit code for CI. An unknown rate is below every limit, and a side that was not compared may be worse. */
function judge(comparison: Comparison, { failUnder, failOnRegression }: CompareFlags, gates: readonly Gate[]): void {
  const { sides, pairs } = comparison;
  const [first] = sides;
  const low = failUnder === undefined ? [] : sides.filter(({ passRate }) => (passRate ?? -1) < failUnder);
  const worse = failOnRegression
    ? pairs.filter(({ a, verdict }) => a === first?.label && (verdict === "worse" || verdict === "nothing compared"))
    : [];
  for (const { label, passRate, graded } of low) {
    const rate = passRate === null ? "no trial counts" : `pass rate ${rateText(passRate, graded)} trials`;
    say(`${label}: ${rate}, below --fail-under ${(failUnder ?? 0) * 100} %`);
  }
  for (const { a, b, verdict } of worse)
    say(verdict === "worse" ? `${b} is shown to be worse than ${a}` : `--fail-on-regression cannot rule out that ${b} is worse than ${a}`);
  const missed = gatesMissed(comparison, gates);
  for (const sentence of missed) say(sentence);
  if (low.length + worse.length + missed.length > 0) setExitCode(1);
}
