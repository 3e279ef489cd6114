import { xmlText } from "../../../pure/base/index.ts";
import { emptyTally, type StartProblem, startAdvice, tallyText, trialClasses } from "../../../pure/verdicts/index.ts";
import type { Cell, Comparison } from "../compare/index.ts";

/**
 * One suite per agent, one test per case, for CI systems. A case passes if every trial that counts passed. A case without one is an error:
 * its type is the class of its trials, and its message has the numbers.
 */
export function junitReport({ sides, cases }: Comparison): string {
  const suites = sides.map(({ label, startProblems = [] }, index) => {
    const rows = cases
      .map(({ id, cells }) => ({ id, cell: cells[index] ?? { passes: 0, graded: 0, trials: 0 } }))
      .filter(({ cell }) => cell.trials > 0);
    const failures = rows.filter(({ cell }) => cell.graded > 0 && cell.passes < cell.graded).length;
    const errors = rows.filter(({ cell }) => cell.graded === 0).length;
    const tests = rows
      .map(
        ({ id, cell }) =>
          `    <testcase classname="${xmlText(label)}" name="${xmlText(id)}">${verdictOf(cell, startProblems)}</testcase>\n`,
      )
      .join("");
    return `  <testsuite name="${xmlText(label)}" tests="${rows.length}" failures="${failures}" errors="${errors}">\n${tests}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function verdictOf({ passes, graded, classes = emptyTally() }: Cell, problems: readonly StartProblem[]): string {
  const [first = "ungraded"] = trialClasses.filter((each) => each !== "passed" && classes[each] > 0);
  const advice = classes.not_started > 0 ? problems.map((each) => `. ${startAdvice[each].what}: ${startAdvice[each].remedy}`) : [];
  const message = xmlText(`${passes} of ${graded} trials that count passed: ${tallyText(classes)}${advice.join("")}`);
  if (graded === 0) return `<error type="${first}" message="${message}"/>`;
  return passes === graded ? "" : `<failure type="${first}" message="${message}"/>`;
}
