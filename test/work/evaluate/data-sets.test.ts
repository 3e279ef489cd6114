import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type CaseRow, openCases } from "../../../src/work/evaluate/cases/index.ts";
import { cleanUp, directory, harness, jsonLines } from "../../support/harness.ts";

/** The same cases in every format, and mistakes with their places. */

afterAll(cleanUp);

function written(files: Readonly<Record<string, string>>): (name: string) => string {
  const folder = directory();
  const at = (name: string) => join(folder, name);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
    if (name.endsWith(".sh")) chmodSync(at(name), 0o755);
  }
  return at;
}

const ROWS: readonly CaseRow[] = [
  { id: "a", input: 'Say "hi",\nthen stop.', expected: "hi", metadata: { kind: "short" }, timeout: 9000 },
  { id: "b", input: "Say bye.", metadata: {} },
];

const AS: Readonly<Record<string, string>> = {
  "cases.jsonl": ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""),
  "cases.json": JSON.stringify(ROWS, null, 1),
  "wrapped.json": JSON.stringify({ cases: ROWS }),
  "cases.yaml":
    '- id: a\n  input: |-\n    Say "hi",\n    then stop.\n  expected: hi\n  timeout: 9000\n  metadata: {kind: short}\n- {id: b, input: Say bye.}\n',
  "cases.csv": 'id,input,expected,timeout,kind\r\na,"Say ""hi"",\nthen stop.",hi,9000,short\r\nb,Say bye.,,,\r\n',
};

const read = (path: string) => {
  const cases = openCases(path);
  return cases.places.map((place) => cases.read(place));
};

test.each(Object.keys(AS))("%s holds the same cases", (name) => {
  const at = written({ [name]: AS[name] ?? "" });
  expect(read(at(name))).toEqual(ROWS);
});

test("a directory of task folders", () => {
  const at = written({
    "tasks/a/prompt.md": 'Say "hi",\nthen stop.',
    "tasks/a/expected.txt": "hi\n",
    "tasks/a/task.yaml": "timeout: 9000\nmetadata: {kind: short}\n",
    "tasks/b/prompt.txt": "Say bye.",
    "tasks/b/workspace/x.txt": "",
    "tasks/b/reference/x.txt": "bye",
  });
  expect(read(at("tasks"))).toEqual([ROWS[0], { ...ROWS[1], workspace: "b/workspace", reference: "files:b/reference" }]);
});

describe("mistakes", () => {
  test.each([
    ["x.json", '[\n {"id":"a","input":"x"},\n {"id":"a","input":"y"}\n]', ":3: line 2 already has the id"],
    ["x.json", '[\n {"id":"a"}\n]', ":2: a case needs an"],
    ["x.json", '{"rows":[]}', ": not a list of cases"],
    ["x.yaml", "- id: a\n  input: x\n- id: b\n  inptu: y\n", ':3: unknown field "inptu". Did you mean "input"?'],
    ["x.yaml", "- id: a\n  input: [\n", ":3: "],
    ["x.csv", "id,input\na,x\nb,y,z\n", ":3: 3 cells, but the first row has 2"],
    ["x.csv", 'id,input\na,"x\n', ":2: a quotation mark is not closed"],
    ["x.csv", "id,input,expcted\na,x,y\n", ':2: unknown field "expcted"'],
    ["x.csv", "id,input,timeout\na,x,soon\n", ':2: "timeout" must be a number'],
  ])("%s: %j", (name, text, problem) => {
    const at = written({ [name]: text });
    expect(() => read(at(name))).toThrow(problem);
  });

  test("a task folder without a prompt, or with a different id", () => {
    const at = written({ "t/a/notes.md": "x", "u/a/prompt.md": "x", "u/a/task.yaml": "id: b\n" });
    expect(() => read(at("t"))).toThrow("no prompt");
    expect(() => read(at("u"))).toThrow("the name of its folder");
  });
});

test("checks in task folders grade their own tasks, from outside the workspace", async () => {
  const at = written({
    "tasks/good/prompt.md": "good",
    "tasks/good/checks/check.sh": '#!/bin/sh\n[ "$(cat said.txt)" = good ]\n',
    "tasks/bad/prompt.md": "bad",
    "tasks/bad/checks/grade.mjs": 'export const grade = ({ output }) => ({ pass: output.includes("good"), reasoning: "looked" });\n',
  });
  const agent = ["--agent", "generic", "--command", "sh -c 'echo \"$0\" | tee said.txt' {prompt}"];
  const { code, stdout } = await harness(["capture", at("tasks"), ...agent, "-g", `checks:${at("tasks")}`], {
    env: { XDG_DATA_HOME: at("data") },
  });
  expect(code).toBe(0);
  const lines = jsonLines(stdout) as { id: string; score: object }[];
  expect(new Map(lines.map(({ id, score }) => [id, score]))).toMatchObject(
    new Map([
      ["good", { pass: true }],
      ["bad", { pass: false, reasoning: "looked" }],
    ]),
  );
});
