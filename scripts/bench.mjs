// Speed and memory of derivations, as ratios to a bare loop over the same file. Each measurement runs in a fresh process.
// It prints results and never fails because of them: a slow machine is not a bug. Exit code 1 means that a measurement failed.
//
//   node scripts/bench.mjs [--size <MB>] [--runs <n>] [--files <n>] [--cases <n>] [--dist <folder>] [--json]
//                          [--only <derivation | runs | agents | an agent | workspace | observe | trace | masking | evaluation | graph | native | page | walls>]
//                          [--events <n,n,…>]
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { measureCommands } from "./bench/commands.mjs";
import { measureEvaluation, measureResults } from "./bench/evaluation.mjs";
import { generateLongLine, generateStream } from "./bench/generate.mjs";
import { measureGraph } from "./bench/graph.mjs";
import { measureDelay, measureLiveMemory, measureRun } from "./bench/live.mjs";
import { measureMasking } from "./bench/masking.mjs";
import { measureMemory, measureSpeed, measureStart } from "./bench/measure.mjs";

import { measureNative } from "./bench/native.mjs";

import { measureObserve } from "./bench/observe.mjs";
import { measurePage, pageWeight } from "./bench/page.mjs";
import { show } from "./bench/table.mjs";
import { measureReading, measureTrace } from "./bench/trace.mjs";
import { measureTranslators } from "./bench/translators.mjs";
import { measureWalls } from "./bench/walls.mjs";
import { measureWorkspace } from "./bench/workspace.mjs";
import { optionsOf } from "./setup.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const MB = 1_000_000;

const values = optionsOf("bench", {
  size: { type: "string", default: "200" },
  runs: { type: "string", default: "5" },
  files: { type: "string", default: "50000" },
  cases: { type: "string", default: "1000" },
  events: { type: "string", default: "10000,100000,1000000" },
  dist: { type: "string", default: join(root, "dist") },
  only: { type: "string" },
  json: { type: "boolean", default: false },
});
const size = positive("size");
const runs = positive("runs");
const files = positive("files");
const cases = positive("cases");
const dist = resolve(values.dist);
const temp = mkdtempSync(join(tmpdir(), "harness-bench-"));
process.on("exit", () => rmSync(temp, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(130)); // runs the "exit" handlers, which clean up

try {
  if (!["workspace", "observe", "trace", "masking"].includes(values.only)) needDist();
  const rows = await measure();
  console.log(values.json ? JSON.stringify({ sizeMb: size, runs, node: process.version, rows }, null, 2) : show(rows));
} catch (error) {
  console.error(`Could not measure: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function measure() {
  const { only } = values;
  if (only === "derivation") return derivationRows();
  if (only === "runs") return liveRows();
  if (only === "workspace") return workspaceRows();
  if (only === "observe") return observeRows();
  if (only === "trace") return traceRows();
  if (only === "masking") return maskingRows();
  if (only === "evaluation") return evaluationRows();
  if (only === "graph") return graphRows();
  if (only === "native") return nativeRows();
  if (only === "page") return pageRows();
  if (only === "walls") return wallRows();
  if (only !== undefined) return agentRows(only === "agents" ? undefined : only);
  return [
    ...(await derivationRows()),
    ...(await agentRows()),
    ...(await liveRows()),
    ...(await workspaceRows()),
    ...(await observeRows()),
    ...(await traceRows()),
    ...(await maskingRows()),
    ...(await evaluationRows()),
    ...(await graphRows()),
    ...(await nativeRows()),
    ...(await pageRows()),
    ...(await wallRows()),
  ];
}

async function derivationRows() {
  const fixtures = join(root, "fixtures/claude");
  const speed = await overStream("stream.jsonl", size, { everyday: true }, async (file) => ({
    ...(await measureSpeed({ dist, file, runs, say })),
    memory: await measureMemory({ dist, file, runs, say }),
  }));
  const recorded = await overStream("recorded.jsonl", size, { everyday: false }, (file) => measureSpeed({ dist, file, runs, say }));
  const twice = await overStream("double.jsonl", 2 * size, { everyday: true }, (file) => measureMemory({ dist, file, runs, say }));
  const longLine = await overFile(
    "line.jsonl",
    (file) => generateLongLine(file, size * MB),
    (file) => measureMemory({ dist, file, runs, say }),
  );
  const start = await measureStart({ dist, runs: 8 * runs, say });

  function overStream(name, megabytes, kind, use) {
    const generate = (file) => {
      const { lines } = generateStream(fixtures, file, megabytes * MB, kind);
      const files = kind.everyday ? "files of typical size" : "the five-line files of the recordings";
      say(
        `a Claude Code stream of ${megabytes} MB with ${files}: ${lines} lines of ${Math.round((megabytes * MB) / lines)} bytes on average`,
      );
    };
    return overFile(name, generate, use);
  }

  return [
    ...speedRows("", speed),
    ...speedRows(", tiny files", recorded),
    ...memoryRows(`${size} MB`, speed.memory),
    ...memoryRows(`${2 * size} MB`, twice),
    ...memoryRows(`one line of ${size} MB`, longLine),
    row("library, peak memory when the file doubles", twice.library.lowest / speed.memory.library.lowest, "≤", 1.25),
    row("CLI, peak memory when the file doubles", twice.cli.lowest / speed.memory.cli.lowest, "≤", 1.25),
    row("harness --version, time of node -e 0", start, "≤", 1.5),
  ];
}

/** Each agent's translator, on half the size because there are many. */
async function agentRows(only) {
  const measured = await measureTranslators({ dist, fixtures: join(root, "fixtures"), only, bytes: (size * MB) / 2, runs, overFile, say });
  if (measured.length === 0) throw new Error(`there are no recordings of ${only}`);
  return measured.flatMap(({ agent, scenario, processor, clock }) => [
    row(`${agent} (${scenario}), speed of a bare loop, processor time`, processor, "≥", 0.6),
    row(`${agent} (${scenario}), speed of a bare loop, by the clock`, clock, "≥", 0.6),
  ]);
}

async function liveRows() {
  const cost = await measureRun({ dist, temp, runs: 4 * runs, say });
  const delay = await measureDelay({ dist, temp, say });
  const [short, long] = await overFile(
    "flood.jsonl",
    (file) => generateStream(join(root, "fixtures/claude"), file, 4 * MB, { everyday: true }),
    async (file) => [
      await measureLiveMemory({ dist, temp, file, megabytes: size, say }),
      await measureLiveMemory({ dist, temp, file, megabytes: 5 * size, say }),
    ],
  );
  return [
    row("run, cost on top of the bare agent, in times of node -e 0", cost, "≤", 2.5),
    row("run, delay of an event over that of tail -F", delay, "≤", 5),
    row(`run, peak memory, ${size} MB`, short / MB, "≤", 150, "MB"),
    row(`run, peak memory, ${5 * size} MB`, long / MB, "≤", 150, "MB"),
    row("run, peak memory when it is five times as long", long / short, "≤", 1.25),
  ];
}

async function evaluationRows() {
  const { speed, few, all } = await measureEvaluation({ dist, temp, cases, say });
  const results = await measureResults({ dist, temp, megabytes: 10 * size, say });
  return [
    row(`capture, ${cases} cases of a small agent, speed of a loop that records nothing`, speed, "≥", 0.7),
    row("capture, peak memory with four times as many cases", all / few, "≤", 1.25),
    row(`summarize, ${10 * size} MB, speed of a bare loop`, results.summarize, "≥", 0.5),
    row(`compare, ${10 * size} MB, speed of a bare loop`, results.compare, "≥", 0.5),
    row("summarize and compare, peak memory", results.peak / MB, "≤", 300, "MB"),
  ];
}

async function pageRows() {
  const sizes = values.events.split(",").map(Number);
  const measured = await measurePage({ dist, temp, sizes, runs, say });
  const [first] = measured;
  const last = measured[measured.length - 1];
  for (const { events, whole } of measured) say(`${events} events: complete ${Math.round(whole)} ms after the first`);
  return [
    row("page, weight, compressed", pageWeight(dist) / 1000, "≤", 250, "kB"),
    row(`page, first event seen, ${first.events} events`, first.paint, "≤", 1000, "ms"),
    row(`page, first event seen, ${last.events} events over ${first.events}`, last.over.paint, "≤", 1.5),
    row(`page, answers to a key, ${last.events} events over ${first.events}`, last.over.interactive, "≤", 1.5),
    ...measured.flatMap(({ events, heap, rss, long }) => [
      row(`page, heap of the tab, ${events} events`, heap / MB, "≤", 300, "MB"),
      row(`page, peak memory of the server, ${events} events`, rss / MB, "≤", 200, "MB"),
      row(`page, tasks over 100 ms from end to end, ${events} events`, long, "≤", 2, "tasks"),
    ]),
  ];
}

/** A trial of Claude Code, which waits for its model as long inside as outside. */
async function wallRows() {
  const speed = await measureWalls({ dist, root, temp, runs: 2 * runs, say });
  if (speed === null) return [];
  return [
    shown("trial at process, speed of the same without walls", speed.get("process")),
    row("trial at files, speed of the same without walls", speed.get("files"), "≥", 0.9),
    row("trial at sealed, speed of the same without walls", speed.get("sealed"), "≥", 0.85),
  ];
}

async function nativeRows() {
  const measured = await measureNative({ dist, megabytes: 50, runs: Math.min(runs, 3), say });
  return measured.map(({ piece, ratio }) =>
    row(`provider, 50 MB in pieces of ${piece} characters, in times of bare parsing`, ratio, "≤", 2),
  );
}

async function graphRows() {
  const { chunks, nodes } = await measureGraph({ dist, runs: Math.min(runs, 3), events: MB, say });
  return [
    row("graph, a million events, in times of JSON.parse", chunks.ratio, "≤", 1.5),
    row("graph, kept per event beyond its content", chunks.retained, "≤", 1000, "bytes"),
    row("graph, the second half of the events in times of the first", chunks.growth, "≤", 1.5),
    row("graph, a million nodes, in times of JSON.parse", nodes.ratio, "≤", 1.5),
  ];
}

async function workspaceRows() {
  const { seen, kept, peak } = await measureWorkspace({ temp, files, runs: Math.min(runs, 3), say });
  return [
    row("workspace, before + after + diff, in times of one bare pass", seen, "≤", 3),
    row("workspace, the same with contents kept and the patch", kept, "≤", 3.5),
    row("workspace, peak memory", peak / MB, "≤", 200, "MB"),
  ];
}

async function observeRows() {
  const { clock, cpu, peak } = await measureObserve({ temp, files, runs: Math.min(runs, 3), say });
  const commands = await measureCommands({ temp, runs, say });
  return [
    row("observe, both manifests, diff and patch, in times of one bare pass", clock, "≤", 3),
    shown("observe, the same in processor time of all threads", cpu),
    row("observe, peak memory", peak / MB, "≤", 200, "MB"),
    row("observe, a wrapped command, more, in times of sh -c :", commands.clock, "≤", 3),
    row("observe, the same in processor time", commands.cpu, "≤", 3),
    row("observe, one that is run by its name, in processor time", commands.byName, "≤", 3),
  ];
}

async function traceRows() {
  const traced = await measureTrace({ temp, runs, say });
  return [
    ...traced.map(({ name, ratio }) => row(`trace, ${name}, in times of the same untraced`, ratio, "≤", 2)),
    row("trace, lines read in a second", (await measureReading({ say })) / 1000, "≥", 100, "thousand"),
  ];
}

async function maskingRows() {
  const { whole, pieces } = await overFile(
    "masked.jsonl",
    (file) => generateStream(join(root, "fixtures/claude"), file, (size * MB) / 10, { everyday: true }),
    (file) => measureMasking({ file, runs, say }),
  );
  return [
    row("masking, whole messages, in times of JSON.parse", whole.joined, "≤", 10),
    row("masking, text in pieces, in times of JSON.parse", pieces.joined, "≤", 10),
    row("masking, joining the pieces, more, in times of JSON.parse", pieces.joined - pieces.lines, "≤", 2),
  ];
}

/** Deletes the file after the measurement, so that the disk holds one at a time. */
async function overFile(name, generate, use) {
  const file = join(temp, name);
  generate(file);
  try {
    return await use(file);
  } finally {
    rmSync(file);
  }
}

/** The blocking loop is the fastest possible; the streaming one is what people write. */
function speedRows(what, { library, cli }) {
  return [
    row(`library, speed of a bare loop that streams${what}`, library.streaming, "≥", 0.75),
    row(`library, speed of a bare loop that blocks${what}`, library.blocking, "≥", 0.75),
    row(`CLI, speed of a bare loop that streams${what}`, cli.streaming, "≥", 0.7),
    row(`CLI, speed of a bare loop that blocks${what}`, cli.blocking, "≥", 0.7),
  ];
}

function memoryRows(what, { library, cli }) {
  return [
    row(`library, peak memory, ${what}`, library.highest / MB, "≤", 150, "MB"),
    row(`CLI, peak memory, ${what}`, cli.highest / MB, "≤", 150, "MB"),
  ];
}

function row(what, measured, sign, target, unit = "×") {
  return {
    what,
    measured,
    unit,
    target: `${sign} ${target}${unit === "×" ? "" : ` ${unit}`}`,
    ok: sign === "≥" ? measured >= target : measured <= target,
  };
}

/** A number for information, without a target. */
function shown(what, measured, unit = "×") {
  return { what, measured, unit, target: "", ok: true };
}

function needDist() {
  const wanted = ["index.js", "cli/harness.js"].map((file) => join(dist, file));
  if (wanted.every((file) => existsSync(file))) return;
  say("building first");
  const built = spawnSync(process.execPath, [join(root, "scripts/build.mjs")], { cwd: root, stdio: ["ignore", 2, 2] });
  if (built.status !== 0) throw new Error("the build failed");
  const missing = wanted.find((file) => !existsSync(file));
  if (missing !== undefined) throw new Error(`there is no ${missing}`);
}

function positive(name) {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${name} must be a positive integer, not "${values[name]}"`);
  process.exit(2);
}

/** Progress goes to stderr; stdout has the table. */
function say(what) {
  console.error(`bench: ${what}`);
}
