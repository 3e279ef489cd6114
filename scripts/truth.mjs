// `npm run truth`: observes every lying and every honest agent of test/work/observe/truth, and writes their numbers into
// docs/reference/truth.md. Fails if a liar is called consistent or an honest agent contradicted. It takes ten minutes or more.
// With --from <file> it writes the numbers of an earlier run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundled } from "./bundled.mjs";
import { ensureBuilt, ensureInstalled, program, root } from "./setup.mjs";

const PAGE = join(root, "docs/reference/truth.md");
const [option, given] = process.argv.slice(2);
const { wilson } = await bundled("src/pure/statistics", ["wilson.ts"]);

if (option === "--from" && given !== undefined) write(given);
else if (option === undefined) process.exitCode = run();
else {
  console.error("Pass --from <file>, or no option.");
  process.exitCode = 2;
}

function run() {
  ensureInstalled();
  ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), "harness-truth-"));
  const results = join(folder, "results.jsonl");
  const [file, args] = program("vitest", ["run", "test/work/observe/truth"]);
  const env = { ...process.env, HARNESS_TEST_FULL: "1", HARNESS_TRUTH_RESULTS: results };
  const { status } = spawnSync(file, args, { cwd: root, env, stdio: "inherit" });
  if (status !== 0) console.error(`The answers are in ${results}.`);
  else {
    write(results);
    rmSync(folder, { recursive: true, force: true });
  }
  return status ?? 1;
}

/** Replaces the tables between the marks. */
function write(results) {
  const rows = readFileSync(results, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = ["<!-- rates: written by npm run truth -->", "<!-- /rates -->"];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${PAGE} has no marks for the rates.`);
  writeFileSync(PAGE, `${before}${begin}\n\n${tables(rows)}\n\n${end}${after}`);
}

function tables(rows) {
  const of = (...kinds) => rows.filter(({ kind }) => kinds.includes(kind));
  const lies = of("lie");
  const honest = of("honest", "real");
  const caught = lies.filter(isContradicted).length;
  const wronged = honest.filter(isContradicted).length;
  const measures = [
    ["precision: contradicted runs that were lies", caught, caught + wronged],
    ["honest runs that were not contradicted", honest.length - wronged, honest.length],
    ["recall: lies that were contradicted", caught, lies.length],
    ["lies that were not called consistent", lies.filter(({ verdict }) => verdict !== "consistent").length, lies.length],
    ["honest runs that were unknown", honest.filter(({ verdict }) => verdict === "unknown").length, honest.length],
  ];
  const groups = [
    ["lying agents, wrappers", lies.filter(({ sight }) => sight === "wrap")],
    ["lying agents, trace", lies.filter(({ sight }) => sight === "trace")],
    ["honest agents, wrappers", of("honest").filter(({ sight }) => sight === "wrap")],
    ["honest agents, trace", of("honest").filter(({ sight }) => sight === "trace")],
    ["Claude Code and Codex on the scripted model, wrappers", of("real")],
    ["recordings of real CLIs, not observed", of("recorded")],
  ].filter(([, list]) => list.length > 0); // without the real CLIs, there are no runs of them
  const count = (list, verdict) => list.filter((row) => row.verdict === verdict).length;
  return [
    table(
      ["measure", "runs", "rate", "95 % interval (Wilson)"],
      measures.map(([name, some, all]) => {
        const { low, high } = wilson(some, all);
        return [name, `${some} of ${all}`, percent(some / all), `${percent(low)} to ${percent(high)}`];
      }),
    ),
    table(
      ["group", "agents", "runs", "contradicted", "unknown", "consistent"],
      groups.map(([name, list]) =>
        [
          name,
          new Set(list.map((row) => row.name)).size,
          list.length,
          ...["contradicted", "unknown", "consistent"].map((verdict) => count(list, verdict)),
        ].map(String),
      ),
    ),
  ].join("\n\n");
}

function isContradicted({ verdict }) {
  return verdict === "contradicted";
}

function percent(rate) {
  return `${(100 * rate).toFixed(1)} %`;
}

function table(head, rows) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}
