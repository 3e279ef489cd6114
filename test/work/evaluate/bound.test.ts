import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { capture, executeTrial, openTrialHost } from "../../../src/work/evaluate/index.ts";
import { caseHash } from "../../../src/work/evaluate/trial/index.ts";
import { cleanUp, harness, jsonLines } from "../../support/harness.ts";
import { type Place, place } from "./support/place.ts";

/** A recorded run counts in one evaluation only. Here two have the same options, and only in the first one the agent solves the cases. */

afterAll(cleanUp);

const ROWS = [
  { id: "a", input: "Go.", expected: "yes" },
  { id: "b", input: "Go again.", expected: "yes" },
];
const SOLVES = "echo yes";
const FAILS = "echo no";

type Line = Record<string, unknown> & { readonly id: string; readonly runs: readonly string[] };

/** Two evaluations in one place; the results of the first are in first.jsonl. */
async function twice(here: Place, ...more: readonly string[]): Promise<{ first: readonly Line[]; second: readonly Line[] }> {
  const one = await here.evaluate(SOLVES, ROWS, "-g", "exact", ...more);
  cpSync(here.at("out.jsonl"), here.at("first.jsonl"));
  const two = await here.evaluate(FAILS, ROWS, "-g", "exact", ...more, "--force");
  expect([one.code, two.code], two.stderr).toEqual([0, 0]);
  return { first: one.lines as readonly Line[], second: two.lines as readonly Line[] };
}

function write(here: Place, lines: readonly object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(here.at("out.jsonl"), text);
  return text;
}

async function rejected(here: Place, text: string, problem: string | RegExp, ...more: readonly string[]) {
  const { code, stderr } = await here.evaluate(FAILS, ROWS, "-g", "exact", ...more, "--append");
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(problem) });
  expect(readFileSync(here.at("out.jsonl"), "utf8")).toBe(text);
}

describe("--append takes no run of another evaluation with the same options", () => {
  test("each evaluation has its own id, in its results and in its sealed runs, and keeps it", async () => {
    const here = place();
    const { first, second } = await twice(here);
    const ids = [...first, ...second].map(({ evaluation }) => evaluation);
    expect(new Set(ids).size).toBe(2);
    for (const { evaluation, runs, configuration } of second)
      expect(JSON.parse(readFileSync(here.at(`data/harness/runs/${runs[0]}/run.json`), "utf8"))).toMatchObject({
        evaluated: { evaluation, configuration },
      });
    const { lines } = await here.evaluate(FAILS, [...ROWS, { ...ROWS[0], id: "c" }], "-g", "exact", "--append");
    expect(lines.map(({ evaluation }) => evaluation)).toEqual([ids[2], ids[2], ids[2]]);
  });

  test("a line that names such a run", async () => {
    const here = place();
    const { first, second } = await twice(here);
    const text = write(here, [{ ...first[0], evaluation: second[0]?.["evaluation"] }, ...second.slice(1)]);
    await rejected(here, text, /case "a": The run \S+ belongs to a different evaluation\./);
    const { code, stderr } = await harness(["grade", here.at("out.jsonl"), "-g", "exact"], { env: here.env });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("belongs to a different evaluation") });
  });

  test("a line with its own id", async () => {
    const here = place();
    const { first, second } = await twice(here);
    const text = write(here, [...first.slice(0, 1), ...second.slice(1)]);
    await rejected(here, text, /case "a" of generic is from the evaluation [0-9a-f-]{36}, and the file from the evaluation /);
    // with --allow-mixed the line is what it says: a result of the other evaluation
    const { code, lines } = await here.evaluate(FAILS, ROWS, "-g", "exact", "--append", "--allow-mixed");
    expect({ code, lines }).toMatchObject({ code: 0, lines: [{ class: "passed" }, { class: "failed" }] });
  });

  test("the whole file of the other one, unless no evaluation began under its name", async () => {
    const here = place();
    const { first } = await twice(here);
    await rejected(here, write(here, first), "and the file from the evaluation");
    rmSync(here.at("data/harness/evaluations/begun"), { recursive: true });
    const { code, lines } = await here.evaluate(FAILS, [...ROWS, { ...ROWS[0], id: "c" }], "-g", "exact", "--append");
    expect({ code, lines }).toMatchObject({ code: 0, lines: [{ class: "passed" }, { class: "passed" }, { class: "failed" }] });
    expect(new Set(lines.map(({ evaluation }) => evaluation))).toEqual(new Set([first[0]?.["evaluation"]]));
  });

  test("a line without an id", async () => {
    const here = place();
    const { first, second } = await twice(here);
    await rejected(
      here,
      write(here, [{ ...first[0], evaluation: undefined }, ...second.slice(1)]),
      "is from an earlier version of harness",
    );
    rmSync(here.at("data/harness/evaluations/begun"), { recursive: true });
    await rejected(
      here,
      write(here, [...first, ...second].map((line) => ({ ...line, evaluation: undefined })).slice(0, 2)),
      "belongs to a different evaluation",
    );
  });

  test("an entry of the journal", async () => {
    const here = place("trials");
    const options = ["-g", "exact", "-k", "2", "--isolate", "none"]; // one of its agents kills the evaluator
    await here.evaluate(SOLVES, ROWS.slice(0, 1), ...options);
    const [passed] = (await here.evaluate(SOLVES, ROWS.slice(0, 1), ...options, "--append")).lines as { trials: object[] }[];
    const interrupted = 'echo no; [ -e "$PLACE/one" ] && kill -9 $PPID && sleep 5; touch "$PLACE/one"';
    await here.evaluate(interrupted, ROWS.slice(0, 1), ...options, "--force");
    const [journal = ""] = readdirSync(here.at("data/harness/evaluations/journals")).map((name) =>
      here.at(`data/harness/evaluations/journals/${name}`),
    );
    const [entry] = jsonLines(readFileSync(journal, "utf8"));
    writeFileSync(journal, `${JSON.stringify({ ...entry, entry: passed?.trials[0] })}\n`);
    const { code, stderr, lines } = await here.evaluate(FAILS, ROWS.slice(0, 1), ...options, "--append");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/trial 1: The run \S+ belongs to a different evaluation\./),
    });
    expect(lines).toEqual([]);
  });
});

test("a run of the same case under the same id, with a different prompt, is not a result of the new prompt", async () => {
  const here = place();
  const { lines } = await here.evaluate(SOLVES, ROWS, "-g", "exact");
  const [changed, same] = [{ ...ROWS[0], input: "Do not go." }, ROWS[1] ?? {}];
  const hashOf = (row: object) => caseHash({ metadata: {}, ...row } as Parameters<typeof caseHash>[0]);
  expect(hashOf(ROWS[0] ?? {})).toBe(lines[0]?.["caseHash"]);
  const text = write(here, [{ ...lines[0], input: changed.input, caseHash: hashOf(changed) }, ...lines.slice(1)]);
  const { code, stderr } = await here.evaluate(FAILS, [changed, same], "-g", "exact", "--append");
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/case "a": The run \S+ was asked something else\./) });
  expect(readFileSync(here.at("out.jsonl"), "utf8")).toBe(text);
});

test("results of an earlier version, without ids, stay readable: --append continues them and says that they have none", async () => {
  const here = place();
  const { lines: made } = await here.evaluate(SOLVES, ROWS, "-g", "exact");
  rmSync(here.at("data"), { recursive: true });
  rmSync(here.at("out.jsonl"));
  const dataDirectory = here.at("data/harness");
  const host = openTrialHost({ dataDirectory });
  await capture({
    cases: here.at("cases.jsonl"),
    agents: [{ agent: "generic", command: `${here.at("agent")} {prompt}`, env: { PLACE: dirname(here.at("agent")) } }],
    grader: "exact",
    output: here.at("out.jsonl"),
    dataDirectory,
    execute: ({ evaluation: _, ...spec }, signal) => executeTrial(spec, host, signal),
  });
  host.close();
  rmSync(here.at("data/harness/evaluations/begun"), { recursive: true });
  const [line] = jsonLines(readFileSync(here.at("out.jsonl"), "utf8"));
  expect(line).not.toHaveProperty("evaluation");
  expect(line?.["configuration"]).toBe(made[0]?.["configuration"]);
  const { code, stderr, lines } = await here.evaluate(SOLVES, [...ROWS, { ...ROWS[0], id: "c" }], "-g", "exact", "--append");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("its runs do not name the evaluation they belong to") });
  const classes = new Map(lines.map((each) => [each["id"], each["class"]])); // in the order in which they ended
  expect(classes).toEqual(new Map(["a", "b", "c"].map((id) => [id, "passed"])));
  expect(lines.some((each) => "evaluation" in each)).toBe(false);
});
