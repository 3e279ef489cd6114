import { clipped, xmlText } from "../../../pure/base/index.ts";
import { emptyTally, type StartProblem, startAdvice, tallyText, trialClasses } from "../../../pure/verdicts/index.ts";
import type { Cell, Comparison } from "../compare/index.ts";
import { anchorOf, type ShownTrial } from "./shown-trials.ts";

/**
 * One suite per agent, one test per case, for CI systems. A case passes if every trial that counts passed. A case without one is an error:
 * its type is the class of its trials, and its message has the numbers.
 */
export function junitReport({ sides, cases }: Comparison, details: ReadonlyMap<string, CaseDetails> = new Map()): string {
  const detailOf = (label: string, id: string) => details.get(anchorOf(label, id));
  const suites = sides.map(({ label, startProblems = [] }, index) => {
    const rows = cases
      .map(({ id, cells }) => ({ id, cell: cells[index] ?? { passes: 0, graded: 0, trials: 0 } }))
      .filter(({ cell }) => cell.trials > 0);
    const failures = rows.filter(({ cell }) => cell.graded > 0 && cell.passes < cell.graded).length;
    const errors = rows.filter(({ cell }) => cell.graded === 0).length;
    const tests = rows
      .map(
        ({ id, cell }) =>
          `    <testcase classname="${xmlText(label)}" name="${xmlText(id)}"${timeOf([detailOf(label, id)])}>${verdictOf(cell, startProblems, detailOf(label, id))}</testcase>\n`,
      )
      .join("");
    return `  <testsuite name="${xmlText(label)}" tests="${rows.length}" failures="${failures}" errors="${errors}"${timeOf(rows.map(({ id }) => detailOf(label, id)))}>\n${tests}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

/** How long the trials of a case took, and why some did not pass. */
export interface CaseDetails {
  readonly ms: number;
  readonly reasons: readonly string[];
}

const MOST_REASONS = 5;
const LONGEST_REASON = 2000;

/** The details of every case of every side. */
export function caseDetails(trials: Iterable<ShownTrial>): ReadonlyMap<string, CaseDetails> {
  const found = new Map<string, CaseDetails>();
  for (const { side, id, number, class: kind, reason, reasoning, durationMs } of trials) {
    const key = anchorOf(side, id);
    const { ms, reasons } = found.get(key) ?? { ms: 0, reasons: [] };
    const why =
      kind === "passed" || reasons.length >= MOST_REASONS
        ? []
        : [clipped(`trial ${number}: ${reasoning ?? reason ?? kind}`, LONGEST_REASON)];
    found.set(key, { ms: ms + (durationMs ?? 0), reasons: [...reasons, ...why] });
  }
  return found;
}

function timeOf(details: readonly (CaseDetails | undefined)[]): string {
  if (details.some((each) => each === undefined)) return "";
  return ` time="${(details.reduce((sum, each) => sum + (each?.ms ?? 0), 0) / 1000).toFixed(3)}"`;
}

function verdictOf({ passes, graded, classes = emptyTally() }: Cell, problems: readonly StartProblem[], details?: CaseDetails): string {
  const [first = "ungraded"] = trialClasses.filter((each) => each !== "passed" && classes[each] > 0);
  const advice = classes.not_started > 0 ? problems.map((each) => `. ${startAdvice[each].what}: ${startAdvice[each].remedy}`) : [];
  const message = xmlText(`${passes} of ${graded} trials that count passed: ${tallyText(classes)}${advice.join("")}`);
  const element = graded === 0 ? "error" : "failure";
  if (graded > 0 && passes === graded) return "";
  const why = details?.reasons.join("\n") ?? "";
  return why === ""
    ? `<${element} type="${first}" message="${message}"/>`
    : `<${element} type="${first}" message="${message}">${xmlText(why)}</${element}>`;
}
