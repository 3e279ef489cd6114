// The generated parts of a Markdown page, each between two comments: the results, one row per agent, and the exceptions.
import { existsSync, readFileSync } from "node:fs";
import { scripted, writeFile } from "../../host/sink/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { tokenClasses } from "../../pure/events/index.ts";
import type { Drift } from "./drift.ts";
import { type Exception, exceptionRows } from "./exceptions.ts";
import { markdownTable, rowsOf } from "./markdown-table.ts";
import { coverageWords, type Summary } from "./summary.ts";

const RESULTS = ["agent", "version", "runs", "as expected", "lines", "explained", "operations", "status", "usage", "drift", "date"];
const EXCEPTIONS = ["agent", "what differs", "why", "scenarios"];

const NEW_PAGE = `# Conformance

## Results

<!-- results -->
<!-- end of results -->

## Exceptions

<!-- exceptions -->
<!-- end of exceptions -->
`;

/** Writes a new page, or updates the rows of the agents that ran and all exceptions. */
export function writeReport(file: string, summaries: readonly Summary[], exceptions: readonly Exception[], now = new Date()): void {
  const page = existsSync(file) ? readFileSync(file, "utf8") : NEW_PAGE;
  const rows = new Map(rowsOf(partOf(file, page, "results")).map((row) => [row[0] ?? "", row]));
  for (const summary of summaries) rows.set(`\`${summary.agent}\``, rowOf(summary, now));
  const results = replaced(file, page, "results", markdownTable(RESULTS, [...rows.values()]));
  writeFile(file, scripted(withExceptions(file, results, exceptions)));
}

export function withExceptions(file: string, page: string, exceptions: readonly Exception[]): string {
  return replaced(file, page, "exceptions", markdownTable(EXCEPTIONS, exceptionRows(exceptions)));
}

/** The text between `<!-- name -->` and `<!-- end of name -->`. */
function partOf(file: string, page: string, name: string): string {
  const { from, to } = placeOf(file, page, name);
  return page.slice(from, to);
}

function replaced(file: string, page: string, name: string, content: string): string {
  const { from, to } = placeOf(file, page, name);
  return `${page.slice(0, from)}\n\n${content}\n\n${page.slice(to)}`;
}

function placeOf(file: string, page: string, name: string): { readonly from: number; readonly to: number } {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end, from);
  if (from >= begin.length && to >= 0) return { from, to };
  throw new HarnessError("usage", `${file} has no section for ${name}. Add a line ${begin} and, below it, a line ${end}.`);
}

function rowOf(summary: Summary, now: Date): readonly string[] {
  const { agent, label, runs, good, lines, explained, operations, status } = summary;
  return [
    `\`${agent}\``,
    label,
    String(runs),
    String(good),
    String(lines),
    explained === null ? "–" : `${explained} %`,
    `${operations.right} right, ${operations.wrong} wrong, ${operations.missing} missing`,
    `${status.right} right, ${status.wrong} wrong`,
    usageCell(summary),
    driftCell(summary.drift),
    now.toISOString().slice(0, 10),
  ];
}

function usageCell({ usage, coverage }: Summary): string {
  const named = (word: string, test: (verdicts: Summary["usage"]["input"]) => boolean) => {
    const names = tokenClasses.filter((name) => test(usage[name]));
    return names.length === 0 ? [] : [`${names.join(", ")} ${word}`];
  };
  const parts = [
    ...named("differ", ({ differs }) => differs > 0),
    ...named("equal", ({ equal, differs }) => equal > 0 && differs === 0),
    ...named("not reported separately", ({ equal, differs, within }) => within > 0 && equal === 0 && differs === 0),
    ...named("not reported", ({ absent, differs }) => absent > 0 && differs === 0),
    ...coverageWords(coverage),
  ];
  return parts.join("; ") || "–";
}

function driftCell(drift: Drift | null): string {
  if (drift === null) return "nothing recorded";
  const count = (changes: Drift["newFields"]) => changes.reduce((sum, each) => sum + each.fields.length, 0);
  const parts = [
    [drift.newTypes.length, "new type"],
    [count(drift.newFields), "new field"],
    [drift.vanishedTypes.length, "vanished type"],
    [count(drift.vanishedFields), "vanished field"],
  ] as const;
  const changes = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}${count === 1 ? "" : "s"}`);
  return changes.join(", ") || "none";
}
