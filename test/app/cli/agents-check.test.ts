import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { claude } from "../../../src/pure/agents/claude/agent.ts";
import { sample } from "../../support/full.ts";
import { cleanUp, directory, file, harness, hasTerminal, jsonLines, ROOT, terminal } from "../../support/harness.ts";

afterAll(cleanUp);

const KEYS = claude.credentials ?? [];
const NO_KEYS = Object.fromEntries(KEYS.map((name) => [name, ""]));

/** A machine with these programs installed, and no settings. */
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
  test("an installed agent: path, version, and the keys that are set", async () => {
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
        warnings: [`This is version 2.9.9; the output format was recorded with ${claude.seen}, and may have changed.`],
      },
    ]);
  });

  test("not installed: exit code 1, and how to install it", async () => {
    const { code, stdout, stderr } = await harness(["agents", "check", "claude-code", "--json"], { env: machine().env });
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(jsonLines(stdout)).toMatchObject([
      {
        id: "claude",
        installed: false,
        path: null,
        version: null,
        problem: expect.stringMatching(/^Program not found on PATH: claude. Install it/),
      },
    ]);
  });

  test("a program that fails still counts as installed", async () => {
    const { env } = machine({ codex: "echo 'no such platform' >&2; exit 3" });
    const { code, stdout } = await harness(["agents", "check", "codex"], { env });
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([{ installed: true, version: null, problem: "it exited with code 3: no such platform" }]);
  });

  test("the program is started once, without keys", async () => {
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

  test("checks the configured program; a flag wins over it", async () => {
    const { root, bin, env } = machine({ claude: "echo 1.1", other: "echo 2.2", third: "echo 3.3" });
    mkdirSync(join(root, ".config/harness"), { recursive: true });
    writeFileSync(join(root, ".config/harness/harness.toml"), '[agents.claude]\nbinary = "~/bin/other"\n');
    const asked = async (...args: string[]) => jsonLines((await harness(["agents", ...args], { env })).stdout);
    expect(await asked("check", "claude")).toMatchObject([{ path: join(bin, "other"), version: "2.2" }]);
    expect(await asked("check", "claude", "--binary", "third")).toMatchObject([{ path: join(bin, "third"), version: "3.3" }]);
    expect((await asked("list")).find(({ id }) => id === "claude")).toMatchObject({ installed: join(bin, "other") });
  });

  test.each([
    [["generic"], "The agent generic has no program to check. Pass one with --binary."],
    [["clade"], 'There is no agent called "clade". Did you mean claude? Known: '],
    [[], "Nothing to check. Pass an agent, its file, a command, or --output <file>."],
    [["a b | c"], "Not a simple command. Pass a program with arguments; for pipes and variables, use sh -c '…'."],
  ])("%j: wrong usage", async (args, sentence) => {
    const { code, stdout, stderr } = await harness(["agents", "check", ...args], { env: machine().env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`harness: ${sentence}`);
  });

  test.skipIf(!hasTerminal)("readable in a terminal, without control characters", async () => {
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

describe("agents check of a command", () => {
  const RAW = join(ROOT, "fixtures/gemini/full/raw.jsonl");

  test("without a prompt, only its version is read", async () => {
    const { root, env } = machine();
    const seen = join(root, "seen");
    writeFileSync(join(root, "tool"), `#!/bin/sh\necho "$*" >> ${seen}\necho 1.0\n`);
    chmodSync(join(root, "tool"), 0o755);
    const { code, stdout } = await harness(["agents", "check", "--", join(root, "tool"), "--json", "{prompt}"], { env });
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toEqual([
      {
        command: [join(root, "tool"), "--json", "{prompt}"],
        likely: null,
        installed: true,
        path: join(root, "tool"),
        version: "1.0",
        seen: null,
        problem: null,
        warnings: ["Nothing was run. Pass --prompt to run it and compare its output with every known format."],
      },
    ]);
    expect(readFileSync(seen, "utf8")).toBe("--version\n");
  });

  test("with a prompt, it runs in an empty directory with a time limit, and nothing is kept", async () => {
    const { root, bin, env } = machine({
      gemini: `case "$1" in --version) echo 9.9.9;; *) echo odd; echo '{"type":"new"}'; /bin/cat ${RAW}; /bin/pwd >> $OUT; /bin/ls >> $OUT; echo "$*" >> $OUT;; esac`,
    });
    const out = join(root, "out");
    const { code, stdout } = await harness(["agents", "check", "gemini -x {prompt}", "--prompt", "Say hi."], { env: { ...env, OUT: out } });
    expect(code).toBe(0);
    const lines = readFileSync(RAW, "utf8").trimEnd().split("\n").length;
    const [check] = jsonLines(stdout);
    expect(check).toMatchObject({
      command: ["gemini", "-x", "{prompt}"],
      likely: "gemini",
      path: join(bin, "gemini"),
      version: "9.9.9",
      run: { status: "completed", exitCode: 0 },
      output: {
        lines: lines + 2,
        speaks: "gemini",
        share: lines / (lines + 2),
        unknown: [
          { kind: "text", count: 1, sample: "odd" },
          { kind: "type new", count: 1, sample: '{"type":"new"}' },
        ],
      },
    });
    expect(check?.["warnings"]).toEqual([expect.stringContaining("This is version 9.9.9"), `2 of ${lines + 2} lines are not understood.`]);
    const [where = "", ...rest] = readFileSync(out, "utf8").trimEnd().split("\n");
    expect(rest).toEqual(["-x Say hi."]);
    expect(existsSync(where)).toBe(false);
    expect(jsonLines((await harness(["sessions", "list"], { env })).stdout)).toEqual([]);
  });

  test("a command that hangs is stopped, one that fails says why, a missing one is exit code 1", async () => {
    const { env } = machine({ slow: "/bin/sleep 60", bad: "echo 'no key' >&2; exit 3" });
    const checked = async (...args: string[]) => harness(["agents", "check", ...args, "--prompt", "x"], { env });
    expect(jsonLines((await checked("slow {prompt}", "--timeout", "300ms")).stdout)).toMatchObject([{ run: { status: "timed_out" } }]);
    expect(jsonLines((await checked("bad {prompt}")).stdout)).toMatchObject([
      { run: { status: "failed", exitCode: 3, lastWords: "no key" }, output: { lines: 0, speaks: null } },
    ]);
    const missing = await checked("nowhere-to-be-found {prompt}");
    expect(missing.code).toBe(1);
    expect(jsonLines(missing.stdout)).toMatchObject([{ installed: false, problem: expect.stringContaining("Program not found on PATH") }]);
  }, 60_000);
});

describe("agents check of an output", () => {
  test.each(sample(["claude", "codex", "cline", "goose", "pi", "gemini", "acp", "antigravity"], 3))(
    "%s is recognised by its output",
    async (id) => {
      const [scenario = ""] = readdirSync(join(ROOT, "fixtures", id)).filter((name) => name === "full" || !name.includes("full"));
      const { stdout } = await harness(["agents", "check", "--output", join(ROOT, "fixtures", id, scenario, "raw.jsonl")]);
      expect(jsonLines(stdout)).toMatchObject([{ output: { speaks: id } }]);
    },
  );

  test("reads standard input; plain text has no format", async () => {
    const { stdout } = await harness(["agents", "check", "--output", "-"], { stdin: "hello\nworld\n" });
    expect(jsonLines(stdout)).toEqual([
      {
        warnings: ["No known format explains half of the output; use the agent generic for it."],
        output: { lines: 2, speaks: null, share: 0, candidates: [], unknown: [{ kind: "text", count: 2, sample: "hello" }] },
      },
    ]);
  });
});

describe("agents check of a file", () => {
  const EXAMPLES = join(ROOT, "docs/examples");

  test("a module, with saved output", async () => {
    const { env } = machine({ parrot: "echo 0.4" });
    const args = ["agents", "check", join(EXAMPLES, "parrot.mjs"), "--output", join(EXAMPLES, "parrot.jsonl")];
    const { code, stdout } = await harness(args, { env });
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toMatchObject([
      {
        id: "parrot",
        file: join(EXAMPLES, "parrot.mjs"),
        version: "0.4",
        warnings: ["1 of 7 lines are not understood."],
        output: { speaks: "parrot", lines: 7, unknown: [{ kind: "kind squawk" }] },
      },
    ]);
  });

  test("reports what is missing", async () => {
    const { env } = machine({ parrot: "echo 0.4" });
    const text = JSON.parse(readFileSync(join(EXAMPLES, "parrot.json"), "utf8"));
    const odd = file(JSON.stringify({ ...text, outputEvents: undefined, sessionMode: "iterative", outptEvents: [] }), "odd.json");
    const [check] = jsonLines((await harness(["agents", "check", odd], { env })).stdout);
    expect(check?.["warnings"]).toEqual([
      "These keys of the schema have no effect: outptEvents.",
      "The schema has no outputEvents: only the result is understood.",
      "The schema is iterative: only one turn is run, and the history template is not used.",
    ]);
    const module = file("export const agent = { id: 'x', binaries: ['parrot'], command() { throw new Error('no') }, open() {} };", "x.mjs");
    const [other] = jsonLines((await harness(["agents", "check", module], { env })).stdout);
    expect(other?.["warnings"]).toEqual([
      `The agent in ${module} failed in command(): no.`,
      "Without terminal: true, a stream that was cut short can count as a success.",
    ]);
    const wrong = await harness(["agents", "check", file("export const agent = { open() {} };", "y.mjs")], { env });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("has no command(), which says how to start it.");
  });
});

const OWN = expect.stringMatching(/dist\/cli\/native\.js$/);

describe("agents list", () => {
  test("shows where each agent is installed", async () => {
    const { bin, env } = machine({ codex: "exit 1" });
    const { code, stdout, stderr } = await harness(["agents"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const all = jsonLines(stdout).map(({ id, installed }) => [id, installed]);
    const installed = all.filter(([id]) => id !== "native" && id !== "rlm");
    expect(all.filter((each) => !installed.includes(each)).map(([, path]) => path)).toEqual([OWN, OWN]); // they are part of this package
    expect(new Map(installed as [string, unknown][])).toEqual(
      new Map([...installed.map(([id]) => [id, null] as const), ["codex", join(bin, "codex")]] as [string, unknown][]),
    );
  });
});
