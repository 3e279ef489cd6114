import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { filesHolding } from "../../host/recording/format/support/recorded.ts";
import { cleanUp, directory, harness, jsonLines, ROOT } from "../../support/harness.ts";

/** The options of capture and trials, through the built program, with programs that print like Claude Code and like Codex. */

afterAll(cleanUp);

const AGENT = join(ROOT, "test/work/evaluate/support/cli-agent.mjs");

interface Line extends Record<string, unknown> {
  readonly id: string;
  readonly agent: string;
  readonly output: string;
  readonly timing: { readonly start: number; readonly end: number };
}

function place(rows: readonly object[]) {
  const folder = directory();
  const path = (name: string) => join(folder, name);
  for (const name of ["bin", "home"]) mkdirSync(path(name));
  for (const name of ["claude", "codex"]) symlinkSync(AGENT, path(`bin/${name}`));
  writeFileSync(path("cases.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const env = { XDG_DATA_HOME: path("data"), HOME: path("home"), PATH: `${path("bin")}:${process.env["PATH"]}`, FAKE_LOG: path("log") };
  const out = path("results.jsonl");
  const capture = (args: string) => harness(["capture", path("cases.jsonl"), "--no-check", ...args.split(" "), "-o", out], { env });
  return { folder, path, out, env, capture, lines: () => jsonLines(readFileSync(out, "utf8")) as Line[] };
}

const cases = (count: number, input: string, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ id: `c${n}`, input, ...more }));

describe("selecting cases", () => {
  const rows = Array.from({ length: 12 }, (_, n) => ({
    id: `c${n}`,
    input: "Hello.",
    metadata: { category: n % 2 === 0 ? "ui" : "api", n },
  }));
  const chosen = async (args: string) => {
    const { capture, lines } = place(rows);
    expect((await capture(`--agent claude ${args}`)).code).toBe(0);
    return lines()
      .map(({ id }) => id)
      .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  };

  test("--only, --where", async () => {
    expect(await chosen("--only c3,c1")).toEqual(["c1", "c3"]);
    expect(await chosen("--where category=ui --where n=2 --where n=3 --where n=4")).toEqual(["c2", "c4"]);
  });

  test("--sample and --seed: the same for the same seed", async () => {
    const first = await chosen("--sample 3 --seed 7 --where category=api");
    expect(first).toHaveLength(3);
    expect(await chosen("--sample 3 --seed 7 --where category=api")).toEqual(first);
  });
});

describe("limits", () => {
  test("-j claude=1,codex=2: no more than these in parallel", async () => {
    const { capture, lines, path } = place(cases(5, "do:slow"));
    expect((await capture("--agent claude --agent codex -j claude=1,codex=2 --isolate process")).code).toBe(0);
    expect(lines()).toHaveLength(10);
    const most = new Map<string, number>();
    const now = new Map<string, number>();
    for (const { who, what } of jsonLines(readFileSync(path("log"), "utf8")) as { who: string; what: string }[]) {
      now.set(who, (now.get(who) ?? 0) + (what === "start" ? 1 : -1));
      most.set(who, Math.max(most.get(who) ?? 0, now.get(who) ?? 0));
    }
    expect(most.get("claude")).toBe(1);
    expect(most.get("codex")).toBeLessThanOrEqual(2);
  });

  test("--max-cost: starts nothing once that much was reported, and --append continues", async () => {
    const { capture, lines } = place(cases(5, "Hello."));
    const stopped = await capture("--agent claude -j 1 --max-cost 1");
    expect(stopped).toMatchObject({ code: 1, stderr: expect.stringContaining("$1.00") });
    expect(lines().map(({ cost }) => cost)).toEqual([0.5, 0.5]);
    expect((await capture("--agent claude -j 1 --append")).code).toBe(0);
    expect(lines()).toHaveLength(5);
  });

  test("a 429 pauses only its agent; every attempt is kept", async () => {
    const { capture, lines, env, path } = place([{ id: "busy", input: "do:limited" }, ...cases(4, "do:slow")]);
    expect((await capture("--agent claude --agent codex -j claude=2,codex=1 --retry-infrastructure 2 --isolate none")).code).toBe(0);
    expect(lines()).toHaveLength(10);
    const busy = lines().filter(({ lost }) => lost !== undefined);
    const attempt = { status: "infrastructure", reason: expect.stringContaining("429"), runs: [expect.any(String)] };
    expect(busy).toMatchObject([{ id: "busy", agent: "claude", status: "completed", lost: [attempt] }]);
    const runs = busy.flatMap(({ lost }) => (lost as { runs: string[] }[]).flatMap((each) => each.runs));
    const [from = 0] = runs.map(
      (run) => JSON.parse(readFileSync(join(env.XDG_DATA_HOME, "harness/runs", run, "run.json"), "utf8")).sealed.at,
    );
    const starts = jsonLines(readFileSync(path("log"), "utf8")) as { who: string; what: string; at: number }[];
    const startsOf = (name: string) =>
      starts.flatMap(({ who, what, at }) => (who === name && what === "start" ? [at] : [])).sort((a, b) => a - b);
    const next = startsOf("claude")[2] ?? 0; // after the two that started together, one of which got the 429
    expect(next).toBeGreaterThan(from + 1900);
    expect(startsOf("codex").some((at) => at > from && at < next)).toBe(true);
  });

  test("a case's own timeout stops it as our limit, not as the agent's failure", async () => {
    const { capture, lines } = place([
      { id: "stuck", input: "do:forever", expected: "done", timeout: 1500 },
      ...cases(1, "Hello.", { expected: "hello" }),
    ]);
    expect((await capture("--agent claude -g contains -t 60000")).code).toBe(0);
    const found = new Map(lines().map((line) => [line.id, line]));
    expect(found.get("stuck")).toMatchObject({ status: "timed_out" });
    expect(found.get("stuck")).not.toHaveProperty("score");
    expect(found.get("c0")).toMatchObject({ status: "completed", score: { pass: true } });
  });

  test("without retries the line says that it was lost, not that the agent failed", async () => {
    const { capture, lines } = place([{ id: "busy", input: "do:limited", expected: "done" }]);
    expect((await capture("--agent claude -g contains")).code).toBe(0);
    expect(lines()).toMatchObject([{ status: "infrastructure" }]);
    expect(lines()[0]).not.toHaveProperty("score");
  });
});

describe("homes", () => {
  test("credentials are copied in, never back, and never recorded", async () => {
    const { capture, lines, path, folder } = place(cases(1, "do:credentials"));
    mkdirSync(path("home/.claude"));
    writeFileSync(path("home/.claude/.credentials.json"), "canary-of-the-credentials");
    expect((await capture("--agent claude")).code).toBe(0);
    expect(lines()).toMatchObject([{ output: "logged in" }]);
    expect(readFileSync(path("home/.claude/.credentials.json"), "utf8")).toBe("canary-of-the-credentials");
    expect(readdirSync(path("home"))).toEqual([".claude"]);
    expect(filesHolding(join(folder, "data"), "canary-of-the-credentials")).toEqual([]);
  });

  test("private: only the agent's login; --home inherit: the user's home", async () => {
    for (const [kind, found] of [
      ["private", "own"],
      ["inherit", "all"],
    ]) {
      const { capture, lines, path } = place(cases(1, "do:home"));
      mkdirSync(path("home/.claude"));
      writeFileSync(path("home/.claude/other.json"), "{}");
      expect((await capture(`--agent claude --home ${kind}`)).code).toBe(0);
      const [home = "", tmp = "", what] = (lines()[0]?.output ?? "").split(" ");
      expect(what).toBe(found);
      expect(home === path("home")).toBe(kind === "inherit");
      expect(tmp.startsWith(path("data"))).toBe(true);
    }
  });
});

describe("workspaces", () => {
  test("of a case: a folder next to the data set, a repository's url@ref, and a setup that runs in the copy", async () => {
    const setup = "echo setup > made-by-setup.txt";
    const { capture, lines, path } = place([]);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x", ...args], { cwd: path("work"), stdio: "pipe" });
    mkdirSync(path("work"));
    git("init", "-q", "-b", "main", ".");
    for (const [text, tag] of [
      ["first", "v1"],
      ["second", "v2"],
    ] as const) {
      writeFileSync(path("work/given.txt"), text);
      git("add", ".");
      git("commit", "-qm", tag);
      git("tag", tag);
    }
    git("clone", "-q", "--bare", ".", path("bare.git"));
    const rows = [
      { id: "folder", input: "do:files", workspace: "work" },
      { id: "v1", input: "do:files", workspace: `file://${path("bare.git")}@v1`, setup },
      { id: "main", input: "do:files", workspace: `file://${path("bare.git")}@main` },
      { id: "broken", input: "do:files", setup: "echo why >&2; exit 3" },
    ];
    writeFileSync(path("cases.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    expect((await capture("--agent claude -g contains:first")).code).toBe(1); // the setup of one case failed
    const found = new Map(lines().map((line) => [line.id, line]));
    expect(found.get("folder")?.output).toBe("second -");
    expect(found.get("v1")?.output).toBe("first setup");
    expect(found.get("main")?.output).toBe("second -");
    expect(found.get("broken")).toMatchObject({ status: null, runs: [], errors: ["the setup ended with code 3: why"] });
    expect(found.get("broken")).not.toHaveProperty("score");
    expect(readdirSync(path("work")).sort()).toEqual([".git", "given.txt"]);
  });
});

describe("--append", () => {
  test("rejects a different agent version and different flags, with the difference; --allow-mixed accepts them", async () => {
    const { capture, lines, path } = place(cases(2, "Hello."));
    expect((await capture("--agent claude --only c0")).code).toBe(0);
    writeFileSync(path("bin/version"), "2.2.0 (Claude Code)");
    const version = await capture("--agent claude --append");
    rmSync(path("bin/version"));
    expect(version).toMatchObject({ code: 2, stderr: expect.stringContaining('agentVersion was "2.1.0" and is "2.2.0"') });
    const flag = await capture("--agent claude --append --model opus");
    expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining('model was null and is "opus"') });
    writeFileSync(path("cases.jsonl"), '{"id":"c0","input":"Bye.","metadata":{"a":1}}\n');
    const input = await capture("--agent claude --append");
    expect(input.stderr).toContain('input was "Hello." and is "Bye."; metadata was {} and is {"a":1}');
    expect(lines()).toHaveLength(1);
    writeFileSync(
      path("cases.jsonl"),
      cases(2, "Bye.")
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(""),
    );
    expect((await capture("--agent claude --append --allow-mixed --model opus")).code).toBe(0);
    expect(lines().map(({ id, input: asked, model }) => [id, asked, model])).toEqual([
      ["c0", "Hello.", undefined],
      ["c1", "Bye.", "opus"],
    ]);
  });
});
