// The cost of reducing events to a graph, relative to JSON.parse of the same events. Each measurement runs in a fresh process.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./child.mjs";

const child = new URL("graph-child.mjs", import.meta.url).pathname;

/** A million events: a typical mix with nine text chunks in ten, and one in which every event is a node. */
export async function measureGraph({ dist, runs, events, say }) {
  const library = pathToFileURL(join(dist, "index.js")).href;
  const measured = {};
  for (const kind of ["chunks", "nodes"]) {
    const reports = [];
    for (let turn = 0; turn < runs; turn++) {
      const { report } = await run(["--expose-gc", "--max-old-space-size=4000", child, library, kind, `${events}`]);
      reports.push(report);
    }
    // The best run of each tenth, so that other load does not count.
    const [parsed, reduced] = ["parsed", "reduced"].map((key) =>
      reports[0][key].map((_, i) => Math.min(...reports.map((one) => one[key][i]))),
    );
    const ratio = sum(reduced) / sum(parsed);
    const growth = median(reduced.slice(-5)) / median(reduced.slice(0, 5));
    const retained = Math.min(...reports.map((report) => report.retained));
    say(
      `${kind}: ${ratio.toFixed(2)} × JSON.parse, the second half costs ${growth.toFixed(2)} × the first, ${retained.toFixed(0)} bytes each`,
    );
    measured[kind] = { ratio, growth, retained };
  }
  return measured;
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
