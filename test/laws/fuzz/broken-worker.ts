// Behaves like a parser with every flaw that the watcher must notice.
import { parentPort, workerData } from "node:worker_threads";
import { type Parser, problemWith } from "./parser.ts";

const { first, end, progress } = workerData as { readonly first: number; readonly end: number; readonly progress: SharedArrayBuffer };
const current = new Int32Array(progress);
const kept: string[][] = [];

const broken: Parser = {
  name: "broken",
  form: "text",
  reads: [],
  valid: () => [],
  read(input) {
    while (input === "3");
    if (input === "5") throw new TypeError("broken");
    while (input === "7") kept.push(Array.from({ length: 100_000 }, () => `${Math.random()}`));
  },
};

for (let index = first; index < end; index++) {
  Atomics.store(current, 0, index);
  const problem = await problemWith(broken, String(index));
  if (problem !== undefined) parentPort?.postMessage({ type: "problem", index, problem });
}
parentPort?.postMessage({ type: "done", slowest: { ms: 0, index: first }, peakMb: 0, keptMb: kept.length });
