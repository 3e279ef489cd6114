// Every number comes from a process of its own; the rivals take turns, so that a noisy minute is bad for all of them alike.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./child.mjs";

const here = (name) => new URL(name, import.meta.url);
const path = (name) => here(name).pathname;

/**
 * Time of the bare loop over ours, best against best: 1 would be free. The library is measured as it lives, in a process
 * that goes on: both rivals make their passes in one process each. The command line is measured from its start to its end.
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

/** Peaks of resident memory, in bytes: the highest is what a user must reckon with, the lowest is what two files are compared by. */
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

/** How long it takes to say its version, over the time Node itself takes to start; medians. */
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
