import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Summary } from "../../../src/work/conformance/summary.ts";
import { bash, cleanUp, directory, harness, hasTerminal, jsonLines, type Ran, terminal } from "../../support/harness.ts";
import { fakeCodex } from "./fake-codex.ts";

/** Runs `harness conformance` as users do, with a small program on PATH in place of Codex. */

afterAll(cleanUp);

/** Pretends that the network is already cut off; to cut it off, the program starts itself again. */
const NO_NETWORK = { HARNESS_WITHOUT_NETWORK: "1" };

/** The cache is empty, and PATH has only what every system has. */
function conformance(args: readonly string[], { bin = "", env = {} }: { bin?: string; env?: Record<string, string> } = {}): Promise<Ran> {
  const surroundings = { ...NO_NETWORK, PATH: pathOf(bin), XDG_CACHE_HOME: directory(), HOME: directory() };
  return harness(["conformance", ...args], { env: { ...surroundings, ...env } });
}

function pathOf(bin: string): string {
  return [bin, "/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"].filter((each) => each !== "").join(":");
}

describe("with a CLI of that name on PATH", () => {
  test("a scenario that passes: exit code 0, and everything as JSON", async () => {
    const { code, stdout, stderr } = await conformance(["codex", "--scenario", "one-turn", "--json"], {
      bin: fakeCodex(directory()),
      env: { HARNESS_WITHOUT_NETWORK: "" }, // really cut off
    });
    expect({ code, stderr: stderr.replace(/^harness: This machine cannot.*\n/, "") }).toEqual({ code: 0, stderr: "" });
    const summary = JSON.parse(stdout) as Summary;
    expect(summary).toMatchObject({
      agent: "codex",
      version: "0.999.1",
      label: "codex-cli 0.999.1",
      good: 1,
      runs: 1,
      lines: 4,
      explained: 100,
      unexplained: [],
      operations: { right: 0, wrong: 0, missing: 0 },
      usage: { input: { equal: 1 }, cacheRead: { equal: 1 }, output: { equal: 1 } },
      status: { right: 1, wrong: 0 },
      drift: { newTypes: [], newFields: [], vanishedTypes: [], vanishedFields: [] },
      scenarios: [{ scenario: "one-turn", problems: [], requests: 1, status: { expected: "completed", found: "completed" } }],
    });
  });

  test("a scenario that fails: exit code 1, the difference, and the drift of its format", async () => {
    const bin = fakeCodex(directory(), { tokens: 5, more: { mood: "good" } });
    const { code, stdout } = await conformance(["codex", "--scenario", "one-turn"], { bin });
    expect(code).toBe(1);
    expect(stdout).toContain("codex, codex-cli 0.999.1: 0 of 1 runs match their scenario\n✗  one-turn");
    expect(stdout).toContain("      usage, input: expected 120, found 125\n");
    expect(stdout).toContain("   drift       new in turn.completed: mood\n");
    expect(stdout).not.toContain("\x1b");
  });

  test("drift alone is reported but is not a failure; --report writes a page, --keep leaves the runs", async () => {
    const [folder, kept] = [directory(), directory()];
    const bin = fakeCodex(folder, { more: { mood: "good" } });
    const page = join(folder, "page.md");
    const { code, stdout } = await conformance(["codex", "--scenario", "one-turn", "--keep", "--report", page], {
      bin,
      env: { TMPDIR: kept },
    });
    expect(code).toBe(0);
    expect(stdout).toContain("new in turn.completed: mood");
    expect(readFileSync(page, "utf8")).toMatch(/\| `codex` \| codex-cli 0\.999\.1 \| 1 /);
    const [run = ""] = readdirSync(kept).filter((name) => name.startsWith("harness-conformance-"));
    expect(stdout).toContain(join(kept, run));
    expect(readdirSync(join(kept, run, "data/harness/runs"))).toHaveLength(1);
  });

  test.runIf(hasTerminal)("in a terminal: progress and colors", async () => {
    const bin = fakeCodex(directory());
    const env = { ...NO_NETWORK, PATH: pathOf(bin), XDG_CACHE_HOME: directory() };
    const { code, text } = await terminal(["conformance", "codex", "--scenario", "one-turn"], env);
    expect(code).toBe(0);
    expect(text).toContain("harness: 1 of 1 runs; last codex one-turn");
    expect(text).toContain("\x1b[32mcodex, codex-cli 0.999.1: 1 of 1 runs");
    const plain = await terminal(["conformance", "codex", "--scenario", "one-turn"], { ...env, NO_COLOR: "1" });
    expect(plain.text).not.toContain("\x1b[32m");
  });
});

describe("impossible runs give one sentence and exit code 2", () => {
  test.each<[args: string[], sentence: string]>([
    [["goose"], "goose 1.52.0 is neither on PATH nor in "],
    [["goose", "codex"], "None of these agents is on PATH or in the cache. Install one, or download"],
    [["unknown-agent"], 'There is no pinned agent called "unknown-agent".'],
    [["gose"], "Did you mean goose?"],
    [["--scenario", "one-tern"], "Did you mean one-turn?"],
    [["--jobs", "0"], "Pass a whole number, 1 or more."],
  ])("%j", async (args, sentence) => {
    const { code, stdout, stderr } = await conformance(args);
    expect({ code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({ code: 2, stdout: "", lines: 1 });
    expect(stderr).toContain(sentence);
  });

  test("no selected scenario applies to the selected agents", async () => {
    const { code, stderr } = await conformance(["codex", "--scenario", "turn-limit"], { bin: fakeCodex(directory()) });
    expect(code).toBe(2);
    expect(stderr).toContain("None of the selected scenarios applies to the selected agents");
  });

  test("a registry that cannot be reached", async () => {
    const env = { npm_config_registry: "http://127.0.0.1:9", npm_config_fetch_retries: "0", npm_config_cache: directory() };
    const bin = dirname(process.execPath);
    const cache = directory();
    const { code, stderr } = await conformance(["pi", "--install"], { bin, env: { ...env, XDG_CACHE_HOME: cache } });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /harness: Cannot download @\S+ .*The first installation needs the npm registry: try again when you can reach it\.\n$/,
    );
    expect(stderr).not.toContain("127.0.0.1");
    expect(readdirSync(join(cache, "harness/agents"))).toEqual([]);
  });
});

test("a missing agent is reported, and the others run", async () => {
  const { code, stdout, stderr } = await conformance(["codex", "goose", "--scenario", "one-turn"], { bin: fakeCodex(directory()) });
  expect(code).toBe(0);
  expect(stderr).toContain("goose 1.52.0 is neither on PATH");
  expect(stdout).toContain("codex, codex-cli 0.999.1: 1 of 1");
});

test("with --json a missing agent is an object too", async () => {
  const { stdout, stderr } = await conformance(["goose", "codex", "--scenario", "one-turn", "--json"], { bin: fakeCodex(directory()) });
  const [goose, codex] = jsonLines(stdout);
  expect(goose).toMatchObject({ agent: "goose", version: null, problem: expect.stringContaining("is neither on PATH") });
  expect(codex).toMatchObject({ agent: "codex", good: 1 });
  expect(stderr).not.toContain("goose");
});

test("--record writes a fixture to ./fixtures", async () => {
  const folder = directory();
  mkdirSync(join(folder, "fixtures"));
  const env = { ...NO_NETWORK, PATH: `${fakeCodex(folder)}:${process.env["PATH"]}`, XDG_CACHE_HOME: directory() };
  const program = `"${process.execPath}" "${join(import.meta.dirname, "../../../dist/cli/harness.js")}"`;
  const { code } = await bash(`cd "${folder}" && ${program} conformance codex --scenario one-turn --record`, { env });
  expect(code).toBe(0);
  const fixture = join(folder, "fixtures/codex/one-turn");
  expect(readdirSync(fixture).sort()).toEqual(["meta.json", "raw.jsonl"]);
  expect(JSON.parse(readFileSync(join(fixture, "meta.json"), "utf8"))).toMatchObject({ agent: "codex", version: "codex-cli 0.999.1" });
});
