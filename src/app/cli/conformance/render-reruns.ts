import { duration, printable } from "../../../pure/base/index.ts";
import type { RerunSummary } from "../../../work/conformance/index.ts";
import { colors } from "../../terminal/index.ts";

/** An agent's reruns for people: a line per scenario, with what was not exact. */
export function renderReruns({ agent, label, runs, exact, scenarios }: RerunSummary): string {
  const width = Math.max(...scenarios.map(({ scenario }) => scenario.length));
  const title = `${agent}, ${label}: ${exact} of ${runs} reruns exact`;
  const lines = scenarios.flatMap((each) => [
    [
      each.runs === null ? "–" : each.exact === each.runs ? colors.green("✓") : colors.red("✗"),
      each.scenario.padEnd(width),
      duration(each.milliseconds).padStart(8),
      each.runs === null ? "not run again" : `${each.exact} of ${each.runs} exact, ${each.requests} requests`,
      ...(each.folder === undefined ? [] : [each.folder]),
    ].join("  "),
    ...each.problems.map((problem) => `      ${printable(problem)}`),
  ]);
  return [exact === runs ? colors.green(title) : colors.red(title), ...lines, "", ""].join("\n");
}
