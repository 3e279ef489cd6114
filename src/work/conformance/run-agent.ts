// Runs one scenario with one agent through `harness run`, then reads the recording.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { scripted, writeFile } from "../../host/sink/index.ts";
import { parseJsonLines } from "../../pure/base/index.ts";
import type { BodyOf, LogRecord } from "../../pure/events/index.ts";
import type { Activity, RunResult, StreamRecord } from "../../pure/views/index.ts";
import type { Asked } from "./corpus-scenario.ts";
import type { SeenRun } from "./judgement.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Settled } from "./settled.ts";

/** Longer than a run's own timeout, in case `harness run` does not enforce it. */
const HARD_LIMIT_MS = 240_000;

/** The longest argument that we pass to a program. */
const LONGEST_ARGUMENT = 100_000;

export interface AgentRun {
  readonly id: string;
  readonly agent: Settled;
  readonly binary: string;
  readonly asked: Asked;
  readonly place: Sandbox;
  /** The script of our command line. */
  readonly cli: string;
  readonly signal: AbortSignal;
}

export interface RecordedRun extends Omit<SeenRun, "ledger" | "workspace"> {
  readonly directory: string;
  readonly milliseconds: number;
  readonly lines: number;
  readonly log: readonly LogRecord[];
  readonly unread: readonly { readonly raw: unknown }[];
}

/** The first run of a session. Only its success matters. */
export async function beginSession(run: AgentRun): Promise<void> {
  const { code, stderr } = await harness(run, ["run", "--agent", run.id, "--binary", run.binary, ...optionsOf(run)]);
  if (code !== 0) throw new Error(`the first run of the session ended with ${code}: ${stderr.trim()}`);
}

/** With `asked.resume`, resumes the session of the last run. */
export async function runAgent(run: AgentRun): Promise<RecordedRun> {
  const { id, binary, asked, place } = run;
  const started = performance.now();
  const before = runsIn(place);
  const whose = asked.resume === undefined ? ["--agent", id] : ["--resume", "last"];
  const prompt = asked.resume ?? asked.prompt;
  const live = await harness(
    run,
    ["run", ...whose, "--binary", binary, ...optionsOf({ ...run, asked: { ...asked, prompt } })],
    asked.signal,
  );
  const milliseconds = performance.now() - started;
  const [name, ...more] = runsIn(place).filter((each) => !before.includes(each));
  if (name === undefined || more.length > 0)
    throw new Error(`harness run recorded ${more.length === 0 ? "no run" : "several runs"}: ${live.stderr.trim()}`);
  const directory = join(runsOf(place), name);
  const view = async (viewId: string) => {
    const { code, stdout, stderr } = await harness(run, ["derive", directory, "--view", viewId]);
    if (code !== 0) throw new Error(`harness derive --view ${viewId} ended with ${code}: ${stderr.trim()}`);
    return stdout;
  };
  const [stream, activity, result] = [await view("stream"), await view("activity"), await view("result")];
  const log = parseJsonLines<LogRecord>(await view("log"));
  return {
    directory,
    milliseconds,
    exitCode: live.code,
    live: {
      "printed live": live.stdout,
      "sessions/<id>.ndjson": readFileSync(join(place.data, "harness/sessions", `${name}.ndjson`), "utf8"),
      "events.jsonl": readFileSync(join(directory, "events.jsonl"), "utf8"),
    },
    derived: { "printed live": stream, "sessions/<id>.ndjson": stream, "events.jsonl": activity },
    stream: parseJsonLines<StreamRecord>(stream),
    lines: linesIn(join(directory, "raw.jsonl")),
    log,
    unread: log.filter((record) => record.type === "unknown"),
    continues: log.flatMap((record) => (isSaid(record) ? [record.continues === true] : [])),
    activity: parseJsonLines<Activity>(activity),
    result: JSON.parse(result) as RunResult,
  };
}

/** Whether `activity` shows it as a message of the main thread. */
function isSaid(record: LogRecord): record is LogRecord & BodyOf<"message"> {
  if (record.type !== "message" || record.role !== "assistant" || record.parent !== undefined) return false;
  return record.text !== "" && record.raw === undefined && record.repeats !== true;
}

/** The name of the first run. */
export function recordedFirst(place: Sandbox): string {
  return [...runsIn(place)].sort()[0] ?? "last";
}

function runsOf({ data }: Sandbox): string {
  return join(data, "harness/runs");
}

function runsIn(place: Sandbox): readonly string[] {
  return existsSync(runsOf(place)) ? readdirSync(runsOf(place)) : [];
}

/** The options of `harness run`. */
export function optionsOf({ agent, asked, place }: AgentRun): readonly string[] {
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

export function promptOf(prompt: string, { folder }: Sandbox): readonly string[] {
  if (prompt.length <= LONGEST_ARGUMENT) return ["--prompt", prompt];
  const file = join(folder, "prompt.txt");
  writeFile(file, scripted(prompt));
  return ["--prompt-file", file];
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs in the workspace, so that no settings from the current folder apply. */
export async function harness(
  { cli, place: { workspace, environment }, signal }: Pick<AgentRun, "cli" | "place" | "signal">,
  args: readonly string[],
  ending?: Asked["signal"],
): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: workspace, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const end = () => child.kill("SIGTERM");
  const limit = setTimeout(() => child.kill("SIGKILL"), HARD_LIMIT_MS);
  signal.addEventListener("abort", end);
  const watch = ending === undefined ? undefined : signalWhen(child, join(workspace, ending.when), ending.name);
  const [stdout, stderr] = [collected(child.stdout), collected(child.stderr)];
  const [code] = (await once(child, "close").finally(() => {
    clearTimeout(limit);
    clearInterval(watch);
    signal.removeEventListener("abort", end);
  })) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Collects a stream; the result returns all of its text so far. */
function collected(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

/** Sends a signal as soon as a file exists. The command to interrupt creates it. */
function signalWhen(child: ChildProcessByStdio<null, Readable, Readable>, file: string, name: NodeJS.Signals): NodeJS.Timeout {
  const watch = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(watch);
    child.kill(name);
  }, 20);
  return watch;
}

/** Counts in chunks: a recording may be longer than the longest string. */
function linesIn(file: string): number {
  const descriptor = openSync(file, "r");
  const piece = Buffer.alloc(1 << 20);
  let lines = 0;
  for (let size = readSync(descriptor, piece); size > 0; size = readSync(descriptor, piece)) {
    for (let at = piece.indexOf(10); at >= 0 && at < size; at = piece.indexOf(10, at + 1)) lines++;
  }
  closeSync(descriptor);
  return lines;
}
