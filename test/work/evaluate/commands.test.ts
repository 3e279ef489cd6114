import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, cleanUp, directory, harness, jsonLines, type Ran } from "../../support/harness.ts";

/** The evaluation commands, through the built program, with small agents as real processes. */

afterAll(cleanUp);

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string, mode?: number) => string;
  readonly run: (...args: string[]) => Promise<Ran>;
}

function place(): Place {
  const folder = directory();
  const env = { XDG_DATA_HOME: join(folder, "data") };
  const path = (name: string) => join(folder, name);
  return {
    folder,
    env,
    path,
    write(name, text, mode = 0o600) {
      writeFileSync(path(name), text);
      chmodSync(path(name), mode);
      return path(name);
    },
    run: (...args) => harness(args, { env }),
  };
}

/** Repeats its prompt and writes it down. */
const AGENT = '#!/bin/sh\necho "$1"\necho "$1" > said.txt\n';
const CASES = ["Hello there", "Bye"]
  .map((input, index) => JSON.stringify({ id: `c${index}`, input, expected: "Hello", metadata: { n: index } }))
  .join("\n");

function ready(): Place & { readonly agent: readonly string[]; readonly cases: string; readonly out: string } {
  const here = place();
  const program = here.write("agent", AGENT, 0o700);
  const cases = here.write("cases.jsonl", CASES);
  return { ...here, cases, agent: ["--agent", "generic", "--command", `${program} {prompt}`], out: here.path("results.jsonl") };
}

const linesOf = (path: string) => jsonLines(readFileSync(path, "utf8")) as Record<string, unknown>[];

describe("capture", () => {
  test("one line per case with its run; the views of that run give the same steps", async () => {
    const { run, cases, agent, out, env } = ready();
    expect(await run("capture", cases, ...agent, "-g", "contains", "-o", out, "-j", "2")).toMatchObject({ code: 0, stdout: "" });
    const lines = linesOf(out).sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1));
    expect(lines).toMatchObject([
      {
        id: "c0",
        input: "Hello there",
        output: "Hello there\n",
        expected: "Hello",
        status: "completed",
        score: { pass: true, score: 1 },
        toolErrors: false,
      },
      { id: "c1", input: "Bye", score: { pass: false, score: 0 }, metadata: { n: 1, agent: "generic" } },
    ]);
    for (const line of lines) {
      const [id = ""] = line["runs"] as string[];
      const derived = await harness(["derive", id, "--view", "trajectory"], { env });
      expect(jsonLines(derived.stdout)).toEqual(line["trajectory"]);
      const [record] = jsonLines((await harness(["derive", id, "--view", "capture"], { env })).stdout);
      expect(record).toMatchObject({ id: line["id"], input: line["input"], output: line["output"], trajectory: line["trajectory"] });
    }
  });

  test("every case has its own workspace, home and temporary folder, and they are gone afterwards", async () => {
    const { run, write, cases, out, path, env } = ready();
    mkdirSync(path("template"));
    writeFileSync(path("template/given.txt"), "given");
    const spy = write("spy", '#!/bin/sh\ncat given.txt\necho "$PWD"; echo "$HOME"; echo "$TMPDIR"\necho changed > given.txt\n', 0o700);
    const { code } = await run(
      "capture",
      cases,
      "--agent",
      "generic",
      "--command",
      `${spy} {prompt}`,
      "--workspace",
      path("template"),
      "-o",
      out,
    );
    expect(code).toBe(0);
    const seen = linesOf(out).map(({ output }) => String(output).split("\n"));
    expect(seen.flatMap((lines) => lines.slice(0, 1)).every((line) => line.startsWith("given"))).toBe(true);
    const folders = seen.flatMap((lines) => lines.slice(0, 4)).flatMap((line) => /\/.*$/.exec(line) ?? []);
    expect(new Set(folders).size).toBe(folders.length);
    for (const folder of folders) expect(existsSync(folder)).toBe(false);
    expect(readFileSync(path("template/given.txt"), "utf8")).toBe("given");
    expect(readdirSync(join(env["XDG_DATA_HOME"] ?? "", "harness/evaluations/work"))).toEqual([]);
  });

  test.each<[string, (here: ReturnType<typeof ready>) => string[], string]>([
    [
      "a data set with a mistake",
      (here) => [here.write("bad.jsonl", '{"id":"a"}'), ...here.agent, "-o", here.out],
      'bad.jsonl:1: a case needs an "input"',
    ],
    ["a missing grader", (here) => [here.cases, ...here.agent, "-g", "./none.ts", "-o", here.out], "Grader not found: "],
    ["an unknown agent", (here) => [here.cases, "--agent", "unknown-agent", "-o", here.out], "There is no agent"],
    [
      "a missing program",
      (here) => [here.cases, "--agent", "generic", "--command", "/no/such/program", "-o", here.out],
      "/no/such/program",
    ],
    ["an unknown case", (here) => [here.cases, ...here.agent, "--only", "nope", "-o", here.out], 'no case "nope"'],
    [
      "a case of several turns for an agent that cannot resume",
      (here) => [here.write("talk.jsonl", '{"id":"a","input":["Hello","Again"]}'), ...here.agent, "-o", here.out],
      'talk.jsonl:1: the case "a" has 2 turns',
    ],
    ["an invalid number", (here) => [here.cases, ...here.agent, "-j", "many", "-o", here.out], "Invalid value for -j"],
  ])("%s is rejected before anything runs", async (_, args, message) => {
    const here = ready();
    const { code, stderr, stdout } = await here.run("capture", ...args(here));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(
      existsSync(join(here.env["XDG_DATA_HOME"] ?? "", "harness/runs"))
        ? readdirSync(join(here.env["XDG_DATA_HOME"] ?? "", "harness/runs"))
        : [],
    ).toEqual([]);
  });

  test("--append runs what is missing, keeps the rest byte for byte, and rejects changes", async () => {
    const { run, cases, agent, out, write } = ready();
    await run("capture", cases, ...agent, "-o", out, "--only", "c0");
    const before = readFileSync(out, "utf8");
    expect((await run("capture", cases, ...agent, "-o", out)).code).toBe(2);
    expect((await run("capture", cases, ...agent, "-o", out, "--append")).code).toBe(0);
    const after = readFileSync(out, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(linesOf(out).map(({ id }) => id)).toEqual(["c0", "c1"]);
    write("cases.jsonl", CASES.replace("Hello there", "Hello again"));
    const changed = await run("capture", cases, ...agent, "-o", out, "--append");
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('case "c0" has changed (input was "Hello there" and is "Hello again")');
    write("cases.jsonl", CASES);
    const otherwise = await run("capture", cases, ...agent, "-o", out, "--append", "-t", "60000");
    expect(otherwise.code).toBe(2);
    expect(otherwise.stderr).toContain("timeoutMs was null and is 60000");
    write("cases.jsonl", CASES.replace("Hello there", "Hello again"));
    expect((await run("capture", cases, ...agent, "-o", out, "--append", "--allow-mixed")).code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe(after);
  });

  test("a data set from standard input, results on standard output", async () => {
    const { agent, env } = ready();
    const { code, stdout } = await harness(["capture", "-", ...agent], { env, stdin: CASES });
    expect(code).toBe(0);
    expect(
      jsonLines(stdout)
        .map(({ id }) => id)
        .toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual(["c0", "c1"]);
  });
});

describe("trials", () => {
  test("k entries per case, the documented numbers and ours", async () => {
    const { run, cases, agent, out } = ready();
    expect((await run("trials", cases, ...agent, "-k", "3", "-g", "contains", "-o", out)).code).toBe(0);
    const [first, second] = linesOf(out).sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1));
    expect(first).toMatchObject({ id: "c0", k: 3, passRate: 1, passAtK: 1, passExpK: 1, statistics: { nGraded: 3, nPass: 3, nError: 0 } });
    expect(second).toMatchObject({ id: "c1", k: 3, passRate: 0, passAtK: 0, passExpK: 0 });
    const trials = (first?.["trials"] ?? []) as { trialNum: number }[];
    expect(trials.map(({ trialNum }) => trialNum)).toEqual([1, 2, 3]);
  });

  test("without a grader there are no numbers", async () => {
    const { run, cases, agent, out } = ready();
    await run("trials", cases, ...agent, "-k", "2", "-o", out);
    for (const line of linesOf(out)) {
      expect(line).not.toHaveProperty("passRate");
      expect(line).not.toHaveProperty("statistics");
    }
  });

  test("until it is precise: a case that always passes needs fewer than the maximum", async () => {
    const { run, cases, agent, out } = ready();
    await run(
      "trials",
      cases,
      ...agent,
      "--until-precise",
      "0.25",
      "--max-k",
      "12",
      "-j",
      "1",
      "-g",
      "contains",
      "-o",
      out,
      "--only",
      "c0",
    );
    const [line] = linesOf(out);
    expect(line?.["k"]).toBeGreaterThanOrEqual(5);
    expect(line?.["k"]).toBeLessThan(12);
  });

  const KILLS = Number(process.env["HARNESS_KILLS"] ?? 12);
  const COUNT = 3 * KILLS; // so that a fast machine still has trials left to kill

  test(`${KILLS} times kill -9 and --append: every trial once, finished lines stay byte for byte`, {
    timeout: KILLS * 20_000 + 120_000,
  }, async () => {
    const { folder, env, agent, write, out } = ready();
    const many = Array.from({ length: COUNT }, (_, n) =>
      JSON.stringify({ id: `case ${n}`, input: n % 3 === 0 ? `Bye ${n}` : `Hello ${n}`, expected: "Hello" }),
    ).join("\n");
    const cases = write("many.jsonl", many);
    const args = ["trials", cases, ...agent, "-k", "2", "-j", "4", "-g", "contains", "-o", out, "--append"];
    let before = "";
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env: { ...process.env, ...env }, stdio: "ignore" });
      const gone = new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal === "SIGKILL" && killed++)));
      const timer = setTimeout(() => child.kill("SIGKILL"), 150 + Math.random() * 450);
      await gone;
      clearTimeout(timer);
      const now = existsSync(out) ? readFileSync(out, "utf8") : "";
      const whole = before.slice(0, before.lastIndexOf("\n") + 1);
      expect(now.startsWith(whole)).toBe(true);
      before = now;
    }
    expect(killed).toBeGreaterThan(KILLS / 4);
    const { code, stderr } = await harness(args, { env });
    expect({ code, stderr: stderr.includes("Error") }).toEqual({ code: 0, stderr: false });
    const lines = linesOf(out);
    expect(lines.map(({ id }) => String(id)).sort((a, b) => a.localeCompare(b))).toEqual(
      Array.from({ length: COUNT }, (_, n) => `case ${n}`).sort((a, b) => a.localeCompare(b)),
    );
    for (const { id, trials, passRate } of lines as { id: string; trials: { trialNum: number; output: string }[]; passRate: number }[]) {
      const n = Number(id.slice(5));
      expect(trials.map(({ trialNum, output }) => [trialNum, output])).toEqual(
        [1, 2].map((num) => [num, `${n % 3 === 0 ? "Bye" : "Hello"} ${n}\n`]),
      );
      expect(passRate).toBe(n % 3 === 0 ? 0 : 1);
    }
    const quiet = join(folder, "undisturbed.jsonl");
    expect(
      (
        await harness(
          args.map((word) => (word === out ? quiet : word)),
          { env },
        )
      ).code,
    ).toBe(0);
    expect(timeless(lines)).toEqual(timeless(linesOf(quiet)));
  });
});

/** Without times and ids of runs and evaluations, in the order of the cases. */
function timeless(lines: readonly Record<string, unknown>[]): unknown {
  const names = new Set(["timestamp", "duration", "durations", "runs", "timing", "evaluation"]);
  const text = JSON.stringify(lines, (name, value) => (names.has(name) ? 0 : value));
  return (JSON.parse(text) as { id: string }[]).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

describe("using results", () => {
  test("--force replaces a file only at the end: it may be the input, and a mistake costs nothing", async () => {
    const { run, cases, agent, out, write } = ready();
    await run("capture", cases, ...agent, "-o", out);
    const before = readFileSync(out, "utf8");
    const bad = write("bad.jsonl", '{"id":7}\n');
    expect((await run("capture", bad, ...agent, "-o", out, "--force")).code).toBe(2);
    expect((await run("summarize", bad, "-o", out, "--force")).code).toBe(2);
    expect((await run("grade", bad, "-g", "contains", "-o", out, "--force")).code).toBe(2);
    expect(readFileSync(out, "utf8")).toBe(before);
    expect((await run("grade", out, "-g", "contains", "-o", out, "--force")).code).toBe(0);
    expect(linesOf(out)).toMatchObject([{ score: {} }, { score: {} }]);
    expect((await run("summarize", out, "-o", out, "--force")).code).toBe(0);
    expect(linesOf(out)).toMatchObject([{ toolCalls: [] }, { toolCalls: [] }]);
  });

  test("summarize, grade, compare, calibrate, balance, validate-refs", async () => {
    const { run, cases, agent, out, path, write } = ready();
    await run("capture", cases, ...agent, "-g", "contains", "-o", out, "-j", "1");
    const summary = jsonLines((await run("summarize", out)).stdout);
    expect(summary).toMatchObject([
      { id: "c0", input: "Hello there", output: "Hello there\n", toolCalls: [], duration: expect.any(Number) },
      { id: "c1" },
    ]);
    expect((await run("summarize", out, "--markdown")).stdout).toContain("## Evaluation Record: c0\n\n**Input:** Hello there\n");

    const regraded = jsonLines((await run("grade", out, "-g", "command:grep -q Bye said.txt")).stdout);
    expect(regraded.map(({ score }) => (score as { pass: boolean }).pass)).toEqual([false, true]);

    write("other.jsonl", regraded.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const compared = await run(
      "compare",
      out,
      path("other.jsonl"),
      "--json",
      "--report",
      path("report.html"),
      "--report",
      path("junit.xml"),
      "--report",
      path("cases.csv"),
    );
    const [report] = jsonLines(compared.stdout);
    expect(report).toMatchObject({ pairs: [{ wins: 1, losses: 1, ties: 0, difference: 0, verdict: "no difference shown" }] });
    expect(readFileSync(path("report.html"), "utf8")).toContain("Content-Security-Policy");
    expect(readFileSync(path("junit.xml"), "utf8")).toContain('failures="1"');
    expect((await run("compare", out, "--fail-under", "0.8")).code).toBe(1);
    expect((await run("compare", out, "--fail-under", "0.5")).code).toBe(0);
    expect((await run("compare", out, "--report", "x.doc")).code).toBe(2);
    for (const command of ["compare", "summarize", "calibrate"])
      expect(await run(command, cases)).toMatchObject({ code: 2, stderr: expect.stringContaining(":1: a case of a data set, not a line") });
    const ungraded = write("ungraded.jsonl", '{"id":"c0","input":"Hello","output":"","agent":"other"}\n');
    expect((await run("compare", out, ungraded)).stderr).toContain("no graded trial of the same case in common");

    expect((await run("calibrate", out)).stdout).toContain("**Verdict:** fail");
    expect(jsonLines((await run("balance", cases)).stdout)).toMatchObject([{ cases: 2, withExpected: 2, metadata: [{ name: "n" }] }]);

    const refs = write(
      "refs.jsonl",
      `${JSON.stringify({ id: "r", input: "x", reference: "command:echo Hello > said.txt" })}\n${JSON.stringify({ id: "w", input: "x", reference: "command:true" })}`,
    );
    const checked = await run("validate-refs", refs, "-g", "command:grep -q Hello said.txt");
    expect(checked.code).toBe(1);
    expect(jsonLines(checked.stdout)).toMatchObject([
      { id: "r", pass: true },
      { id: "w", pass: false },
    ]);
  });
});
