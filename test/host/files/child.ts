import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildSync } from "esbuild";

/** Small programs around `src/host/files`, run as separate processes, for what a test must not do to its own process. */

const FAULTS = join(import.meta.dirname, "faults.mjs");

const directories: string[] = [];
const programs = new Map<string, string>();
const children = new Set<ChildProcess>();

export function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "harness-store-"));
  directories.push(path);
  return path;
}

/** Ends and removes everything the tests of a file have made. */
export function cleanUp(): void {
  programs.clear();
  for (const child of children) child.kill("SIGKILL");
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** Writes a module that any Node can run and any user can read; it imports from `src/…`. Returns its path. */
export function program(source: string): string {
  const made = programs.get(source) ?? bundled(source);
  programs.set(source, made);
  return made;
}

function bundled(source: string): string {
  const folder = directory();
  chmodSync(folder, 0o755);
  const outfile = join(folder, "program.mjs");
  const contents = source.replaceAll('"src/', '"../../../src/');
  const stdin = { contents, resolveDir: import.meta.dirname, loader: "ts" as const };
  buildSync({ stdin, outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" });
  return outfile;
}

/** A user without privileges, because root may do everything. Undefined if we are not root, or if that user cannot run Node. */
export function unprivilegedUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return spawnSync(process.execPath, ["-e", "0"], { uid: NOBODY, gid: NOBODY, cwd: "/" }).status === 0 ? NOBODY : undefined;
}

const NOBODY = 65534;

interface Options {
  readonly args?: readonly string[];
  /** A shell command to run first, such as `umask 777`. */
  readonly shell?: string;
  /** Loads `faults.mjs` and arms this fault. */
  readonly fault?: object;
  /** Runs as a different user, which only root can do. */
  readonly user?: number | undefined;
}

/** Starts the program with pipes for input and output. */
export function start(path: string, { args = [], shell = ":", fault, user }: Options = {}): Child {
  const preload = fault === undefined ? [] : ["--import", FAULTS];
  const child = spawn("sh", ["-c", `${shell}; exec "$@"`, "sh", process.execPath, ...preload, path, ...args], {
    env: { ...process.env, FAULT: JSON.stringify(fault) },
    cwd: "/",
    stdio: ["pipe", "pipe", "inherit"],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  children.add(child);
  const exit = new Promise<void>((resolve) => {
    child.once("exit", () => {
      children.delete(child);
      resolve();
    });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? -1,
    async answer() {
      const { value, done } = await lines.next();
      if (done) {
        await exit;
        throw new Error(`The program ended (${child.exitCode ?? child.signalCode}) without an answer.`);
      }
      return JSON.parse(value);
    },
    say: (line) => child.stdin.write(`${line}\n`),
    async kill(signal) {
      child.kill(signal);
      if (signal === "SIGKILL") await exit;
    },
    async end() {
      child.stdin.end();
      await exit;
      return child.exitCode;
    },
  };
}

/** Runs the program to its end and returns the one line it printed. */
export async function run(path: string, options: Options = {}): Promise<unknown> {
  const child = start(path, options);
  const answer = await child.answer();
  await child.end();
  return answer;
}

export interface Child {
  readonly pid: number;
  /** The next line it prints, as JSON. */
  answer(): Promise<unknown>;
  say(line: string): void;
  /** Resolves when a killed program is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Closes its input and waits for its exit code. */
  end(): Promise<number | null>;
}
