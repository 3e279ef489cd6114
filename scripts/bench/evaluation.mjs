// The cost of an evaluation, compared with a loop that spawns the same agent at the same concurrency and records nothing, and with a
// bare parse loop over the same results.
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { run } from "./child.mjs";

const AGENT = `for (let i = 0; i < 20; i++) console.log("event " + i);\n`;

/** Our cases per second divided by the bare loop's, and the peak memory with a quarter of the cases and with all. */
export async function measureEvaluation({ dist, temp, cases, say }) {
  const agent = join(temp, "agent.mjs");
  writeFileSync(agent, AGENT);
  const width = 2 * availableParallelism();
  const few = await capture({ dist, temp, agent, cases: Math.ceil(cases / 4), width });
  const before = await bareLoop(agent, cases, width);
  const all = await capture({ dist, temp, agent, cases, width });
  const bare = (before + (await bareLoop(agent, cases, width))) / 2; // before and after, because the load changes
  say(
    `${cases} cases: ${(cases / (bare / 1000)).toFixed(1)} per second without harness, ${(cases / (all.ms / 1000)).toFixed(1)} with harness`,
  );
  return { speed: bare / all.ms, few: few.peak, all: all.peak };
}

async function bareLoop(agent, count, width) {
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next++ < count) {
      await new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [agent], { stdio: ["ignore", "ignore", "ignore"] });
        child.once("exit", resolve).once("error", reject);
      });
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return performance.now() - started;
}

async function capture({ dist, temp, agent, cases, width }) {
  const dataset = join(temp, "cases.jsonl");
  writeFileSync(dataset, Array.from({ length: cases }, (_, n) => `{"id":"case ${n}","input":"Go."}\n`).join(""));
  const out = join(temp, "results.jsonl");
  const data = join(temp, "evaluation-data");
  const words = [
    "capture",
    dataset,
    "--agent",
    "generic",
    "--command",
    `${process.execPath} ${agent}`,
    "-j",
    `${width}`,
    "-o",
    out,
    "--force",
  ];
  const { ms, report } = await run(peakOf(dist, words), { ...process.env, XDG_DATA_HOME: data });
  const written = readFileSync(out, "utf8").split("\n").length - 1;
  rmSync(data, { recursive: true, force: true });
  rmSync(out);
  if (written !== cases) throw new Error(`${written} of ${cases} cases were written`);
  return { ms, peak: report.peak };
}

/** Speed of `summarize` and `compare` relative to a bare parse loop, and their peak memory. */
export async function measureResults({ dist, temp, megabytes, say }) {
  const file = join(temp, "large-results.jsonl");
  writeResults(file, megabytes);
  try {
    const bare = await run([new URL("bare.mjs", import.meta.url).pathname, file, "blocking"]);
    const summarize = await run(peakOf(dist, ["summarize", file]));
    const compare = await run(peakOf(dist, ["compare", file, "--json"]));
    say(
      `results of ${megabytes} MB: ${Math.round(bare.ms)} ms bare, ${Math.round(summarize.ms)} summarize, ${Math.round(compare.ms)} compare`,
    );
    return {
      summarize: bare.ms / summarize.ms,
      compare: bare.ms / compare.ms,
      peak: Math.max(summarize.report.peak, compare.report.peak),
    };
  } finally {
    rmSync(file);
  }
}

function writeResults(file, megabytes) {
  const fd = openSync(file, "w");
  const step = (n) => ({
    type: "tool_call",
    name: "Read",
    status: "completed",
    input: { file_path: `/w/${n}.ts` },
    output: "x".repeat(700),
    duration: n,
    timestamp: n,
    stepId: `s-${n}`,
  });
  const trajectory = Array.from({ length: 20 }, (_, n) => step(n));
  let bytes = 0;
  for (let n = 0; bytes < megabytes * 1e6; n++) {
    const line = {
      id: `case ${n >> 1}`,
      input: "Go.",
      output: "Done.",
      trajectory,
      metadata: {},
      timing: { start: n, end: n + 900 },
      toolErrors: false,
    };
    const facts = {
      score: { pass: n % 3 !== 0, score: n % 3 ? 1 : 0 },
      agent: n % 2 ? "b" : "a",
      runs: [],
      status: "completed",
      usage: { input: 5, output: 3 },
      cost: 0.01,
    };
    bytes += writeSync(fd, `${JSON.stringify({ ...line, ...facts })}\n`);
  }
  closeSync(fd);
}

/** The command, with a preload that reports its peak memory. */
function peakOf(dist, words) {
  const script = `
    import { writeSync } from "node:fs";
    process.on("exit", () => writeSync(3, JSON.stringify({ peak: process.resourceUsage().maxRSS * 1024 })));
    process.argv = [process.argv[0], ${JSON.stringify(join(dist, "cli/harness.js"))}, ...${JSON.stringify(words)}];
    await import(${JSON.stringify(`file://${join(dist, "cli/harness.js")}`)});`;
  return ["--input-type=module", "--eval", script];
}
