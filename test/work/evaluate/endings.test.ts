import { writeFileSync } from "node:fs";
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
