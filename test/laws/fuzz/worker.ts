// A thread that tries the inputs of one parser. The thread that started it watches `progress`, and names the input on which this one hangs.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { inputsOf } from "./inputs.ts";
import { type Parser, problemWith } from "./parser.ts";
import { parsersIn } from "./parsers.ts";
import { removeScratch } from "./scratch.ts";
import type { Report, Watched } from "./watched.ts";

/** `progress`: the index of the input that is being read. */
type Task = Omit<Watched, "worker"> & { readonly progress: SharedArrayBuffer };

/** The fastest of three attempts counts: the first one may include compilation and collections. */
const LONGEST_MS = 1000;
const MB = 1024 * 1024;
/** The memory that a reader may keep after a run of any length. */
const MOST_KEPT = 64 * MB;

const { root, parser: name, seed, first, end, progress } = workerData as Task;
const current = new Int32Array(progress);
const parser = parsersIn(root).find((each) => each.name === name);
if (parser !== undefined) await run(parser);
removeScratch();

async function run(tried: Parser): Promise<void> {
  Error.stackTraceLimit = 0;
  const inputs = inputsOf(tried.name, tried.form, await tried.valid(), seed);
  let slowest = { ms: 0, index: first };
  const before = { kept: keptMemory(), rss: process.memoryUsage.rss() };
  let peak = before.rss;
  for (let index = first; index < end; index++) {
    Atomics.store(current, 0, index);
    const input = inputs(index);
    const { problem, ms } = await timed(tried, input, wallClock);
    if (problem !== undefined) report({ type: "problem", index, problem: await explained(tried, input, problem) });
    const least = ms > slowest.ms ? await quickest(tried, input, ms) : ms;
    if (least > LONGEST_MS) report({ type: "problem", index, problem: `took ${Math.round(least)} ms` });
    if (least > slowest.ms) slowest = { ms: least, index };
    if (index % 5000 === 4999 || input.length > MB) peak = Math.max(peak, process.memoryUsage.rss());
  }
  const kept = keptMemory() - before.kept;
  if (kept > MOST_KEPT) report({ type: "problem", index: end - 1, problem: `kept ${Math.round(kept / MB)} MB after all inputs` });
  report({ type: "done", slowest, peakMb: (peak - before.rss) / MB, keptMb: kept / MB });
}

/** Most inputs are rejected, and a stack trace costs more than a rejection: only what is reported gets one. */
async function explained(tried: Parser, input: string, problem: string): Promise<string> {
  Error.stackTraceLimit = 10;
  try {
    return (await problemWith(tried, input)) ?? problem;
  } finally {
    Error.stackTraceLimit = 0;
  }
}

/** Other programs may keep us waiting, and processor time includes collections in other threads: the least counts. */
async function quickest(tried: Parser, input: string, first: number): Promise<number> {
  let least = first;
  for (const clock of [wallClock, processorClock]) least = Math.min(least, (await timed(tried, input, clock)).ms);
  return least;
}

/** `ms`: the longest time without a break. A stream has breaks between its pieces. */
async function timed(tried: Parser, input: string, clock: () => number): Promise<{ problem: string | undefined; ms: number }> {
  let begin = clock();
  let ms = 0;
  const lap = () => {
    const at = clock();
    ms = Math.max(ms, at - begin);
    begin = at;
  };
  const problem = await problemWith(tried, input, lap);
  lap();
  return { problem, ms };
}

function report(found: Report): void {
  parentPort?.postMessage(found);
}

function wallClock(): number {
  return performance.now();
}

function processorClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The memory in use after a collection. */
function keptMemory(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
