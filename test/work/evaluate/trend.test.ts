import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { compare, gateOf, gatesMissed, trend } from "../../../src/evaluate.ts";
import { cleanUp, directory, harness } from "../../support/harness.ts";
import { generator } from "../../support/random.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

/** Earlier evaluations side by side, and limits on what agents do. */

afterAll(cleanUp);

interface Trial {
  readonly pass: boolean;
  readonly behavior?: object;
}

/** A line as `evaluate` writes it, with the fields that are read here. */
function line(id: string, agent: string, day: number, trials: readonly Trial[], hash = id): string {
  const all = trials.map(({ pass, behavior }, index) => ({
    trialNum: index + 1,
    output: "",
    trajectory: [],
    duration: 1000,
    runs: [`202601${String(day).padStart(2, "0")}-120000-aaaaa${index}`],
    status: "completed",
    reason: "result",
    pass,
    score: Number(pass),
    ...(behavior && { behavior }),
  }));
  return `${JSON.stringify({ id, agent, input: "x", k: trials.length, caseHash: hash, trials: all })}\n`;
}

const times = (count: number, pass: boolean): Trial[] => Array.from({ length: count }, () => ({ pass }));

function file(name: string, lines: readonly string[]): string {
  const path = join(directory(), name);
  writeFileSync(path, lines.join(""));
  return path;
}

describe("trend", () => {
  const ids = Array.from({ length: 12 }, (_, index) => `case-${index}`);
  const before = file("monday.jsonl", [
    ...ids.map((id) => line(id, "one", 5, times(3, true))),
    ...ids.map((id) => line(id, "two", 5, times(3, id !== "case-3"))),
    line("never", "one", 5, times(3, false)),
    line("never", "two", 5, times(3, false)),
    line("flaky", "one", 5, [{ pass: true }, { pass: false }, { pass: true }]),
  ]);
  const after = file("tuesday.jsonl", [
    ...ids.map((id) => line(id, "one", 6, times(3, false), id === "case-0" ? "changed" : id)),
    ...ids.map((id) => line(id, "two", 6, times(3, id !== "case-3"))),
    line("never", "one", 6, times(3, false)),
    line("never", "two", 6, times(3, false)),
  ]);

  test("shows a regression that the test supports, and leaves out cases that changed", () => {
    const found = trend([after, before]); // the order of time, not of arguments
    expect(found.evaluations.map(({ evaluation }) => evaluation)).toEqual([before, after]);
    expect(found.changes.map(({ side, isRegression, changedCases, cases }) => ({ side, isRegression, changedCases, cases }))).toEqual([
      { side: "one", isRegression: true, changedCases: 1, cases: 12 },
      { side: "two", isRegression: false, changedCases: 0, cases: 13 },
    ]);
    expect(found.changes[0]?.pAdjusted).toBeLessThan(0.01);
    expect(strictFlaw("trend", found)).toBeUndefined();
  });

  test("names the flakiest cases, those that separate the sides, and those that show nothing", () => {
    const found = trend([before, after]);
    expect(found.flakiest).toEqual([{ id: "flaky", side: "one", trials: 3, passes: 2, disagreement: 2 / 3 }]);
    expect(found.separating[0]).toMatchObject({ id: "case-0", spread: 0.5 });
    expect(found.separating.find(({ id }) => id === "case-3")?.rates).toEqual([
      { side: "one", passes: 3, trials: 6 },
      { side: "two", passes: 0, trials: 6 },
    ]);
    expect(found.showsNothing).toEqual([{ id: "never", trials: 12, passes: 0 }]);
  });

  test("on the command line: tables, JSON, Markdown, exit codes", async () => {
    expect(await harness(["trend", before, after])).toMatchObject({ code: 0, stderr: expect.stringContaining("one is shown to be worse") });
    const failed = await harness(["trend", before, after, "--fail-on-regression", "--markdown"]);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining("| one |") });
    expect(failed.stdout).toContain("## Cases that show nothing");
    expect(await harness(["trend", before])).toMatchObject({ code: 2, stderr: expect.stringContaining("at least two evaluations") });
  });

  test("a slow decline shows from the first to the last", () => {
    const files = [10, 9, 8, 7, 5, 3, 1].map((passing, day) =>
      file(
        `day-${day}.jsonl`,
        Array.from({ length: 10 }, (_, index) => line(`c${index}`, "one", day + 1, times(1, index < passing))),
      ),
    );
    const found = trend(files);
    const shown = found.changes.filter(({ isRegression }) => isRegression);
    expect(shown.map(({ from, to }) => [from, to])).toEqual([[files[0], files.at(-1)]]);
  });

  test("simulated: if nothing changes, at most 5 % of trends show a regression", { timeout: 120_000 }, () => {
    const random = generator(7);
    const [rounds, evaluations, cases] = [120, 4, 12];
    let wrong = 0;
    for (let round = 0; round < rounds; round++) {
      const rates = Array.from({ length: cases }, () => (random() % 1000) / 1000);
      const files = Array.from({ length: evaluations }, (_, day) =>
        file(
          `r-${round}-${day}.jsonl`,
          rates.map((rate, index) =>
            line(
              `c${index}`,
              "one",
              day + 1,
              Array.from({ length: 3 }, () => ({ pass: (random() % 1000) / 1000 < rate })),
            ),
          ),
        ),
      );
      if (trend(files).changes.some(({ isRegression }) => isRegression)) wrong++;
    }
    expect(wrong / rounds).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / rounds));
  });
});

describe("gates", () => {
  const did = (calls: number, skills: readonly string[]) => ({ calls, failed: 1, retries: 0, files: 2, skills });
  const results = file("gates.jsonl", [
    ...["a", "b", "c", "d"].map((id) => line(id, "with", 1, [{ pass: true, behavior: did(4, id === "a" ? [] : ["notes"]) }])),
    ...["a", "b", "c", "d"].map((id) => line(id, "without", 1, [{ pass: id === "a", behavior: did(9, []) }])),
  ]);

  test.each([
    ["calls <= 9", []],
    ["calls < 9", ["without: calls is 9, and the gate is calls < 9"]],
    ["with: skill:notes >= 75 %", []],
    ["skill:notes >= 0.5", ["without: skill:notes is 0, and the gate is skill:notes >= 0.5"]],
    ["retries <= 0", []],
    ["files > 2", ["with: files is 2, and the gate is files > 2", "without: files is 2, and the gate is files > 2"]],
    ["pass-rate >= 80 %", ["without: pass-rate is 0.25, and the gate is pass-rate >= 0.8"]],
    ["other: calls < 1", ['The gate "other: calls < 1" names a side that is not there']],
  ])("%s", (text, missed) => {
    expect(gatesMissed(compare([results]), [gateOf(text)])).toEqual(missed);
  });

  test("what is not known keeps no gate", () => {
    const plain = file("plain.jsonl", [line("a", "one", 1, [{ pass: true }])]);
    expect(gatesMissed(compare([plain]), [gateOf("calls <= 100")])).toEqual(["one: calls is not known, and the gate is calls <= 100"]);
  });

  test("decide the exit code of compare and of evaluate; a mistake is reported before anything runs", async () => {
    expect(await harness(["compare", results, "--gate", "calls <= 9", "--gate", "files <= 2"])).toMatchObject({ code: 0 });
    expect(await harness(["compare", results, "--gate", "calls <= 5"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("without: calls is 9"),
    });
    expect(await harness(["compare", results, "--gate", "speed <= 5"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Not a gate"),
    });
    const folder = directory();
    writeFileSync(join(folder, "cases.jsonl"), '{"id":"a","input":"say a","expected":"b"}\n');
    const definition = {
      cases: "cases.jsonl",
      graders: "contains",
      gates: ["pass-rate >= 0.5"],
      sides: [{ agent: "generic", command: "echo {prompt}" }],
    };
    writeFileSync(join(folder, "eval.json"), JSON.stringify(definition));
    const env = { XDG_DATA_HOME: join(folder, "data") };
    expect(await harness(["evaluate", join(folder, "eval.json")], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("pass-rate is 0"),
    });
    expect(await harness(["evaluate", join(folder, "eval.json"), "--gate", "x", "--force"], { env })).toMatchObject({ code: 2 });
  });

  test("a pair has the size of its effect, and how behavior differs", () => {
    const [pair] = compare([results]).pairs;
    expect(pair?.effectSize).toBeCloseTo(2 * Math.asin(Math.sqrt(0.25)) - Math.PI, 10);
    expect(pair?.behavior).toMatchObject({ cases: 4, calls: { difference: 5 }, files: { difference: 0 } });
  });
});
