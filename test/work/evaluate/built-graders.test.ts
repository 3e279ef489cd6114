import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { BIN, bash, cleanUp, directory } from "../../support/harness.ts";

/** Graders load their packages on demand, and a bundle does that in its own way: only the built command shows that it works. */

afterAll(cleanUp);

test.each(["exact", "contains", "json-schema:schema.json", "command:grep -q one made.txt", "files:wanted", "./grade.mjs"])(
  "the built command grades with %s",
  async (grader) => {
    const cwd = directory();
    mkdirSync(join(cwd, "wanted"));
    writeFileSync(join(cwd, "wanted/made.txt"), "one\n");
    writeFileSync(join(cwd, "schema.json"), '{"type":"object","required":["a"]}');
    writeFileSync(join(cwd, "grade.mjs"), "export const grade = ({ output }) => ({ pass: output.includes('1'), score: 1 });\n");
    const cases = [
      { id: "right", input: '{"a":1}', expected: '{"a":1}' },
      { id: "wrong", input: "[2]", expected: "nothing" },
    ];
    writeFileSync(join(cwd, "cases.jsonl"), cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
    writeFileSync(join(cwd, "agent.sh"), 'printf %s "$1"; case "$1" in *1*) echo one > made.txt;; esac\n');
    const line = `cd '${cwd}' && node '${BIN}' capture cases.jsonl --agent generic --command 'sh ${cwd}/agent.sh {prompt}' --grader '${grader}'`;
    const { code, stdout, stderr } = await bash(line, { env: { XDG_DATA_HOME: join(cwd, "data") } });
    const classes = stdout
      .trimEnd()
      .split("\n")
      .map((line) => [JSON.parse(line).id, JSON.parse(line).class]);
    expect({ code, stderr, classes: classes.sort((a, b) => String(a).localeCompare(String(b))) }).toMatchObject({
      code: 0,
      classes: [
        ["right", "passed"],
        ["wrong", "failed"],
      ],
    });
  },
);
