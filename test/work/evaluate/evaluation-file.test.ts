import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { evaluate } from "../../../src/evaluate.ts";
import { cleanUp, directory, harness, jsonLines } from "../../support/harness.ts";

/** `harness evaluate`: one file says what is compared. The agents are small shell commands, as real processes. */

afterAll(cleanUp);

type Line = Record<string, unknown> & { readonly trials: readonly Record<string, unknown>[] };

function place(definition: object, files: Readonly<Record<string, string>> = {}) {
  const folder = directory();
  const at = (name: string) => join(folder, name);
  const write = (name: string, text: string) => {
    mkdirSync(join(at(name), ".."), { recursive: true });
    writeFileSync(at(name), text);
  };
  write("cases.jsonl", CASES);
  for (const [name, text] of Object.entries(files)) write(name, text);
  write("eval.json", JSON.stringify({ cases: "cases.jsonl", graders: "contains", ...definition }));
  const run = (...args: string[]) => harness(["evaluate", at("eval.json"), ...args], { env: { XDG_DATA_HOME: at("data") } });
  const lines = (name = "eval.results.jsonl") => jsonLines(readFileSync(at(name), "utf8")) as Line[];
  return { at, write, run, lines };
}

const CASES = ["a", "b", "c"].map((id) => `${JSON.stringify({ id, input: `say ${id}`, expected: id })}\n`).join("");
const SAY = { agent: "generic", command: "echo {prompt}" };
/** Prints what its workspace holds. */
const LOOK = { agent: "generic", command: "sh -c 'cat AGENTS.md extra/* 2>/dev/null; env | grep ^SHOWN; true' {prompt}" };

describe("the file", () => {
  test("--init writes an example that runs unchanged", async () => {
    const at = (name: string) => join(folder, name);
    const folder = directory();
    const env = { XDG_DATA_HOME: at("data") };
    expect(await harness(["evaluate", at("eval.yaml"), "--init"], { env })).toMatchObject({ code: 0 });
    expect(await harness(["evaluate", at("eval.yaml"), "--init"], { env })).toMatchObject({ code: 2 });
    const { code, stdout } = await harness(["evaluate", at("eval.yaml")], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).sides).toMatchObject([
      { label: "echo", passRate: 1, trials: 4 },
      { label: "shout", passRate: 0.5, trials: 4 },
    ]);
    expect(readFileSync(at("report.html"), "utf8")).toContain("shout");
  });

  test.each([
    [
      "eval.yaml",
      "cases: cases.jsonl\ngraders: contains\nsides:\n  - agent: generic\n    modle: x\n",
      ':5: unknown field "sides.0.modle". Did you mean "model"?',
    ],
    ["eval.yaml", "cases: cases.jsonl\nk: many\nsides: []\n", ':2: the value of "k" is not valid.'],
    ["eval.yaml", "cases: [\n", ":2: "],
    ["eval.json", '{"cases": "cases.jsonl",\n "sides": [{"agent": 3}]}', ':2: the value of "sides.0.agent" is not valid.'],
    ["eval.toml", 'cases = "cases.jsonl"\nk = "x"\n[[sides]]\nagent = "generic"\n', ':2: the value of "k" is not valid.'],
    ["eval.yaml", "cases: cases.jsonl\n", '"sides" is missing.'],
    ["eval.yaml", "cases: cases.jsonl\nsides: []\n", '"sides" is empty'],
  ])("a mistake in %s is reported with its place: %s", async (name, text, problem) => {
    const { at, write } = place({ sides: [SAY] });
    write(name, text);
    const { code, stderr } = await harness(["evaluate", at(name)]);
    expect(stderr).toContain(problem);
    expect(code).toBe(2);
  });

  test("YAML, JSON and TOML say the same", async () => {
    const { at, write, run } = place({ sides: [{ ...SAY, name: "say" }] });
    write(
      "eval.toml",
      'cases = "cases.jsonl"\ngraders = "contains"\n[[sides]]\nname = "say"\nagent = "generic"\ncommand = "echo {prompt}"\n',
    );
    write("eval.yaml", "cases: cases.jsonl\ngraders: contains\nsides: [{name: say, agent: generic, command: 'echo {prompt}'}]\n");
    const plans = [
      await run("--dry-run"),
      ...(await Promise.all(["eval.toml", "eval.yaml"].map((name) => harness(["evaluate", at(name), "--dry-run"])))),
    ];
    expect(plans.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(new Set(plans.map(({ stdout }) => stdout)).size).toBe(1);
  });
});

describe("sides", () => {
  test("each has its own variables, arguments and files; --without makes the control", async () => {
    const { run, lines } = place(
      {
        graders: "regex:/./",
        workspace: "template",
        sides: [{ ...LOOK, name: "with", env: { SHOWN: "yes" }, files: { extra: "overlay" } }],
      },
      { "template/AGENTS.md": "be kind\n", "overlay/more.txt": "and short\n" },
    );
    expect(await run("--without", "file:AGENTS.md", "--only", "a")).toMatchObject({ code: 0 });
    const outputs = new Map(lines().map((line) => [line["agent"], line.trials[0]?.["output"]]));
    expect(outputs.get("with")).toBe("be kind\nand short\nSHOWN=yes\n");
    expect(outputs.get("with without file:AGENTS.md")).toBe("and short\nSHOWN=yes\n");
  });

  test("what is laid over the workspace is not a change of the agent", async () => {
    const { at, run, lines } = place(
      { graders: "contains", sides: [{ ...SAY, name: "say", files: "overlay" }] },
      { "overlay/AGENTS.md": "x\n" },
    );
    expect(await run("--only", "a")).toMatchObject({ code: 0 });
    const [id] = (lines()[0]?.trials[0]?.["runs"] ?? []) as string[];
    expect(readFileSync(at(`data/harness/runs/${id}/artifacts/workspace/diff.patch`), "utf8")).toBe("");
  });

  test("a control that leaves out what no workspace has is rejected, as is an option that the agent ignores", async () => {
    const { run } = place({ sides: [SAY] });
    expect(await run("--without", "file:NOPE.md")).toMatchObject({ code: 2, stderr: expect.stringContaining("which no workspace has") });
    expect(await run("--without", "skill:x")).toMatchObject({ code: 2, stderr: expect.stringContaining("looks for skills") });
    const other = place({ sides: [{ ...SAY, effort: "high" }] });
    expect(await other.run()).toMatchObject({ code: 2, stderr: expect.stringContaining("would run without it") });
  });
});

describe("--append", () => {
  test("refuses changed inputs and names them; k and concurrency may change", async () => {
    const { run, write, lines } = place(
      { graders: "./grade.mjs", k: 1, concurrency: 2, sides: [{ ...SAY, name: "say" }] },
      { "grade.mjs": GRADE },
    );
    expect(await run()).toMatchObject({ code: 0 });
    expect(await run("--append", "-k", "2", "-j", "1")).toMatchObject({ code: 0 });
    expect(lines().map(({ trials }) => trials.length)).toEqual([2, 2, 2]);
    write("grade.mjs", `${GRADE}// changed\n`);
    const { code, stderr } = await run("--append");
    expect(stderr).toContain("grade.mjs has other contents");
    expect(code).toBe(2);
    write("grade.mjs", GRADE);
    write("cases.jsonl", CASES.replace("say b", "say bb"));
    expect(await run("--append")).toMatchObject({ code: 2, stderr: expect.stringContaining('case "b" has changed') });
    expect(new Set(lines().map((line) => JSON.stringify(line["inputs"]))).size).toBe(1);
  });
});

const GRADE = "export const grade = ({ output, expected }) => ({ pass: output.includes(expected) });\n";

describe("--shard", () => {
  test("the parts are disjoint and complete, and compare takes them together", async () => {
    const { at, run, lines } = place({
      sides: [
        { ...SAY, name: "one" },
        { ...SAY, name: "two" },
      ],
    });
    for (const part of [1, 2]) expect(await run("--shard", `${part}/2`)).toMatchObject({ code: 0 });
    const parts = [1, 2].map((part) => `eval.results.${part}-of-2.jsonl`);
    expect(parts.flatMap((name) => lines(name).map(({ id, agent }) => `${id} ${agent}`)).sort()).toEqual([
      "a one",
      "a two",
      "b one",
      "b two",
      "c one",
      "c two",
    ]);
    const both = await harness(["compare", ...parts.map(at)]);
    expect(JSON.parse(both.stdout).sides).toMatchObject([
      { label: "one", cases: 3 },
      { label: "two", cases: 3 },
    ]);
    const [first = ""] = parts.map(at);
    expect(await harness(["compare", first, first])).toMatchObject({ code: 2, stderr: expect.stringContaining("is there twice") });
    expect(await run("--shard", "3/2")).toMatchObject({ code: 2 });
  });
});

describe("--dry-run", () => {
  test("shows command lines and runs nothing; earlier trials give an estimate", async () => {
    const { run } = place({ k: 2, sides: [{ ...SAY, name: "say" }] });
    const before = JSON.parse((await run("--dry-run")).stdout);
    expect(before).toMatchObject({ cases: 3, trials: 6, sides: [{ side: "say", trials: 6, tokens: null, costUsd: null }] });
    expect(before.sides[0].command).toContain("echo 'say a'");
    expect(await run("--append", "--only", "a")).toMatchObject({ code: 0 });
    expect(JSON.parse((await run("--dry-run")).stdout).sides[0].basis).toBe("from 2 earlier trials");
  });
});

describe("--dry-run checks what the run checks:", () => {
  test.each([
    ["a workspace that is missing", { workspace: "ws" }, "Template not found"],
    ["a grader that is not executable", { graders: "checks/check.sh" }, "nor executable"],
  ])("%s", async (_, definition, problem) => {
    const { run } = place({ sides: [SAY], ...definition }, { "checks/check.sh": "#!/bin/sh\ntrue\n" });
    const [plan, real] = [await run("--dry-run"), await run()];
    expect(plan).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
    expect(real).toMatchObject({ code: 2, stderr: plan.stderr });
  });
});

describe("the reports of the file", () => {
  const sides = [
    { ...SAY, name: "one" },
    { ...SAY, name: "two" },
  ];

  test.each([
    [["--shard", "1/2"], "<all parts>"],
    [["--only", "a"], "eval.results.jsonl"],
    [["--side", "one"], "eval.results.jsonl"],
    [["--sample", "1"], "eval.results.jsonl"],
    [["-o", "other.jsonl"], "other.jsonl"],
  ])("are not replaced by a part: %j", async (args, named) => {
    const { at, run } = place({ sides, reports: ["report.html"] }, { "report.html": "the whole" });
    const { code, stderr } = await run(...args.map((arg) => (arg === "other.jsonl" ? at(arg) : arg)));
    expect(code).toBe(0);
    expect(stderr).toMatch(/report\.html not written, because .+ Make it with harness compare \S.* --report \S*report\.html/);
    expect(stderr.split("harness compare")[1]).toContain(named);
    expect(readFileSync(at("report.html"), "utf8")).toBe("the whole");
  });

  test("are written for the whole, under the file's name, and results come first", async () => {
    const { at, run } = place({ sides, reports: ["report.html"] });
    const { stderr } = await run("-o", at("eval.results.jsonl"));
    expect(stderr).not.toContain("not written");
    const html = readFileSync(at("report.html"), "utf8");
    expect(html).toContain("<h1>eval.json</h1>");
    expect(html).not.toContain(at(""));
    expect(html.indexOf("<h2>Results</h2>")).toBeLessThan(html.indexOf("<h2>Setup</h2>"));
  });
});

test("a seed is the same number from the file, from a flag and by default; calls that no one sees are unknown", async () => {
  const seedOf = async (definition: object, ...args: string[]) => {
    const { run } = place({ ...definition, sides: [SAY] });
    const { seed, sides } = JSON.parse((await run(...args)).stdout);
    expect(sides).toMatchObject([{ toolErrors: null }]);
    return seed;
  };
  expect([await seedOf({}), await seedOf({ seed: 1 }), await seedOf({}, "--seed", "1")]).toEqual([1, 1, 1]);
  expect(await seedOf({ seed: "x" })).toBe("x");
});

test("the library call needs no file", async () => {
  const folder = directory();
  const { results } = await evaluate({
    cases: [{ id: "a", input: "hello" }],
    agents: [
      { ...SAY, label: "one" },
      { ...SAY, label: "two" },
    ],
    grader: ({ output }) => ({ pass: output.includes("hello") }),
    dataDirectory: join(folder, "data"),
  });
  expect(results).toMatchObject([
    { k: 1, passRate: 1 },
    { k: 1, passRate: 1 },
  ]);
});
