// `npm run fuzz`: reads a million damaged, strange and large inputs with every parser of foreign input (test/laws/fuzz). No parser may throw
// anything but a sentence, take longer than a second, or keep memory. Prints a row for each. A failing input is written to a file, and its
// seed and index make it again.
//
//   npm run fuzz -- [parser…] [--inputs 1000000] [--seed 1] [--first 0] [--remaining] [--list] [--write]
//
// The figures are kept in artifacts/fuzz/figures.jsonl. With --remaining, parsers that have read as many inputs without a problem are left
// out, so that an interrupted run resumes. With --write, nothing is read: the figures are written into docs/reference/fuzzing.md.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./setup.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    remaining: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [inputs, seed, first] = [values.inputs, values.seed, values.first].map(Number);
const OUT = join(root, "artifacts/fuzz");
const FIGURES = join(OUT, "figures.jsonl");
const PAGE = join(root, "docs/reference/fuzzing.md");

const cache = join(root, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "fuzz-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const { bundledFile } = await import("./bundled.mjs"); // needs the installed packages
const files = await bundledFile("test/laws/fuzz", ["parsers.ts", "inputs.ts", "watched.ts"], join(folder, "parsers.mjs"));
const worker = await bundledFile("test/laws/fuzz", ["worker.ts"], join(folder, "worker.mjs"));
const { inputsOf, parsersIn, watched } = await import(files);

const all = parsersIn(root);
const isWhole = (part) => all.some(({ name }) => name === part);
const isMeant = (name) => positionals.some((part) => (isWhole(part) ? name === part : name.includes(part)));
const named = positionals.length === 0 ? all : all.filter(({ name }) => isMeant(name));
const done = values.remaining ? bestFigures() : new Map();
const chosen = named.filter(({ name }) => !((done.get(name)?.inputs ?? 0) >= inputs));
if (![inputs, seed, first].every(Number.isSafeInteger) || named.length === 0) {
  console.error(named.length === 0 ? "No such parser. List them with --list." : "Pass whole numbers to --inputs, --seed and --first.");
  process.exit(2);
}
if (values.write) writePage();
else if (values.list) for (const { name } of all) console.log(name);
else for (const parser of chosen) await tried(parser);

async function tried(parser) {
  const begin = performance.now();
  const failures = await watched({ worker, root, parser: parser.name, seed, first, end: first + inputs }, (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${parser.name}: ${done - first} of ${inputs}`);
  });
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const seconds = (performance.now() - begin) / 1000;
  const { slowest, peakMb, keptMb } = failures.figures;
  const columns = [
    parser.name.padEnd(34),
    `${inputs} inputs`,
    `${seconds.toFixed(0)} s`,
    `slowest ${slowest.ms.toFixed(0)} ms (${slowest.index})`,
    `peak +${peakMb.toFixed(0)} MB`,
    `kept ${keptMb.toFixed(1)} MB`,
    failures.problems.length === 0 ? "ok" : `${failures.problems.length} FAILED`,
  ];
  console.log(columns.join("  "));
  mkdirSync(OUT, { recursive: true });
  const row = { parser: parser.name, inputs, seed, ms: slowest.ms, peakMb, keptMb, problems: failures.problems.length };
  appendFileSync(FIGURES, `${JSON.stringify(row)}\n`);
  if (failures.problems.length > 0) await report(parser, failures.problems);
}

async function report(parser, problems) {
  process.exitCode = 1;
  mkdirSync(OUT, { recursive: true });
  const make = inputsOf(parser.name, parser.form, await parser.valid(), seed);
  const kinds = new Map();
  for (const { index, problem } of problems) {
    const kind = problem.split("\n").slice(0, 3).join("\n");
    if (!kinds.has(kind)) kinds.set(kind, { index, problem, count: 0 });
    kinds.get(kind).count++;
  }
  for (const { index, problem, count } of [...kinds.values()].slice(0, 20)) {
    const file = join(OUT, `${parser.name.replace(/\W+/g, "-")}-${seed}-${index}.txt`);
    writeFileSync(file, make(index));
    console.log(`  ${count} × ${problem.replaceAll("\n", "\n    ")}`);
    console.log(`    Input: ${file}. Again: npm run fuzz -- "${parser.name}" --seed ${seed} --first ${index} --inputs 1`);
  }
}

/** For each parser, the last run without a problem that read the most inputs. */
function bestFigures() {
  const best = new Map();
  if (!existsSync(FIGURES)) return best;
  const rows = readFileSync(FIGURES, "utf8").trimEnd().split("\n").map(JSON.parse);
  for (const row of rows) if (row.problems === 0 && row.inputs >= (best.get(row.parser)?.inputs ?? 0)) best.set(row.parser, row);
  return best;
}

function writePage() {
  const best = bestFigures();
  const lines = all.map(({ name }) => {
    const { inputs: count = 0, ms, peakMb } = best.get(name) ?? {};
    return count === 0
      ? `| ${name} | 0 | | |`
      : `| ${name} | ${count.toLocaleString("en")} | ${Math.ceil(ms)} ms | ${Math.ceil(peakMb)} MB |`;
  });
  const table = ["| parser | inputs | longest call | memory |", "| --- | --- | --- | --- |", ...lines].join("\n");
  const page = readFileSync(PAGE, "utf8").replace(
    /(<!-- figures[^\n]*-->\n).*?(<!-- \/figures -->)/s,
    (_, open, close) => `${open}\n${table}\n\n${close}`,
  );
  writeFileSync(PAGE, page);
}
