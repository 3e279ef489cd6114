import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, cleanUp, directory, jsonLines, type Ran } from "../../support/harness.ts";

afterAll(cleanUp);

/** A home with a project in it. */
function world(files: Readonly<Record<string, string>> = {}) {
  const home = realpathSync(directory());
  const project = join(home, "project");
  const user = join(home, ".config/harness/harness.toml");
  mkdirSync(project);
  mkdirSync(join(home, ".config/harness"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(name === "user" ? user : join(project, name), text);
  return { home, project, user, run: (...args: string[]) => run(args, project, home) };
}

/** Runs the built program with an environment that has only PATH. */
function run(args: readonly string[], cwd: string, home: string, as: { uid?: number; gid?: number } = {}): Promise<Ran> {
  const env = { HOME: home, PATH: process.env["PATH"] };
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"], ...as });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

const UNSET = ["agent", "model", "permissions", "isolate", "network", "timeout", "idle-timeout", "limit", "view", "tags", "secrets"].map(
  (key) => ({
    key,
    value: null,
    file: null,
  }),
);

describe("config show", () => {
  test.each([[["config"]], [["config", "show"]], [["config", "show", "--json"]]])("%j without any file: nothing is set", async (args) => {
    const { code, stdout, stderr } = await world().run(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(jsonLines(stdout)).toEqual(UNSET);
  });

  test("shows every value with its file, and secrets by name only", async () => {
    const w = world({
      user: 'model = "u"\nsecrets = ["MINE"]\ntags = ["a", "b"]\n[env]\nMINE = "canary-1"\nMY_TOKEN = "canary-2"\nPLAIN = "p"\n[agents.codex.env]\nX_KEY = "canary-3"\n',
      "harness.toml": "timeout = 90\n",
    });
    const file = join(w.project, "harness.toml");
    const { code, stdout, stderr } = await w.run("config", "show");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("canary");
    expect(jsonLines(stdout).filter(({ value }) => value !== null)).toEqual([
      { key: "model", value: "u", file: w.user },
      { key: "timeout", value: "90", file },
      { key: "tags", value: ["a", "b"], file: w.user },
      { key: "secrets", value: ["MINE"], file: w.user },
      { key: "agents.codex.env.X_KEY", value: "(hidden)", file: w.user },
      { key: "env.MINE", value: "(hidden)", file: w.user },
      { key: "env.MY_TOKEN", value: "(hidden)", file: w.user },
      { key: "env.PLAIN", value: "p", file: w.user },
    ]);
  });

  test.each([
    ['modle = "x"', 'harness.toml:1: There is no setting called "modle". Did you mean model? Known: '],
    ["model = ", "harness.toml:1:9: Not valid TOML: "],
    ['view = "steam"', 'harness.toml:1: view must be "activity", "stream", '],
    ['[agents.clade]\nmodel = "x"', 'harness.toml:1: There is no agent called "clade". Did you mean claude? Known: '],
    ['[agents.claude]\nbinary = "./evil"', "harness.toml:2: A project's settings cannot set agents.claude.binary: "],
  ])("%j: one sentence, exit code 2", async (text, sentence) => {
    const w = world({ "harness.toml": text });
    const { code, stdout, stderr } = await w.run("config", "show");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`harness: ${w.project}/${sentence}`);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  test("a file without read permission", async () => {
    const w = world({ "harness.toml": 'model = "x"' });
    chmodSync(join(w.project, "harness.toml"), 0);
    const isRoot = process.getuid?.() === 0;
    const as = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    if (isRoot) for (const path of [w.home, w.project, join(w.home, ".config"), join(w.home, ".config/harness")]) chmodSync(path, 0o755);
    if ((await run(["--version"], "/", w.home, as)).code !== 0) return; // other users cannot enter this directory
    expect(await run(["config", "show"], w.project, w.home, as)).toEqual({
      code: 2,
      stdout: "",
      stderr: `harness: Cannot read the settings in ${w.project}/harness.toml: permission denied. Make it readable or remove it.\n`,
    });
  });
});

describe("config path", () => {
  test("lists the files, the strongest first", async () => {
    const w = world({ user: "not even TOML" });
    const { code, stdout } = await w.run("config", "path");
    expect(code).toBe(0);
    const rows = jsonLines(stdout);
    expect(rows[0]).toEqual({ path: join(w.project, "harness.toml"), scope: "project", state: "absent" });
    expect(rows[1]).toEqual({ path: join(w.home, "harness.toml"), scope: "project", state: "absent" });
    expect(rows.at(-2)).toMatchObject({ path: "/harness.toml", scope: "project" });
    expect(rows.at(-1)).toEqual({ path: w.user, scope: "user", state: "found" });
  });
});

describe("config init", () => {
  test("writes a file that sets nothing, and prints its path", async () => {
    const w = world();
    const path = join(w.project, "harness.toml");
    const { code, stdout, stderr } = await w.run("config", "init");
    expect({ code, stderr, rows: jsonLines(stdout) }).toEqual({ code: 0, stderr: "", rows: [{ path, scope: "project" }] });
    expect(readFileSync(path, "utf8")).toMatch(/^# Settings for harness/);
    expect(jsonLines((await w.run("config", "show")).stdout)).toEqual(UNSET);
  });

  test("--user: a private file in a private directory", async () => {
    const home = realpathSync(directory());
    const { code, stdout } = await run(["config", "init", "--user"], home, home);
    const path = join(home, ".config/harness/harness.toml");
    expect({ code, rows: jsonLines(stdout) }).toEqual({ code: 0, rows: [{ path, scope: "user" }] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, ".config/harness")).mode & 0o777).toBe(0o700);
  });

  test("overwrites only with --force", async () => {
    const w = world({ "harness.toml": 'model = "mine"' });
    const path = join(w.project, "harness.toml");
    expect(await w.run("config", "init")).toEqual({
      code: 2,
      stdout: "",
      stderr: `harness: ${path} already exists. Replace it with --force.\n`,
    });
    expect(readFileSync(path, "utf8")).toBe('model = "mine"');
    expect((await w.run("config", "init", "--force")).code).toBe(0);
    expect(readFileSync(path, "utf8")).not.toContain("mine");
    expect(readdirSync(w.project)).toEqual(["harness.toml"]);
  });

  test("never follows a link, not even with --force", async () => {
    const w = world();
    const target = join(w.home, "target");
    symlinkSync(target, join(w.project, "harness.toml"));
    expect((await w.run("config", "init")).code).toBe(2);
    expect(existsSync(target)).toBe(false);
    writeFileSync(target, "kept");
    expect((await w.run("config", "init", "--force")).code).toBe(0);
    expect(readFileSync(target, "utf8")).toBe("kept");
  });

  test("reports in one sentence why it cannot write", async () => {
    const w = world();
    mkdirSync(join(w.project, "harness.toml"));
    expect(await w.run("config", "init", "--force")).toEqual({
      code: 74,
      stdout: "",
      stderr: `harness: Cannot write ${w.project}/harness.toml: it is a directory.\n`,
    });
    expect(readdirSync(w.project)).toEqual(["harness.toml"]);
    const home = realpathSync(directory());
    writeFileSync(join(home, ".config"), "");
    expect(await run(["config", "init", "--user"], home, home)).toMatchObject({
      code: 74,
      stderr: expect.stringContaining("a part of the path is not a directory"),
    });
  });
});
