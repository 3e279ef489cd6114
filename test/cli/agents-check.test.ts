import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { claude } from "../../src/agents/claude.ts";
import { cleanUp, directory, harness, hasTerminal, jsonLines, terminal } from "./harness.ts";

afterAll(cleanUp);

const KEYS = claude.credentials ?? [];
const NO_KEYS = Object.fromEntries(KEYS.map((name) => [name, ""]));

/** A machine on which these programs are installed, and nothing is configured. */
function machine(programs: Readonly<Record<string, string>> = {}) {
  const root = directory();
  const bin = join(root, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return { root, bin, env: { HOME: root, XDG_CONFIG_HOME: "", PATH: bin, ...NO_KEYS } };
}

describe("agents check", () => {
  test("installed: where, in which version, and which keys are set", async () => {
    const { bin, env } = machine({ claude: "echo '2.9.9 (Claude Code)'" });
    const [first = ""] = KEYS;
    const { code, stdout, stderr } = await harness(["agents", "check", "claude"], { env: { ...env, [first]: "sk-canary" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("canary");
    expect(jsonLines(stdout)).toEqual([
      {
        id: "claude",
        title: "Claude Code",
        installed: true,
        path: join(bin, "claude"),
        version: "2.9.9",
        seen: claude.seen,
        credentials: KEYS.map((name) => ({ name, set: name === first })),
        problem: null,
      },
    ]);
  });

  test("not installed: exit code 1, and how to change that", async () => {
    const { code, stdout, stderr } = await harness(["agents", "check", "claude-code", "--json"], { env: machine().env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(jsonLines(stdout)).toMatchObject([
      {
        id: "claude",
        installed: false,
        path: null,
        version: null,
        problem: expect.stringMatching(/^The program claude is in no directory of PATH; install it/),
      },
    ]);
  });

  test("a program that fails is installed all the same", async () => {
    const { env } = machine({ codex: "echo 'no such platform' >&2; exit 3" });
    const { code, stdout } = await harness(["agents", "check", "codex"], { env });
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([{ installed: true, version: null, problem: "it exited with code 3: no such platform" }]);
  });

  test("the program is asked once, without keys", async () => {
    const { root, env } = machine();
    const seen = join(root, "seen");
    const tool = join(root, "tool");
    writeFileSync(tool, `#!/bin/sh\n/usr/bin/env >> ${seen}\necho "args=$*" >> ${seen}\necho 1.0\n`);
    chmodSync(tool, 0o755);
    const { code } = await harness(["agents", "check", "claude", "--binary", tool], { env: { ...env, ANTHROPIC_API_KEY: "sk-canary" } });
    expect(code).toBe(0);
    const lines = readFileSync(seen, "utf8");
    expect(lines).not.toContain("canary");
    expect(lines.match(/^args=.*$/gm)).toEqual(["args=--version"]);
  });

  test("the configured program is the one that is looked at; a flag goes before it", async () => {
    const { root, bin, env } = machine({ claude: "echo 1.1", other: "echo 2.2", third: "echo 3.3" });
    mkdirSync(join(root, ".config/harness"), { recursive: true });
    writeFileSync(join(root, ".config/harness/harness.toml"), '[agents.claude]\nbinary = "~/bin/other"\n');
    const asked = async (...args: string[]) => jsonLines((await harness(["agents", ...args], { env })).stdout);
    expect(await asked("check", "claude")).toMatchObject([{ path: join(bin, "other"), version: "2.2" }]);
    expect(await asked("check", "claude", "--binary", "third")).toMatchObject([{ path: join(bin, "third"), version: "3.3" }]);
    expect((await asked("list")).find(({ id }) => id === "claude")).toMatchObject({ installed: join(bin, "other") });
  });

  test.each([
    [["generic"], "Any command has no program of its own to check; give one with --binary."],
    [["clade"], 'There is no agent called "clade". Did you mean claude? Known: '],
    [[], "Missing required argument 'id'. "],
  ])("%j: wrong usage", async (args, sentence) => {
    const { code, stdout, stderr } = await harness(["agents", "check", ...args], { env: machine().env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`harness: ${sentence}`);
  });

  test.skipIf(!hasTerminal)("readable in a terminal, and harmless", async () => {
    const { env } = machine({ claude: `printf '1.0 \\033]0;title\\007\\n' >&2; exit 1` });
    const { PATH: _, ...rest } = env; // `script` needs its own
    const path = join(env.PATH, "claude");
    const { code, text } = await terminal(["agents", "check", "claude", "--binary", path], rest);
    expect(code).toBe(0);
    expect(text).toMatch(/^agent {9}Claude Code \(claude\)\ninstalled {5}yes\npath {10}\/.*claude\nversion {7}1\.0\nseen {10}\d/);
    expect(text).toMatch(/^keys set {6}–\nkeys not set {2}[A-Z_]+/m);
    expect(text).toContain("problem");
    expect(text.includes("\u001b")).toBe(false);
  });
});

describe("agents list", () => {
  test("says where each is installed", async () => {
    const { bin, env } = machine({ codex: "exit 1" });
    const { code, stdout, stderr } = await harness(["agents"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const installed = jsonLines(stdout).map(({ id, installed }) => [id, installed]);
    expect(new Map(installed as [string, unknown][])).toEqual(
      new Map([...installed.map(([id]) => [id, null] as const), ["codex", join(bin, "codex")]] as [string, unknown][]),
    );
  });
});
