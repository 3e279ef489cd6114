import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, harness } from "../../support/harness.ts";
import { place } from "./support/place.ts";

/** What an evaluation says before it starts and when it ends. */

afterAll(cleanUp);

const ROW = { id: "a", input: "Go.", expected: "yes" };

describe("V6: the last table and the sentence count the same trials", () => {
  test("after an early stop", async () => {
    const { evaluate } = place("trials");
    const { stderr, lines } = await evaluate(
      "echo 'Not logged in' >&2; exit 1",
      [ROW, { ...ROW, id: "b" }],
      "-k",
      "2",
      "-g",
      "exact",
      "--progress",
    );
    expect(stderr).toContain("3 of 3 trials never reached a model");
    expect(stderr).toMatch(/generic +3 +0 +0 +3 /);
    expect(lines).toHaveLength(1); // the second case is not finished
  });

  test("after an interruption", async () => {
    const { evaluate } = place("trials");
    const stop = 'echo yes; [ -e "$PLACE/first" ] && { kill -INT $PPID; sleep 20; }; touch "$PLACE/first"';
    const { code, stderr, lines } = await evaluate(stop, [ROW], "-k", "3", "-g", "exact", "--progress", "--isolate", "none"); // it signals us
    expect({ code, lines }).toEqual({ code: 130, lines: [] });
    expect(stderr).toContain("interrupted after 1 finished trial");
    expect(stderr).toMatch(/generic +1 +1 +0 +100/);
  });
});

test("V6: grade exits with 1 if no grade could be made, also if some trials have nothing to grade", async () => {
  const { at, env } = place();
  const base = { input: "x", output: "y", trajectory: [] };
  const lines = [
    { ...base, id: "a", status: "completed", runs: [] },
    { ...base, id: "b", status: null, runs: [] },
  ];
  writeFileSync(at("r.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  writeFileSync(at("g.mjs"), 'export const grade = () => { throw new Error("broken"); };\n');
  const { code, stderr } = await harness(["grade", at("r.jsonl"), "-g", at("g.mjs")], { env });
  expect(stderr).toContain("the grader broke in 1 of 2 trials");
  expect(code).toBe(1);
});

test("grade says which results rest on their line alone, and verifies the others", async () => {
  const { at, env, evaluate } = place();
  const { lines } = await evaluate("echo yes", [ROW], "-g", "exact");
  const [real] = lines;
  const forged = [
    { ...real, output: "no", unverified: "it says so itself" },
    { ...real, output: "yes", runs: [] },
    { ...real, output: "yes", runs: ["gone"] },
    { id: "old", input: "x", output: "yes", expected: "yes", trajectory: [] },
  ];
  writeFileSync(at("r.jsonl"), forged.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { code, stdout, stderr } = await harness(["grade", at("r.jsonl"), "-g", "exact"], { env });
  const graded = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(graded.map(({ output, unverified, score }) => [output, unverified ?? null, (score as { pass: boolean }).pass])).toEqual([
    ["yes\n", null, true], // read from the recording
    ["yes", "it names no recorded run", true],
    ["yes", "The run gone is not there", true],
    ["yes", "it names no recorded run", true],
  ]);
  expect(stderr).toContain("not verified: 3 of 4 trials rest on what their line says, because their recordings are not here (it names no");
  expect(stderr).toContain("grade where they were recorded, or repeat the cases");
  expect(code).toBe(0);
});

describe("compare does not count what grade could not verify", () => {
  const forged = { input: "x", output: "yes", expected: "yes", trajectory: [], status: "completed" };
  const trial = { trialNum: 1, output: "yes", trajectory: [], duration: 1, toolErrors: false, runs: ["gone"], status: "completed" };

  test.each([
    ["capture", { ...forged, id: "a", runs: ["gone"] }],
    ["trials", { id: "a", input: "x", expected: "yes", k: 2, metadata: {}, trials: [trial, { ...trial, trialNum: 2 }] }],
  ] as const)("in the results of %s", async (kind, line) => {
    const { at, env } = place();
    writeFileSync(at("r.jsonl"), `${JSON.stringify(line)}\n`);
    const graded = await harness(["grade", at("r.jsonl"), "-g", "exact", "-o", at("graded.jsonl")], { env });
    expect(graded.stderr).toContain("harness compare does not count them");
    const written = JSON.parse(readFileSync(at("graded.jsonl"), "utf8")) as { passRate?: unknown; class?: string; trials?: object[] };
    expect(written.trials ?? [written]).toEqual(
      (written.trials ?? [written]).map(() => expect.objectContaining({ class: "ungraded", unverified: "The run gone is not there" })),
    );
    expect(written.passRate ?? null).toBeNull();

    const trials = kind === "capture" ? 1 : 2;
    const reports = ["csv", "xml", "md", "html"].flatMap((format) => ["--report", at(`report.${format}`)]);
    const compared = await harness(["compare", at("graded.jsonl"), "--fail-under", "0.5", ...reports], { env });
    expect(compared.code).toBe(1);
    expect(compared.stderr).toContain(`${trials} of ${trials} trials are not in the pass rate: ${trials} ungraded`);
    expect(compared.stderr).toContain(`${trials} of ${trials} trials are not verified: harness grade found no recordings of them, so`);
    const [side] = (JSON.parse(compared.stdout) as { sides: object[] }).sides;
    expect(side).toMatchObject({ trials, graded: 0, passRate: null, unverified: trials, classes: { passed: 0, ungraded: trials } });
    expect(readFileSync(at("report.xml"), "utf8")).toContain('<error type="ungraded"');
    expect(readFileSync(at("report.csv"), "utf8").match(/,ungraded,completed,/g)).toHaveLength(trials);
    for (const format of ["md", "html"]) expect(readFileSync(at(`report.${format}`), "utf8")).toContain("ungraded");

    const counted = await harness(["compare", at("graded.jsonl"), "--unverified", "counted", "--fail-under", "0.5"], { env });
    expect(counted.code).toBe(0);
    expect(counted.stderr).toContain("and they count because of --unverified counted");
    expect(JSON.parse(counted.stdout)).toMatchObject({
      unverified: "counted",
      sides: [{ graded: trials, passRate: 1, unverified: trials }],
    });
  });
});

describe("before anything runs", () => {
  test("every missing program is named", async () => {
    const { at, env } = place();
    writeFileSync(at("cases.jsonl"), `${JSON.stringify(ROW)}\n`);
    const { code, stderr } = await harness(["capture", at("cases.jsonl"), "--agent", "claude", "--agent", "codex"], {
      env: { ...env, PATH: at("nowhere") },
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/claude\. Install .* --binary\..* codex\. Install .* --binary\./);
  });

  test("a grader that is not found comes with a remedy", async () => {
    const { evaluate } = place();
    const { code, stderr } = await evaluate("echo", [ROW], "-g", "./nowhere.mjs");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/Grader not found: .*nowhere\.mjs\. Pass the path of a module/),
    });
  });

  test("a workspace with the word git in front comes with a remedy", async () => {
    const { evaluate } = place();
    const { code, stderr } = await evaluate("echo", [{ ...ROW, workspace: "git /repo@main" }]);
    expect(code).toBe(2);
    expect(stderr).toContain("Leave out the word git.");
  });
});
