// The table of results in a Markdown page: one row per agent, between two comments. A run replaces the rows of the agents it ran.
import { readFileSync, writeFileSync } from "node:fs";
import { understood } from "./report.mjs";

const [BEGIN, END] = ["<!-- results -->", "<!-- end of results -->"];

/** `results`: { id, agent, outcomes } of every agent that was run. */
export function writeReport(file, results, now = new Date()) {
  const page = readFileSync(file, "utf8");
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no place for results: a line ${BEGIN}, and behind it a line ${END}.`);
  const rows = new Map(
    page
      .slice(begin, end)
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => [line.split("`")[1], line]),
  );
  for (const result of results) rows.set(result.id, rowOf(result, now));
  writeFileSync(file, `${page.slice(0, begin)}${[BEGIN, "", ...HEAD, ...rows.values(), "", ""].join("\n")}${page.slice(end)}`);
}

const HEAD = [
  "| agent | version | scenarios | as they say | lines read | explained | date |",
  "| ----- | ------- | --------- | ----------- | ---------- | --------- | ---- |",
];

function rowOf({ id, agent, outcomes }, now) {
  const good = outcomes.filter(({ problems }) => problems.length === 0).length;
  const { lines, share } = understood(outcomes);
  const cells = [`\`${id}\``, agent.label, outcomes.length, good, lines, `${share} %`, now.toISOString().slice(0, 10)];
  return `| ${cells.join(" | ")} |`;
}
