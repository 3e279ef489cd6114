import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJsonLines } from "../../src/pure/base/index.ts";

export const ROOT = join(import.meta.dirname, "../..");
export const BIN = join(ROOT, "dist/cli/harness.js");
export const RAW = "fixtures/claude/full/raw.jsonl";

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly stdin?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the built program in the repository, with its output in pipes. */
export function harness(args: readonly string[], { stdin = "", env = {} }: Options = {}): Promise<Ran> {
  return collect(spawn(process.execPath, [BIN, ...args], { cwd: ROOT, env: environment(env) }), stdin);
}

/** Runs a bash line in the repository, with `harness` on its PATH. */
export function bash(line: string, { stdin = "", env = {} }: Options = {}): Promise<Ran> {
  return collect(spawn("bash", ["-c", line], { cwd: ROOT, env: environment(env) }), stdin);
}

/** Runs the program in a terminal with 100 columns. Returns both output streams as one text. */
export async function terminal(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; text: string }> {
  const line = `stty cols 100 rows 40; exec ${[process.execPath, BIN, ...args].map(quoted).join(" ")}`;
  const { code, stdout } = await bash(`script -qec ${quoted(line)} /dev/null`, { env: { TERM: "xterm", ...env } });
  return { code, text: stdout.replaceAll("\r\n", "\n") };
}

export const hasTerminal = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

export function hasShell(name: string): boolean {
  return spawnSync(name, ["-c", "true"]).status === 0;
}

/** A file with this content, in its own directory. */
export function file(content: string | Buffer, name = "raw.jsonl"): string {
  const path = join(directory(), name);
  writeFileSync(path, content);
  return path;
}

export function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "harness-cli-"));
  directories.push(path);
  return path;
}

/** Removes everything the tests of a file have made. */
export function cleanUp(): void {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
  bin = undefined;
}

/** Claude Code's lines for these texts. */
export function claudeSays(...texts: readonly string[]): string {
  const message = (text: string, i: number) => ({ id: `msg_${i}`, role: "assistant", content: [{ type: "text", text }] });
  return texts.map((text, i) => `${JSON.stringify({ type: "assistant", message: message(text, i), session_id: "s" })}\n`).join("");
}

export function jsonLines(text: string): Record<string, unknown>[] {
  return parseJsonLines(text);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

const directories: string[] = [];
let bin: string | undefined;

/** Shields the program from the caller's colors, settings and runs; `harness` is the built program. */
function environment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  if (bin === undefined) {
    bin = directory();
    symlinkSync(BIN, join(bin, "harness"));
  }
  const { NO_COLOR: _1, FORCE_COLOR: _2, CI: _3, NODE_OPTIONS: _4, ...rest } = process.env;
  const own = { XDG_DATA_HOME: join(bin, "data"), XDG_CONFIG_HOME: join(bin, "config") };
  return { ...rest, ...own, PATH: `${bin}:${process.env["PATH"]}`, ...extra };
}

function collect(child: ReturnType<typeof spawn>, stdin: string | Buffer): Promise<Ran> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin?.on("error", () => {}); // the program may not read to the end
  child.stdin?.end(stdin);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }));
  });
}
