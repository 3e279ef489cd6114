import { duration, printable } from "../../../pure/base/index.ts";
import { tokenClasses } from "../../../pure/events/index.ts";
import { coverageWords, type Drift, type ScenarioSummary, type Summary } from "../../../work/conformance/index.ts";
import { colors } from "../../terminal/index.ts";
import { columns } from "../options/index.ts";

/** An agent's results for people: a line per scenario with its problems, then the counts. */
export function renderSummary(summary: Summary): string {
  const { agent, label, good, runs, scenarios, consumers } = summary;
  const width = Math.max(...scenarios.map(({ scenario }) => scenario.length));
  const title = `${agent}, ${label}: ${good} of ${runs} runs match their scenario`;
  const lines = [
    good === runs ? colors.green(title) : colors.red(title),
    ...scenarios.flatMap((scenario) => scenarioLines(scenario, width)),
    ...consumers.flatMap(({ what, problem }) => [
      `${mark(problem === undefined)}  ${what}`,
      ...(problem === undefined ? [] : [`      ${printable(problem)}`]),
    ]),
    ...columns(counts(summary)).map((line) => `   ${line}`),
    ...summary.unexplained.map(({ kind, lines: count, sample }) => `   not explained, ${printable(kind)}, ${count}: ${printable(sample)}`),
    "",
    "",
  ];
  return lines.join("\n");
}

function scenarioLines({ scenario, problems, milliseconds, requests, tokens, folder }: ScenarioSummary, width: number): readonly string[] {
  const cells = [
    mark(problems.length === 0),
    scenario.padEnd(width),
    duration(milliseconds).padStart(8),
    `${requests} request${requests === 1 ? " " : "s"}`.padStart(12),
    `${tokens} tokens`.padStart(14),
    ...(folder === undefined ? [] : [folder]),
  ];
  return [cells.join("  "), ...counted(problems).map((problem) => `      ${printable(problem)}`)];
}

function mark(isGood: boolean): string {
  return isGood ? colors.green("✓") : colors.red("✗");
}

function counted(problems: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const problem of problems) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  return [...counts].map(([problem, count]) => (count === 1 ? problem : `${problem}, ${count} times`));
}

function counts({ lines, explained, operations, usage, coverage, status, drift }: Summary): readonly (readonly [string, string])[] {
  const classes = tokenClasses.flatMap((name) => {
    const { equal, differs, within, absent } = usage[name];
    if (differs > 0) return [colors.red(`${name} differs in ${differs}`)];
    if (absent > 0) return [`${name} not reported`];
    return equal > 0 ? [`${name} equal in ${equal}`] : within > 0 ? [`${name} not reported separately`] : [];
  });
  return [
    ["lines", `${lines} read, ${explained === null ? "nothing to explain" : `${explained} % explained`}`],
    ["operations", `${operations.right} right, ${operations.wrong} wrong, ${operations.missing} missing`],
    ["usage", [...classes, ...coverageWords(coverage)].join(", ") || "nothing to compare"],
    ["status", `${status.right} right, ${status.wrong} wrong`],
    ...driftLines(drift),
  ];
}

function driftLines(drift: Drift | null): readonly (readonly [string, string])[] {
  if (drift === null) return [["drift", "unknown: it has no fixtures"]];
  const rows = [
    ...drift.newTypes.map((type) => `new type ${type}`),
    ...drift.newFields.map(({ type, fields }) => `new in ${type}: ${fields.join(", ")}`),
    ...drift.vanishedTypes.map((type) => `vanished type ${type}`),
    ...drift.vanishedFields.map(({ type, fields }) => `vanished in ${type}: ${fields.join(", ")}`),
  ];
  if (rows.length === 0) return [["drift", "none since the fixtures were recorded"]];
  return rows.map((row, index) => [index === 0 ? "drift" : "", colors.yellow(printable(row))] as const);
}
