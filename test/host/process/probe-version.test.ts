import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { probeVersion } from "../../../src/host/process/probe-version.ts";

const root = mkdtempSync(join(tmpdir(), "harness-probe-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;

function program(script: string): string {
  const path = join(root, `program-${count++}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const SECRETS = { ANTHROPIC_API_KEY: "sk-canary", HTTPS_PROXY: "http://127.0.0.1:1", CLAUDECODE: "1", NODE_OPTIONS: "--bad" };
const parent = { PATH: process.env["PATH"], LANG: "C", ...SECRETS };

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.startsWith("Z") === false;
  } catch {
    return false;
  }
}

describe("probeVersion", () => {
  test.each([
    ["echo 2.1.325 '(Claude Code)'", "2.1.325"],
    ["echo codex-cli 0.166.0", "0.166.0"],
    ["echo v1.2.3-beta.1+x", "1.2.3-beta.1+x"],
    ["echo; echo; echo ' 1.52'", "1.52"],
    ["echo 1.0.0 >&2", "1.0.0"],
  ])("%s", async (script, version) => {
    expect(await probeVersion(program(script), parent)).toEqual({ version, problem: null, isBroken: false });
  });

  test.each([
    ["echo hello", { version: null, problem: "it printed no version", isBroken: false }],
    ["true", { version: null, problem: "it printed no version", isBroken: false }],
    ["exit 3", { version: null, problem: "it exited with code 3", isBroken: true }],
    [
      "echo 'Node 20.1 is too old' >&2; exit 1",
      { version: "20.1", problem: "it exited with code 1: Node 20.1 is too old", isBroken: true },
    ],
    ["kill -9 $$", { version: null, problem: "it was ended by SIGKILL", isBroken: true }],
  ])("%s", async (script, expected) => {
    expect(await probeVersion(program(script), parent)).toEqual(expected);
  });

  test("the program sees a temporary home, no key, no proxy, no terminal, and an empty stdin", async () => {
    const seen = join(root, "seen");
    const script = `{ env; echo "cwd=$(pwd)"; echo "args=$*"; echo "stdin=$(cat | wc -c)"; (: </dev/tty) 2>/dev/null && echo tty; } > ${seen}; touch "$HOME/left"; echo 1.0`;
    expect(await probeVersion(program(script), parent)).toEqual({ version: "1.0", problem: null, isBroken: false });
    const lines = readFileSync(seen, "utf8");
    for (const name of Object.keys(SECRETS)) expect(lines).not.toContain(name);
    const home = /^HOME=(.*)$/m.exec(lines)?.[1] ?? "";
    expect(home).not.toBe(process.env["HOME"]);
    for (const name of ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR", "cwd"])
      expect(lines).toContain(`${name}=${home}\n`);
    expect(lines).toMatch(/^args=--version$/m);
    expect(lines).toMatch(/^stdin=\s*0$/m);
    expect(lines).not.toMatch(/^tty$/m);
    expect(existsSync(home)).toBe(false);
  });

  test("ends a program that hangs and ignores signals, with all its children", async () => {
    const pids = join(root, "pids");
    const script = `trap '' TERM INT HUP; sleep 300 & echo $! > ${pids}; echo $$ >> ${pids}; echo 9.9; while :; do sleep 1; done`;
    const start = performance.now();
    expect(await probeVersion(program(script), parent, { patienceMs: 2000 })).toEqual({
      version: "9.9",
      problem: "it did not answer within 2 s: 9.9",
      isBroken: true,
    });
    expect(performance.now() - start).toBeLessThan(20_000);
    const started = readFileSync(pids, "utf8").trim().split("\n").map(Number);
    expect(started.length).toBe(2);
    await expect.poll(() => started.filter(isAlive), { timeout: 10_000 }).toEqual([]); // a killed process takes a moment to die
  });

  test("a child that keeps the output open delays nothing", async () => {
    const pids = join(root, "background");
    const start = performance.now();
    expect(await probeVersion(program(`sleep 300 & echo $! > ${pids}; echo 1.1`), parent)).toMatchObject({ version: "1.1", problem: null });
    expect(performance.now() - start).toBeLessThan(9000);
    await expect.poll(() => isAlive(Number(readFileSync(pids, "utf8"))), { timeout: 10_000 }).toBe(false);
  });

  test("cuts endless output", async () => {
    const { version, problem } = await probeVersion(program("exec yes 1.2.3"), parent, { patienceMs: 60_000 });
    expect(version).toBe("1.2.3");
    expect(problem).toMatch(/^it printed far more than a version/);
  });

  test("nothing is left behind", () => {
    const own = readdirSync(tmpdir()).filter((name) => name.startsWith("harness-probe-") && !name.startsWith("harness-probe-test-"));
    expect(own.filter((name) => existsSync(join(tmpdir(), name, "home", "left")))).toEqual([]);
  });
});
