import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { dataDirectoryAt } from "../../../src/host/recording/format/data-directory.ts";
import { calibrate } from "../../../src/work/evaluate/calibrate.ts";
import { readSides } from "../../../src/work/evaluate/compare/read-sides.ts";
import { grade } from "../../../src/work/evaluate/grade.ts";
import { openResultFile } from "../../../src/work/evaluate/results/result-file.ts";
import { trialNumbers } from "../../../src/work/evaluate/results/trial-statistics.ts";
import { summarize } from "../../../src/work/evaluate/summarize.ts";
import type { TrialEntry } from "../../../src/work/evaluate/trial/result.ts";

/** The results file: one writer, nothing lost, nothing repeated; and the numbers over trials. */

const folder = mkdtempSync(join(tmpdir(), "harness-results-"));
afterAll(() => rmSync(folder, { recursive: true }));
const data = dataDirectoryAt(join(folder, "data"));
const command = "test";
const line = (id: string) => ({ id, agent: "x", configuration: "c", caseHash: "h" });

describe("a line with a value that no result has", () => {
  const base = { id: "a", input: "x", output: "y", trajectory: [] };

  test.each([
    ["trials.0", { id: "a", input: "x", trials: [null] }],
    ["trials", { id: "a", trials: 5 }],
    ["trials.1.pass", { id: "a", trials: [{ pass: true }, { pass: "yes" }] }],
    ["trials.0.score", { id: "a", trials: [{ score: "no" }] }],
    ["trials.0.runs.0", { id: "a", trials: [{ runs: [7] }] }],
    ["score", { ...base, score: "no" }],
    ["score.pass", { ...base, score: { pass: 1 } }],
    ["trajectory", { ...base, trajectory: 3 }],
    ["trajectory.0", { ...base, trajectory: ["step"] }],
    ["status", { ...base, status: 4 }],
    ["output", { ...base, output: null }],
    ["passRate", { id: "a", trials: [], passRate: "1" }],
  ])("is rejected by its place, line and field: %s", async (field, value) => {
    const path = join(folder, "bad.jsonl");
    writeFileSync(path, `${JSON.stringify(base)}\n${JSON.stringify(value)}\n`);
    const message = `${path}:2: the value of ${field} is not valid in a result. Correct the line.`;
    expect(() => readSides([path])).toThrow(message);
    expect(() => [...summarize(path)]).toThrow(message);
    expect(() => calibrate(path)).toThrow(message);
    await expect(async () => {
      for await (const _ of grade(path, { grader: "exact" }));
    }).rejects.toThrow(message);
    await expect(openResultFile(path, { data, command, append: true })).rejects.toThrow(message);
  });

  test("lines with less, of other tools and earlier versions, are still read", () => {
    const path = join(folder, "less.jsonl");
    const less = [
      base,
      { id: "b", output: "y" },
      { ...base, id: "c", score: null, cost: null },
      { id: "d", trials: [{ pass: true, score: 1 }] },
    ];
    writeFileSync(path, less.map((each) => `${JSON.stringify(each)}\n`).join(""));
    expect(readSides([path]).reduce((sum, { trials }) => sum + trials, 0)).toBe(4);
  });
});

describe("the file", () => {
  test("one writer at a time", async () => {
    const path = join(folder, "locked.jsonl");
    const out = await openResultFile(path, { data, command });
    await expect(openResultFile(path, { data, command, append: true })).rejects.toMatchObject({
      code: "locked",
      message: expect.stringMatching(/locked\.jsonl is being written by process \d+ on host \S+ \(test\); wait for it, or stop it\.$/),
    });
    await out.close();
    await (await openResultFile(path, { data, command })).close();
  });

  test("a file with results is rejected, continued or overwritten", async () => {
    const path = join(folder, "kept.jsonl");
    const first = await openResultFile(path, { data, command });
    first.append(line("a"));
    await first.close();
    await expect(openResultFile(path, { data, command })).rejects.toMatchObject({
      message: `${path} already contains results.`,
      option: "append",
    });
    const second = await openResultFile(path, { data, command, append: true });
    expect(second.finished).toEqual([line("a")]);
    second.append(line("b"));
    await second.close();
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(line("a"))}\n${JSON.stringify(line("b"))}\n`);
    await (await openResultFile(path, { data, command, force: true })).close();
    expect(readFileSync(path, "utf8")).not.toBe(""); // nothing was written
    const third = await openResultFile(path, { data, command, force: true });
    third.begin();
    await third.close();
    expect(readFileSync(path, "utf8")).toBe("");
  });

  test.each([
    ["in the middle of a line", '{"id":"b","agent":"x","con', 1, true],
    ["before its newline", JSON.stringify(line("b")), 2, false],
    ["with zeros", "\0".repeat(4096), 1, true],
  ])("torn %s", async (name, tail, finished, isSetAside) => {
    const path = join(folder, `torn ${name}.jsonl`);
    const whole = `${JSON.stringify(line("a"))}\n`;
    writeFileSync(path, whole);
    appendFileSync(path, tail);
    const out = await openResultFile(path, { data, command, append: true });
    expect(out.finished).toHaveLength(finished);
    out.append(line("c"));
    await out.close();
    const text = readFileSync(path, "utf8");
    expect(text.startsWith(whole)).toBe(true);
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((each) => JSON.parse(each).id),
    ).toEqual(finished === 1 ? ["a", "c"] : ["a", "b", "c"]);
    const aside = readdirSync(folder).find((each) => each.startsWith(`torn ${name}.jsonl.torn-`));
    expect(aside !== undefined).toBe(isSetAside);
    if (aside !== undefined) expect(readFileSync(join(folder, aside), "utf8")).toBe(tail);
  });

  test("a line in the middle that is not a result is an error", async () => {
    const path = join(folder, "damaged.jsonl");
    writeFileSync(path, `${JSON.stringify(line("a"))}\nnonsense\n${JSON.stringify(line("b"))}\n`);
    await expect(openResultFile(path, { data, command, append: true })).rejects.toThrow(`${path}:2`);
    expect(existsSync(path)).toBe(true);
  });

  test("a missing directory", async () => {
    await expect(openResultFile(join(folder, "no/such/file.jsonl"), { data, command })).rejects.toThrow("Directory not found");
  });
});

test("a comparison counts a case with an unseen end as lost, not as ungraded", () => {
  const path = join(folder, "unseen.jsonl");
  writeFileSync(path, `${JSON.stringify({ ...line("a"), status: null })}\n${JSON.stringify({ ...line("b"), status: "completed" })}\n`);
  expect(readSides([path])).toMatchObject([{ trials: 2, graded: 0, classes: { lost_to_us: 1, ungraded: 1 }, nError: 0 }]);
});

describe("the numbers over trials", () => {
  const trial = (fields: Partial<TrialEntry>): TrialEntry => ({
    trialNum: 1,
    output: "",
    trajectory: [],
    duration: 1,
    toolErrors: false,
    runs: [],
    status: "completed",
    usage: { input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null },
    cost: null,
    ...fields,
  });

  test("the document's example", () => {
    const numbers = trialNumbers(
      [true, true, true, true, false].map((pass) => trial({ pass })),
      5,
    );
    expect(numbers.passRate).toBe(0.8);
    expect(numbers.passAtK).toBeCloseTo(0.9997, 4);
    expect(numbers.passExpK).toBeCloseTo(0.3277, 4);
    expect(numbers.statistics).toMatchObject({ nGraded: 5, nPass: 4, nError: 0, nInfrastructure: 0 });
    expect(numbers.statistics.unbiasedPassAtK[1]).toBeCloseTo(1, 10);
    expect(numbers.statistics.unbiasedPassExpK[1]).toBeCloseTo((4 / 5) * (3 / 4), 10);
    expect(numbers.statistics.passRateInterval?.low).toBeCloseTo(0.3755, 3);
  });

  test("V3: a trial that ran out of time counts as failed; a broken grader and an outage do not", () => {
    const numbers = trialNumbers(
      [
        trial({ pass: true }),
        trial({ pass: true }),
        trial({ gradeError: "crashed" }),
        trial({ status: "infrastructure" }),
        trial({ status: "timed_out" }),
      ],
      5,
    );
    expect(numbers).toMatchObject({ passRate: 2 / 3, statistics: { nGraded: 3, nPass: 2, nError: 1, nInfrastructure: 1 } });
    expect(numbers.statistics.classes).toEqual({
      passed: 2,
      failed: 0,
      out_of_time: 1,
      not_started: 0,
      lost_to_provider: 1,
      lost_to_us: 0,
      ungraded: 1,
    });
    const late = [trial({ pass: true }), trial({ status: "hung" })];
    expect(trialNumbers(late, 2, { outOfTime: "ignored" })).toMatchObject({ passRate: 1, statistics: { outOfTime: "ignored" } });
  });

  test("nothing is known if there are only errors", () => {
    expect(trialNumbers([trial({ gradeError: "x" })], 3)).toMatchObject({
      passRate: null,
      passAtK: null,
      passExpK: null,
      statistics: { passRateInterval: null },
    });
  });
});
