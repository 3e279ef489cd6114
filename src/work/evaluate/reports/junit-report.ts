import { xmlText } from "../../../pure/base/index.ts";
import type { Cell, Comparison } from "../compare/index.ts";

/** One suite per agent, one test per case, for CI systems. A case passes if every graded trial passed; a case without a verdict is an error. */
export function junitReport({ sides, cases }: Comparison): string {
  const suites = sides.map(({ label }, index) => {
    const rows = cases
      .map(({ id, cells }) => ({ id, cell: cells[index] ?? { passes: 0, graded: 0, trials: 0 } }))
      .filter(({ cell }) => cell.trials > 0);
    const failures = rows.filter(({ cell }) => cell.graded > 0 && cell.passes < cell.graded).length;
    const errors = rows.filter(({ cell }) => cell.graded === 0).length;
    const tests = rows
      .map(({ id, cell }) => `    <testcase classname="${xmlText(label)}" name="${xmlText(id)}">${verdictOf(cell)}</testcase>\n`)
      .join("");
    return `  <testsuite name="${xmlText(label)}" tests="${rows.length}" failures="${failures}" errors="${errors}">\n${tests}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function verdictOf({ passes, graded, trials }: Cell): string {
  if (graded === 0) return `<error message="none of ${trials} trials has a verdict"/>`;
  return passes === graded ? "" : `<failure message="${passes} of ${graded} trials passed"/>`;
}
