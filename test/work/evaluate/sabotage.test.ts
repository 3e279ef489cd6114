import { existsSync, readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, jsonLines } from "../../support/harness.ts";
import { place } from "./support/place.ts";
import { killed } from "./support/saboteur.ts";

/** Agents that never answer, but edit what is on disk and kill the evaluator, so that --append continues their way. */

afterAll(cleanUp);

const ROWS = ["a", "b", "c"].map((id) => ({ id, input: `Go to ${id}.`, expected: "yes" }));
const OUT = '"$PLACE/out.jsonl"';
const DATA = '"$PLACE/data/harness"';

/** Runs JavaScript on the lines of a file: `lines` is an array of objects. */
function edit(file: string, deed: string): string {
  return `for file in ${file}; do node -e '
    const fs = require("node:fs");
    let lines = fs.readFileSync(process.argv[1], "utf8").split("\\n").filter(Boolean).map((line) => JSON.parse(line));
    ${deed}
    fs.writeFileSync(process.argv[1], lines.map((line) => JSON.stringify(line) + "\\n").join(""));' "$file"; done`;
}

const FAILED = ["a", "b", "c"].map((id) => ({ id, output: "no\n", class: "failed", score: { pass: false } }));

describe("a trial that says nothing about its agent runs again, and its failure is not hidden", () => {
  test.each([
    ["lost to us, without a run", `Object.assign(lines[0], { status: null, class: "lost_to_us", runs: [] }); delete lines[0].score;`],
    ["lost to the provider", `Object.assign(lines[0], { status: "infrastructure", class: "lost_to_provider" }); delete lines[0].score;`],
    [
      "never started",
      `Object.assign(lines[0], { status: "failed", reason: "not-started", output: "", trajectory: [], usage: {}, runs: [] }); delete lines[0].score;`,
    ],
  ])("%s", async (_, deed) => {
    const { code, lines } = await killed(place(), edit(OUT, deed), ROWS);
    expect(code).toBe(0);
    expect([...lines].sort((one, two) => String(one["id"]).localeCompare(String(two["id"])))).toMatchObject(FAILED);
  });

  test("of the journal: lost to us, without a run", async () => {
    const deed = edit(
      `${DATA}/evaluations/journals/*.jsonl`,
      `Object.assign(lines[0].entry, { status: null, runs: [] }); delete lines[0].entry.pass;`,
    );
    const { code, lines } = await killed(place("trials"), deed, ROWS.slice(0, 1), "-k", "2");
    expect({ code, lines }).toMatchObject({ code: 0, lines: [{ passRate: 0, statistics: { nGraded: 2, nInfrastructure: 0 } }] });
  });
});

describe("a trial that cannot be shown is rejected by name, and the file does not change", () => {
  test.each([
    [
      "a grade that broke, without a run",
      `lines[0].gradeError = "broken"; delete lines[0].score; lines[0].runs = [];`,
      'case "a": it names no recorded run',
    ],
    [
      "a grade that broke, of a run that is not there",
      `lines[0].gradeError = "broken"; delete lines[0].score; lines[0].runs = ["20260101-000000-gone"];`,
      "is not there",
    ],
    [
      "evidence that was lost, without a run",
      `lines[0].reason = "evidence-lost"; lines[0].status = "failed"; lines[0].runs = [];`,
      "it names no recorded run",
    ],
    [
      "a run of a different case",
      `lines.push({ ...lines[0], id: "b", input: "Go to b." });`,
      "do not belong to this evaluation: case .b. has changed",
    ],
    [
      "a run of a turn that no one took",
      `lines[0].runs.push(lines[0].runs[0]);`,
      "The runs of the trial are not all there|was asked something else",
    ],
    ["different settings", `lines[0].configuration = "0".repeat(64);`, "do not belong to this evaluation"],
  ])("%s", async (_, deed, problem) => {
    const here = place();
    const { code, stderr, lines } = await killed(here, edit(OUT, deed), ROWS);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(problem) });
    expect(lines.filter(({ class: kind }) => kind === "passed")).toEqual([]);
    expect(existsSync(here.at("out.jsonl.replaced"))).toBe(false);
  });
});

describe("what a recording is can be changed neither outside nor inside it", () => {
  test.each([
    [
      "its answer, with the note of its length",
      `for run in ${DATA}/runs/*; do printf 'yes\\n' > "$run/raw.jsonl"; sed -i 's/"no\\\\n"/"yes\\\\n"/' "$run"/*.json*; done`,
    ],
    [
      "the evaluation it names",
      `for run in ${DATA}/runs/*; do sed -i 's/"evaluation": *"[^"]*"/"evaluation":"other"/' "$run/run.json"; done; sed -i 's/"evaluation":"[^"]*"/"evaluation":"other"/' ${OUT}`,
    ],
    [
      "the case it names",
      `for run in ${DATA}/runs/*; do sed -i 's/"id": *"a"/"id": "b"/' "$run/run.json"; done; sed -i 's/"id":"a"/"id":"b"/;s/Go to a/Go to b/' ${OUT}`,
    ],
  ])("%s", async (_, deed) => {
    const { code, stderr, lines } = await killed(place(), deed, ROWS);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/changed after it was recorded|do not belong to this evaluation|cannot be read/),
    });
    expect(lines.filter(({ class: kind }) => kind === "passed")).toEqual([]);
  });

  test("a note of a different evaluation under the results' name does not make its runs ours", async () => {
    const here = place();
    const deed = `${edit(OUT, `lines = lines.map((line) => ({ ...line, evaluation: "other" }));`)}; for note in ${DATA}/evaluations/begun/*; do echo '{"evaluation":"other"}' > "$note"; done`;
    const { code, stderr } = await killed(here, deed, ROWS);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("belongs to a different evaluation") });
  });

  test("a line of a case that is not in the data set is reported as unchecked", async () => {
    const here = place();
    const { code, stderr, lines } = await killed(
      here,
      edit(OUT, `lines.push({ ...lines[0], id: "z", score: { pass: true, score: 1 }, class: "passed" });`),
      ROWS,
    );
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining("not checked again, because this call has other cases or agents: 1 result"),
    });
    expect(lines.filter(({ id }) => id !== "z")).toMatchObject(FAILED);
    expect(readdirSync(here.at("data/harness/evaluations/begun"))).toHaveLength(1);
    expect(jsonLines(readFileSync(here.at("out.jsonl"), "utf8")).filter(({ id }) => id === "a")).toHaveLength(1);
  });
});
