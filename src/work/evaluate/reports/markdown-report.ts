import type { Table } from "../../../pure/base/index.ts";
import type { Comparison } from "../compare/index.ts";
import { flakiest } from "./flakiest.ts";
import { behaviorPairsTable, behaviorTable, casesTable, pairsTable, setupTable, sidesTable } from "./tables.ts";

/** For a pull request, a wiki, a GitHub step summary. */
export function markdownReport(report: Comparison): string {
  const tables = [
    sidesTable(report),
    setupTable(report),
    ...(report.pairs.length > 0 ? [pairsTable(report)] : []),
    ...[behaviorTable(report), behaviorPairsTable(report)].filter((table) => table !== undefined),
    casesTable(report, flakiest(report, 10), "Cases whose trials disagree"),
    casesTable(report, report.cases),
  ];
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map(markdownTable)
    .join("\n");
}

export function markdownTable({ title, head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(" | ")} |`;
  return [`## ${title}`, "", line(head), line(head.map(() => "---")), ...rows.map(line), ""].join("\n");
}

/** Users choose the names of cases and agents: a name can neither end a cell nor start a tag. */
function escaped(text: string): string {
  return text.replace(/[\\|`*_[\]<>~#]/g, "\\$&").replace(/[\r\n]+/g, " ");
}
