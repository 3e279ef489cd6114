// One agent, one scenario, through our own `harness run`; then what the recording it left says.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cli, jsonLines } from "./cli.mjs";

/** Longer than a run's own timeout: for the case that `harness run` does not keep it. */
const HARD_LIMIT_MS = 240_000;

/** What one argument of a program may hold. */
const LONGEST_ARGUMENT = 100_000;

/** The first run of a session: what it did is no matter, as long as it did it. */
export async function beginSession({ id, agent, binary, asked, place, signal }) {
  const args = ["run", "--agent", id, "--binary", binary, ...optionsOf({ agent, asked, place })];
  const { code, stderr } = await harness(args, place, signal);
  if (code !== 0) throw new Error(`the run that was to be resumed ended with ${code}: ${stderr.trim()}`);
}

/** With `asked.resume`, the run that goes on with the session of the last one. */
export async function runAgent({ id, agent, binary, asked, place, signal }) {
  const started = performance.now();
  const before = runsIn(place);
  const whose = asked.resume === undefined ? ["--agent", id] : ["--resume", "last"];
  const wanted = asked.resume === undefined ? asked : { ...asked, prompt: asked.resume };
  const live = await harness(
    ["run", ...whose, "--binary", binary, ...optionsOf({ agent, asked: wanted, place })],
    place,
    signal,
    asked.signal,
  );
  const milliseconds = performance.now() - started;
  const [run, ...more] = runsIn(place).filter((each) => !before.includes(each));
  if (run === undefined || more.length > 0)
    throw new Error(`harness run left ${more.length === 0 ? "no run" : "several runs"}: ${live.stderr.trim()}`);
  const directory = join(place.data, "harness/runs", run);
  const read = (...names) => readFileSync(join(place.data, "harness", ...names), "utf8");
  const view = async (name) => {
    const { code, stdout, stderr } = await harness(["derive", directory, "--view", name], place, signal);
    if (code !== 0) throw new Error(`harness derive --view ${name} ended with ${code}: ${stderr.trim()}`);
    return stdout;
  };
  const [stream, activity, result] = [await view("stream"), await view("activity"), await view("result")];
  return {
    directory,
    milliseconds,
    exitCode: live.code,
    /** What was written while the agent ran, and what the recording gives now. */
    live: {
      "printed live": live.stdout,
      "sessions/<id>.ndjson": read("sessions", `${run}.ndjson`),
      "events.jsonl": read("runs", run, "events.jsonl"),
    },
    derived: { "printed live": stream, "sessions/<id>.ndjson": stream, "events.jsonl": activity },
    stream: jsonLines(stream),
    /** Lines it printed, and those of them that nobody could read. */
    lines: linesIn(join(directory, "raw.jsonl")),
    unread: jsonLines(await view("log")).filter(({ type }) => type === "unknown"),
    activity: jsonLines(activity),
    result: jsonLines(result)[0],
  };
}

function runsIn({ data }) {
  const folder = join(data, "harness/runs");
  return existsSync(folder) ? readdirSync(folder) : [];
}

function optionsOf({ agent, asked, place }) {
  const environment = Object.entries({ ...agent.environment, ...asked.env }).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const model = asked.model ?? agent.model;
  return [
    ...promptOf(asked.prompt, place),
    "--cwd",
    place.workspace,
    "--permissions",
    asked.permissions,
    "--timeout",
    asked.timeout,
    ...(model === undefined ? [] : ["--model", model]),
    ...environment,
    ...agent.options,
    ...asked.options,
    "--",
    ...agent.args,
    ...asked.args,
  ];
}

function promptOf(prompt, { folder }) {
  if (prompt.length <= LONGEST_ARGUMENT) return ["--prompt", prompt];
  const file = join(folder, "prompt.txt");
  writeFileSync(file, prompt);
  return ["--prompt-file", file];
}

/** In the workspace, so that no settings of this repository count. */
async function harness(args, { workspace, environment }, signal, ending) {
  const child = spawn(process.execPath, [cli, ...args], { cwd: workspace, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => child.kill("SIGTERM");
  const limit = setTimeout(() => child.kill("SIGKILL"), HARD_LIMIT_MS);
  signal.addEventListener("abort", end);
  const watch = ending === undefined ? undefined : signalWhen(child, join(workspace, ending.when), ending.name);
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks = [];
    stream.on("data", (chunk) => chunks.push(chunk));
    return chunks;
  });
  const [code] = await once(child, "close").finally(() => {
    clearTimeout(limit);
    clearInterval(watch);
    signal.removeEventListener("abort", end);
  });
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

/** Sends a signal as soon as a file is there: the command that is to be interrupted makes it. */
function signalWhen(child, file, name) {
  const watch = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(watch);
    child.kill(name);
  }, 20);
  return watch;
}

/** Counted in pieces: a recording may be longer than a string can be. */
function linesIn(file) {
  const descriptor = openSync(file, "r");
  const piece = Buffer.alloc(1 << 20);
  let lines = 0;
  for (let size = readSync(descriptor, piece); size > 0; size = readSync(descriptor, piece)) {
    for (let at = piece.indexOf(10); at >= 0 && at < size; at = piece.indexOf(10, at + 1)) lines++;
  }
  closeSync(descriptor);
  return lines;
}
