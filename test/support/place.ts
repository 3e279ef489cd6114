import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import type { RunManifest, Seal } from "../../src/host/recording/format/run-manifest.ts";
import { parseJsonLines } from "../../src/pure/base/index.ts";
import { BIN } from "./harness.ts";

/** Far longer than any test takes on a busy machine. */
export const LONG_MS = 30_000;

/** One of the programs in `agents/`. */
export function agent(name: string): string {
  return join(import.meta.dirname, "agents", name);
}

/** `--command` for the generic agent: a program from `agents/` with its arguments. */
export function command(name: string, ...args: readonly string[]): readonly string[] {
  return ["--agent", "generic", "--command", [agent(name), ...args].map(quoted).join(" ")];
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export interface Done {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly done: Promise<Done>;
  /** Its stdout so far. */
  readonly text: () => string;
  /** Resolves when it has printed this on stdout, or has ended. */
  readonly printed: (text: string) => Promise<void>;
}

export interface Where {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Its stdin; null leaves it open. */
  readonly stdin?: string | Buffer | null;
  readonly cwd?: string;
  readonly node?: readonly string[];
}

/** A separate data directory, and the program running in it. */
export interface Place {
  readonly root: string;
  readonly runs: string;
  readonly sessions: string;
  readonly start: (args: readonly string[], where?: Where) => Started;
  readonly harness: (args: readonly string[], where?: Where) => Promise<Done>;
  readonly run: (args: readonly string[], where?: Where) => Promise<Done>;
  /** The recordings, oldest first. */
  readonly recordings: () => readonly Recorded[];
  /** The only recording. */
  readonly recording: () => Recorded;
  /** Starts any program there, like `start`. */
  readonly spawn: (program: string, args: readonly string[], where?: Where, options?: SpawnOptions) => Started;
}

const places: string[] = [];

export function place(): Place {
  const base = mkdtempSync(join(tmpdir(), "harness-run-"));
  places.push(base);
  const root = join(base, "harness");
  const runs = join(root, "runs");
  const sessions = join(root, "sessions");
  const work = join(base, "work"); // its own: a daemon that another test leaves would be noticed
  mkdirSync(work);

  function spawnIn(program: string, args: readonly string[], where: Where = {}, options: SpawnOptions = {}): Started {
    const { NO_COLOR: _1, FORCE_COLOR: _2, NODE_OPTIONS: _3, ...rest } = process.env;
    const env = { ...rest, XDG_DATA_HOME: base, XDG_CONFIG_HOME: join(base, "config"), ...where.env };
    return watched(spawn(program, args, { cwd: where.cwd ?? work, env, ...options }), where.stdin === undefined ? "" : where.stdin);
  }

  const start = (args: readonly string[], where: Where = {}) => spawnIn(process.execPath, [...(where.node ?? []), BIN, ...args], where);
  const recordings = () =>
    existsSync(runs)
      ? readdirSync(runs)
          .filter((id) => !id.startsWith("."))
          .sort()
          .map((id) => recorded(join(runs, id), sessions, id))
      : [];
  return {
    root,
    runs,
    sessions,
    start,
    spawn: spawnIn,
    harness: (args, where) => start(args, where).done,
    run: (args, where) => start(["run", "--prompt", "Go.", ...args], where).done,
    recordings,
    recording() {
      const all = recordings();
      expect(all).toHaveLength(1);
      return all[0] as Recorded;
    },
  };
}

/** Removes everything the tests of a file have made. */
export function cleanUp(): void {
  for (const path of places.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

function watched(child: ChildProcess, stdin: string | Buffer | null): Started {
  const begin = performance.now();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const text = () => Buffer.concat(stdout).toString();
  let look: () => void = () => {};
  let isOver = false;
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout.push(chunk);
    look();
  });
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin?.on("error", () => {}); // the program may not read to the end
  if (stdin !== null) child.stdin?.end(stdin);
  const done = new Promise<Done>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      isOver = true;
      look();
      resolve({ code, signal, stdout: text(), stderr: Buffer.concat(stderr).toString(), ms: performance.now() - begin });
    });
  });
  return {
    child,
    pid: child.pid ?? 0,
    done,
    text,
    printed: (wanted) =>
      new Promise((resolve) => {
        look = () => {
          if (isOver || text().includes(wanted)) resolve();
        };
        look();
      }),
  };
}

/** The files of one run. */
export interface Recorded {
  readonly id: string;
  readonly directory: string;
  readonly manifest: RunManifest;
  /** Undefined until the run is sealed. */
  readonly sealed: Seal | undefined;
  readonly raw: string;
  readonly stderr: string;
  /** The events of the activity view. */
  readonly activity: readonly Record<string, unknown>[];
  /** The records of the stream view. */
  readonly stream: readonly Record<string, unknown>[];
}

function recorded(directory: string, sessions: string, id: string): Recorded {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
  const manifest = JSON.parse(read(join(directory, "run.json"))) as RunManifest;
  return {
    id,
    directory,
    manifest,
    sealed: manifest.sealed,
    get raw() {
      return read(join(directory, "raw.jsonl"));
    },
    get stderr() {
      return read(join(directory, "stderr.log"));
    },
    get activity() {
      return jsonLines(read(join(directory, "events.jsonl"))); // complete only after the run is sealed
    },
    get stream() {
      return jsonLines(read(join(sessions, `${id}.ndjson`)));
    },
  };
}

export function jsonLines(text: string): Record<string, unknown>[] {
  return parseJsonLines(text);
}

/** Every stream of a run begins and ends like this, whatever happens. */
export function expectWhole(stream: readonly Record<string, unknown>[]): void {
  expect(stream[0]?.["type"]).toBe("SessionStart");
  expect(stream.at(-1)?.["type"]).toBe("Result");
  expect(stream.filter(({ type }) => type === "SessionStart")).toHaveLength(1);
  expect(stream.filter(({ type }) => type === "Result")).toHaveLength(1);
}

/** Live processes of a run: those that carry its cookie and are not zombies, and the watcher, which has it as an argument. */
export function processesOf({ cookie }: RunManifest): readonly number[] {
  const mark = `HARNESS_RUN_COOKIE=${cookie}`;
  return [...carrying(mark), ...carrying(mark, "cmdline")];
}

/** Live processes with this in their environment. Empty on systems without /proc. */
export function carrying(text: string, file: "environ" | "cmdline" = "environ"): readonly number[] {
  const pids = existsSync("/proc/self/environ") ? readdirSync("/proc").map(Number).filter(Number.isInteger) : [];
  return pids.filter((pid) => isAlive(pid) && procFile(pid, file).includes(text));
}

export function isAlive(pid: number): boolean {
  const stat = procFile(pid, "stat").toString();
  return stat !== "" && !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
}

export function procFile(pid: number, name: string): Buffer {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    return Buffer.alloc(0);
  }
}

/** All processes of the run are gone two seconds after its end, or a little later on a busy machine. */
export async function expectNoOrphan({ manifest }: Recorded): Promise<void> {
  await eventually(() => expect(processesOf(manifest)).toEqual([]));
}

/** Retries until the check passes. */
export async function eventually(check: () => void, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  for (;;) {
    try {
      return check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(20);
    }
  }
}

export function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Runs `work` for `width` items at a time. */
export async function inParallel<T>(width: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
