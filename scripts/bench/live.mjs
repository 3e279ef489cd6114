// The cost of recording: a run compared with the bare agent, an event with `tail -F`, and memory for runs of different lengths.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";

const TICKS = 150;

const path = (name) => new URL(name, import.meta.url).pathname;

/** The median time of a run of a trivial agent, minus the agent itself, divided by the start time of Node. */
export async function measureRun({ dist, temp, runs, say }) {
  say("cost of a run");
  const times = { node: [], bare: [], run: [] };
  for (let turn = 0; turn < runs; turn++) {
    times.node.push(timed(process.execPath, ["-e", "0"]));
    times.bare.push(timed("/bin/echo", ["hello"]));
    times.run.push(timed(process.execPath, harnessArgs(dist, "/bin/echo hello"), environment(temp)));
  }
  return (median(times.run) - median(times.bare)) / median(times.node);
}

/** The median delay from the agent's write to the event on our stdout, divided by that of `tail -F`. */
export async function measureDelay({ dist, temp, say }) {
  say("delay of an event");
  const ticker = path("ticker.mjs");
  const file = join(temp, "ticks");
  const stdout = openSync(file, "a");
  const tail = spawn("tail", ["-n", "+1", "-F", file], { stdio: ["ignore", "pipe", "ignore"] });
  const straight = delays(tail, (count) => count === TICKS && tail.kill());
  spawn(process.execPath, [ticker, String(TICKS)], { stdio: ["ignore", stdout, "inherit"] });
  const direct = median(await straight);
  closeSync(stdout);
  const ours = spawn(process.execPath, harnessArgs(dist, `${process.execPath} ${ticker} ${TICKS}`), {
    stdio: ["ignore", "pipe", "inherit"],
    env: environment(temp),
  });
  return median(await delays(ours)) / direct;
}

/** The recorder's peak memory in bytes while the agent prints this many megabytes. */
export async function measureLiveMemory({ dist, temp, file, megabytes, say }) {
  say(`memory of a run of ${megabytes} MB`);
  const folder = mkdtempSync(join(temp, "data-"));
  try {
    const agent = `${process.execPath} ${path("flood.mjs")} ${file} ${megabytes}`;
    const args = [
      "--import",
      new URL("peak.mjs", import.meta.url).href,
      ...harnessArgs(dist, agent, ["--agent", "claude", "--view", "activity"]),
    ];
    return (await run(args, environment(folder))).report.peak;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Passes the command as `--command`, or for a named agent as its program with arguments. */
function harnessArgs(dist, command, as) {
  const [binary, ...args] = command.split(" ");
  const how = as === undefined ? ["--agent", "generic", "--command", command] : [...as, "--binary", path("as-agent.sh")];
  const rest = as === undefined ? [] : ["--env", `AGENT=${binary} ${args.join(" ")}`];
  return [join(dist, "cli/harness.js"), "run", ...how, "--prompt", "go", ...rest];
}

function environment(temp) {
  return { ...process.env, XDG_DATA_HOME: temp, XDG_CONFIG_HOME: temp };
}

function timed(command, args, env = process.env) {
  const start = performance.now();
  spawnSync(command, args, { stdio: ["ignore", "ignore", "inherit"], env });
  return performance.now() - start;
}

/** The age of each tick on arrival, in microseconds. */
function delays(child, onCount = () => {}) {
  const ages = [];
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.stdout.on("data", (chunk) => {
      const now = process.hrtime.bigint();
      for (const [, at] of chunk.toString().matchAll(/tick:(\d+)/g)) ages.push(Number(now - BigInt(at)) / 1000);
      onCount(ages.length);
    });
    child.on("close", () => resolve(ages));
  });
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
