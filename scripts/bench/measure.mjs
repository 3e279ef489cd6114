// Every number comes from a separate process. The candidates take turns, so that a noisy minute affects all of them.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./child.mjs";

const here = (name) => new URL(name, import.meta.url);
const path = (name) => here(name).pathname;

/**
 * The best time of the bare loop divided by our best: 1 would be free. The library is measured in a long-lived process, with all passes
 * of a candidate in one process. The command line is measured from start to end.
 */
export async function measureSpeed({ dist, file, runs, say }) {
  say("speed of the library");
  const passes = String(runs + 1); // the first brings the file into the page cache
  const blocking = await run([path("bare.mjs"), file, "blocking", passes]);
  const streaming = await run([path("bare.mjs"), file, "streaming", passes]);
  const ours = await run(libraryArgs(dist, file, passes));
  const whole = { blocking: Infinity, streaming: Infinity, cli: Infinity };
  for (let turn = 1; turn <= runs; turn++) {
    say(`speed of the command line ${turn}/${runs}`);
    for (const how of ["blocking", "streaming"]) whole[how] = Math.min(whole[how], (await run([path("bare.mjs"), file, how])).ms);
    whole.cli = Math.min(whole.cli, (await run(cliArgs(dist, file))).ms);
  }
  return {
    library: { blocking: blocking.report.ms / ours.report.ms, streaming: streaming.report.ms / ours.report.ms },
    cli: { blocking: whole.blocking / whole.cli, streaming: whole.streaming / whole.cli },
  };
}

/** Peak resident memory in bytes. Users must expect the highest; the lowest compares two files. */
export async function measureMemory({ dist, file, runs, say }) {
  const library = [];
  const cli = [];
  say("memory");
  for (let turn = 1; turn <= runs; turn++) {
    library.push((await run(libraryArgs(dist, file))).report.peak);
    cli.push((await run(["--import", here("peak.mjs").href, ...cliArgs(dist, file)])).report.peak);
  }
  return { library: range(library), cli: range(cli) };
}

function range(numbers) {
  return { lowest: Math.min(...numbers), highest: Math.max(...numbers) };
}

/** The median time of `--version` divided by the median start time of Node. */
export async function measureStart({ dist, runs, say }) {
  say("start");
  const node = [];
  const harness = [];
  for (let turn = 0; turn < runs; turn++) {
    node.push((await run(["-e", "0"])).ms);
    harness.push((await run([join(dist, "cli/harness.js"), "--version"])).ms);
  }
  return median(harness) / median(node);
}

function libraryArgs(dist, file, passes = 1) {
  return [path("library.mjs"), pathToFileURL(join(dist, "index.js")).href, file, String(passes)];
}

function cliArgs(dist, file) {
  return [join(dist, "cli/harness.js"), "derive", file, "--agent", "claude", "--view", "activity"];
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
