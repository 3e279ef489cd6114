import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BIN, cleanUp, directory, harness, jsonLines, ROOT } from "../../support/harness.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

/** Every trial ends in one class, and every command keeps the classes apart. The agents are real processes. */

afterAll(cleanUp);

type Line = Record<string, unknown> & { readonly id: string };

/** Claude Code as it answers without credentials, until the file `in` exists; then like the recorded run. */
const CLAUDE = (folder: string) => `#!/bin/sh
case "$*" in *--version*) echo '2.1.0 (Claude Code)'; exit 0;; esac
if [ -e '${folder}/in' ]; then cat '${ROOT}/fixtures/claude/full/raw.jsonl'; exit 0; fi
cat '${ROOT}/fixtures/claude/no-key/raw.jsonl'
exit 1
`;

/** Answers with its prompt; hangs, crashes or fails if the prompt says so. What it wrote stays. */
const ANY = `#!/bin/sh
echo "$1" > said.txt
case "$1" in *hang*) exec sleep 600;; *crash*) kill -SEGV $$;; *fail*) exit 1;; esac
echo "$1"
`;

function place(inputs: readonly string[], more: object = {}) {
  const folder = directory();
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string, mode = 0o600) => {
    writeFileSync(path(name), text);
    chmodSync(path(name), mode);
    return path(name);
  };
  for (const name of ["bin", "home"]) mkdirSync(path(name));
  write("bin/claude", CLAUDE(folder), 0o700);
  const program = write("agent", ANY, 0o700);
  const cases = write("cases.jsonl", inputs.map((input, n) => `${JSON.stringify({ id: `c${n}`, input, ...more })}\n`).join(""));
  const env = { XDG_DATA_HOME: path("data"), HOME: path("home"), PATH: `${path("bin")}:${process.env["PATH"]}` };
  const out = path("results.jsonl");
  return {
    path,
    write,
    cases,
    out,
    env,
    any: ["--agent", "generic", "--command", `${program} {prompt}`],
    run: (...args: string[]) => harness(args, { env }),
    lines: () => jsonLines(readFileSync(out, "utf8")) as Line[],
  };
}

const repeated = (count: number) => Array.from({ length: count }, () => "Hello.");
const byId = (lines: readonly Line[]) => lines.toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe("V2: an agent that never reaches a model", () => {
  test("is not a failure, stops after three trials with its remedy, and continues with --append", async () => {
    const { run, cases, out, lines, path } = place(repeated(6));
    const asked = ["capture", cases, "--agent", "claude", "--isolate", "process", "--no-check", "-g", "regex:.", "-j", "1", "-o", out];
    const stopped = await run(...asked);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain("claude: 3 of 3 trials never reached a model, so claude got no more: not logged in (");
    expect(stopped.stderr).toContain("Log in with the agent's own program, or pass its key as a variable. Then continue with --append");
    expect(lines()).toHaveLength(3);
    for (const line of lines()) {
      expect(line).toMatchObject({ class: "not_started", startProblem: "credentials", status: "infrastructure" });
      expect(strictFlaw("capture-result", line)).toBeUndefined();
    }
    const low = await run("compare", out, "--fail-under", "0.1", "--json");
    expect(JSON.parse(low.stdout)).toMatchObject({
      sides: [{ trials: 3, graded: 0, passRate: null, classes: { not_started: 3 }, startProblems: ["credentials"] }],
    });
    expect(low.code).toBe(1);
    expect(low.stderr).toContain("3 of 3 trials are not in the pass rate: 3 not started. not logged in: Log in");

    writeFileSync(path("in"), "");
    const resumed = await run(...asked, "--append", "--env", "NEW=key");
    expect(resumed.code).toBe(0);
    expect(byId(lines()).map(({ id, class: kind }) => `${id} ${String(kind)}`)).toEqual(repeated(6).map((_, n) => `c${n} passed`));
    expect(jsonLines(readFileSync(`${out}.replaced`, "utf8"))).toHaveLength(3);
  });

  test("stops alone: the other agents finish their cases; --append repeats the trials that did not start", async () => {
    const { run, cases, out, lines, any, path } = place(repeated(5));
    const asked = [
      "trials",
      cases,
      "--agent",
      "claude",
      "--isolate",
      "process",
      "--no-check",
      ...any,
      "-k",
      "2",
      "-g",
      "regex:.",
      "-j",
      "2",
      "-o",
      out,
    ];
    expect((await run(...asked)).code).toBe(1);
    const ended = () => lines().map(({ agent, passRate, k }) => `${String(agent)} ${String(passRate)} of ${String(k)}`);
    expect(ended().filter((line) => line.startsWith("generic"))).toEqual(repeated(5).map(() => "generic 1 of 2"));
    expect(ended().filter((line) => line.startsWith("claude")).length).toBeLessThan(5);
    writeFileSync(path("in"), "");
    expect((await run(...asked, "--append")).code).toBe(0);
    expect(ended().filter((line) => line.startsWith("claude"))).toEqual(repeated(5).map(() => "claude 1 of 2"));
  });
});

describe("V3: work that ran out of time", () => {
  test("counts as failed, is graded for information, and has its own column everywhere", async () => {
    const { run, cases, out, lines, any, path } = place(["Hello.", "hang", "crash", "fail"]);
    const done = await run("capture", cases, ...any, "-g", "command:test -e said.txt", "-t", "2s", "-o", out, "--progress");
    expect(done.code).toBe(0);
    expect(byId(lines())).toMatchObject([
      { class: "passed", score: { pass: true } },
      { class: "out_of_time", status: "timed_out", reason: "timeout", uncountedGrade: { pass: true } },
      { class: "failed", status: "crashed", uncountedGrade: { pass: true } },
      { class: "passed", status: "failed", score: { pass: true } },
    ]);
    for (const line of lines()) expect(strictFlaw("capture-result", line)).toBeUndefined();
    expect(done.stderr).toMatch(/agent +trials +passed +failed +out of time +pass rate +cost\n +generic +4 +2 +1 +1 +50\.0 % of 4 +–\n$/);

    const reports = ["md", "csv", "xml", "html", "json"].flatMap((end) => ["--report", path(`report.${end}`)]);
    const report = await run("compare", out, "--json", "--fail-under", "0.9", ...reports);
    expect(report.code).toBe(1);
    expect(report.stderr).toBe("harness: generic: pass rate 50.0 % of 4 trials, below --fail-under 90 %\n");
    const comparison = JSON.parse(report.stdout);
    expect(strictFlaw("comparison", comparison)).toBeUndefined();
    expect(comparison).toMatchObject({ sides: [{ passRate: 0.5, graded: 4, classes: { passed: 2, failed: 1, out_of_time: 1 } }] });
    const text = (end: string) => readFileSync(path(`report.${end}`), "utf8");
    expect(text("csv")).toMatch(/^case,side,trial,class,status,reason,/);
    expect(text("csv")).toContain("c1,generic,1,out_of_time,timed_out,timeout,");
    expect(text("xml")).toContain('<failure type="out_of_time" message="0 of 1 trials that count passed: 1 out of time">trial 1: ');
    for (const end of ["md", "html"]) expect(text(end)).toContain("out of time");
    const summaries = jsonLines((await run("summarize", out)).stdout) as Line[];
    expect(byId(summaries).map((line) => line["class"])).toEqual(["passed", "out_of_time", "failed", "passed"]);
    expect((await run("summarize", out, "--markdown")).stdout).toContain("**Class:** out of time");

    const ignored = await run("compare", out, "--json", "--out-of-time", "ignored");
    expect(JSON.parse(ignored.stdout)).toMatchObject({ outOfTime: "ignored", sides: [{ passRate: 2 / 3, graded: 3 }] });
    expect(ignored.stderr).toContain("1 of 4 trials are not in the pass rate: 1 out of time");
  });

  test("graded again, it stays out of time", async () => {
    const { run, cases, out, any } = place(["hang"]);
    await run("trials", cases, ...any, "-k", "2", "-g", "command:false", "-t", "1500", "-o", out);
    const { stdout } = await run("grade", out, "-g", "command:true");
    expect(jsonLines(stdout)).toMatchObject([
      { passRate: 0, statistics: { classes: { out_of_time: 2 } }, trials: [{ class: "out_of_time", uncountedGrade: { pass: true } }, {}] },
    ]);
    expect(strictFlaw("trial-result", jsonLines(stdout)[0])).toBeUndefined();
  });
});

describe("V6: --append", () => {
  test("with a larger k and another -j runs only the missing trials; the table covers the whole file", async () => {
    const { run, cases, out, lines, any } = place(["Hello.", "Bye."], { expected: "Hello" });
    const asked = ["trials", cases, ...any, "-g", "contains", "-o", out];
    expect((await run(...asked, "-k", "3")).code).toBe(0);
    const before = new Map(lines().map((line) => [line.id, line["trials"] as { runs: string[] }[]]));
    const more = await run(...asked, "-k", "4", "-j", "1", "--append", "--progress");
    expect(more.code).toBe(0);
    expect(more.stderr).toContain("continued 2 cases of the file");
    expect(more.stderr).toMatch(/generic +8 +4 +4 +50\.0 % of 8 +–\n$/);
    expect(lines()).toHaveLength(2);
    for (const { id, k, trials, statistics } of lines()) {
      expect({ k, statistics }).toMatchObject({ k: 4, statistics: { nGraded: 4 } });
      expect((trials as object[]).slice(0, 3)).toEqual(before.get(id));
    }
    const again = readFileSync(out, "utf8");
    expect((await run(...asked, "-k", "4", "--append")).code).toBe(0);
    expect((await run(...asked, "-k", "2", "--append")).code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe(again);
    expect((await run(...asked, "-k", "5", "-t", "1h", "--append")).stderr).toContain("timeoutMs was null and is 3600000");
  });

  test("an interrupted evaluation says so, and how to continue", async () => {
    const { cases, out, any, env } = place(["Hello.", "hang"]);
    const args = [BIN, "capture", cases, ...any, "-j", "2", "-o", out, "--progress"];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    let isAsked = false;
    const code = await new Promise((done) => {
      child.stderr.on("data", (chunk: Buffer) => {
        stderr += chunk.toString();
        if (stderr.includes('"c0" trial 1') && !isAsked) isAsked = child.kill("SIGINT"); // a second one would end it immediately
      });
      child.on("close", done);
    });
    expect(code).toBe(130);
    expect(stderr).toContain("Interrupted after");
    expect(stderr).not.toContain("Finished");
    expect(stderr).toContain("interrupted after 1 finished trial. Continue with the same command and --append");
  });
});

describe("V6: broken graders", () => {
  test("are never silent, in trials and in grade", async () => {
    const { run, cases, out, any, write } = place(["Hello.", "Bye."]);
    const grader = write(
      "grade.mjs",
      'export function grade({ id }) { if (id === "c0") throw new Error("the reason"); return { pass: true }; }',
    );
    const some = await run("capture", cases, ...any, "-g", grader, "-o", out);
    expect(some.code).toBe(0);
    expect(some.stderr).toMatch(/generic: the grader broke in 1 of 2 trials, which have no grade \(.*the reason/);
    const all = await run("grade", out, "-g", "command:exit 127", "-o", `${out}.2`);
    expect(all).toMatchObject({ code: 1, stderr: expect.stringContaining("the grader broke in 2 of 2 trials") });
    expect((await run("capture", cases, ...any, "-g", "command:exit 127", "-o", out, "--force")).code).toBe(1);
  });

  test.each([
    ["true; node -e 'process.abort()'", "ungraded"],
    ["node -e 'process.abort()'", "ungraded"],
    ["kill -9 $$", "ungraded"],
    ["(kill -SEGV $(exec sh -c 'echo $PPID')); exit $?", "ungraded"],
    ["exit 1", "failed"],
    ["exit 200", "failed"],
    ["exit 0", "passed"],
  ])("V7: command:%s is %s", async (command, kind) => {
    const { run, cases, any } = place(["Hello."]);
    const { stdout } = await run("capture", cases, ...any, "-g", `command:${command}`);
    expect(jsonLines(stdout)).toMatchObject([{ class: kind }]);
  });
});

describe("misuse", () => {
  test("V6: compare, summarize and grade reject a data set", async () => {
    const { run, cases } = place(["Hello."]);
    for (const args of [["compare"], ["summarize"], ["grade", "-g", "exact"]]) {
      const { code, stderr } = await run(args[0] ?? "", cases, ...args.slice(1));
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining("a case of a data set, not a line of capture or trials"),
      });
    }
  });

  test("V6: a time is written the same way everywhere; a bare number is milliseconds in this family", async () => {
    const { run, cases, any, path } = place(["Hello."]);
    for (const time of ["10m", "90s", "1h30m", "60000"])
      expect((await run("capture", cases, ...any, "-t", time, "-o", path(time))).code).toBe(0);
    expect(await run("capture", cases, ...any, "-t", "soon")).toMatchObject({ code: 2, stderr: expect.stringContaining("90s, 10m") });
    expect((await run("capture", cases, ...any, "-t", "0")).code).toBe(2);
    const began = performance.now();
    expect((await run("adapter:check", "--timeout", "1500", "sleep", "600")).code).toBe(1);
    expect(performance.now() - began).toBeLessThan(120_000);
  });

  test.each([
    ["expcted", '"expected"'],
    ["Expected", '"expected"'],
    ["inptus", '"input"'],
    ["hints", '"hint"'],
    ["work_space", '"workspace"'],
  ])("a misspelled field is an error: %s", async (field, meant) => {
    const { run, cases, any, write } = place([]);
    write("cases.jsonl", `${JSON.stringify({ id: "a", input: "Hello.", [field]: "x" })}\n`);
    const { code, stderr } = await run("capture", cases, ...any);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`cases.jsonl:1: unknown field "${field}". Did you mean ${meant}?`),
    });
  });

  test("other fields that are not read are listed once", async () => {
    const { run, cases, any } = place(["Hello.", "Bye."], { kind: "x", timeoutMs: 5 });
    const { code, stderr } = await run("capture", cases, ...any);
    expect(code).toBe(0);
    expect(stderr.match(/has fields that are not read: kind, timeoutMs/g)).toHaveLength(1);
  });
});

test("results of earlier versions and of other tools have classes", async () => {
  const { run, write } = place([]);
  const usage = { input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null };
  const trial = (fields: object) => ({ trialNum: 1, output: "", trajectory: [], runs: ["r"], usage, cost: null, ...fields });
  const trials = [
    trial({ status: "completed", output: "x", pass: true, score: 1 }),
    trial({ status: "failed", output: "x", pass: false, score: 0 }),
    trial({ status: "timed_out" }),
    trial({ status: "hung" }),
    trial({ status: "crashed" }),
    trial({ status: "canceled" }),
    trial({ status: "infrastructure", errors: ["500 internal"] }),
    trial({ status: "infrastructure", errors: ["Not logged in · Please run /login"] }),
    trial({ status: null, runs: [], errors: ["the setup ended with code 3: why"] }),
    trial({ status: "completed", output: "x", gradeError: "broke" }),
    { trialNum: 11, output: "x", pass: true },
  ];
  const file = write("old.jsonl", `${JSON.stringify({ id: "a", input: "Hi", k: trials.length, trials, agent: "old" })}\n`);
  const { stdout } = await run("compare", file, "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    sides: [{ classes: { passed: 2, failed: 2, out_of_time: 2, not_started: 2, lost_to_provider: 1, lost_to_us: 1, ungraded: 1 } }],
  });
});
