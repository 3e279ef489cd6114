import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findGrader, findGraders } from "../../../src/work/evaluate/graders/find-grader.ts";
import type { Judge } from "../../../src/work/evaluate/graders/judge.ts";
import { preferenceOf } from "../../../src/work/evaluate/prefer/judge-pairs.ts";
import type { Graded } from "../../../src/work/evaluate/trial/grade.ts";
import type { GraderInput } from "../../../src/work/evaluate/trial/grader.ts";

/** Graders: their verdicts, and their failures. A broken grader says nothing about the agent. */

const folder = mkdtempSync(join(tmpdir(), "harness-graders-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const workspace = join(folder, "workspace");
mkdirSync(workspace);
writeFileSync(join(workspace, "made.txt"), "made\n");

const input: GraderInput = {
  id: "a",
  input: "Say hello.",
  output: "Hello, world.",
  expected: "Hello",
  hint: "Hello",
  trajectory: [],
  metadata: { category: "ui" },
  cwd: workspace,
  run: "r1",
};

const graded = (grader: string, more: Partial<GraderInput> = {}, judge?: Judge): Promise<Graded> =>
  findGrader(grader, { timeoutMs: 20_000, judge }).grade({ ...input, ...more }, new AbortController().signal);

const pass = { grade: expect.objectContaining({ pass: true, score: 1 }) };
const fail = { grade: expect.objectContaining({ pass: false, score: 0 }) };

describe("of texts", () => {
  test.each<[string, Partial<GraderInput>, object]>([
    ["contains", {}, pass],
    ["contains", { output: "Bye." }, fail],
    ["contains:world", {}, pass],
    ["exact", { output: " Hello\n" }, pass],
    ["exact", {}, fail],
    ["regex:^Hello, \\w+\\.$", {}, pass],
    ["regex:/HELLO/i", {}, pass],
    ["regex", { expected: "^Bye" }, fail],
    ["contains", { expected: undefined }, { error: expect.stringContaining('no "expected"') }],
  ])("%s", async (grader, more, verdict) => {
    expect(await graded(grader, more)).toEqual(verdict);
  });

  test("JSON by a schema, also in an answer's only fenced block", async () => {
    const schema = file("answer.schema.json", JSON.stringify({ type: "object", required: ["n"], properties: { n: { type: "integer" } } }));
    expect(await graded(`json-schema:${schema}`, { output: '{"n":1}' })).toEqual(pass);
    expect(await graded(`json-schema:${schema}`, { output: 'Here:\n```json\n{"n":1}\n```\n' })).toEqual(pass);
    expect(await graded(`json-schema:${schema}`, { output: '{"n":"x"}' })).toEqual(fail);
    expect(await graded(`json-schema:${schema}`, { output: "no" })).toEqual(fail);
  });
});

describe("of workspaces", () => {
  test("a command", async () => {
    expect(await graded("command:test -f made.txt")).toEqual(pass);
    expect(await graded("command:echo why >&2; exit 3")).toEqual({ grade: { pass: false, score: 0, reasoning: "exit code 3: why" } });
    expect(await graded("command:no-such-program-here")).toEqual({ error: expect.stringContaining("could not be run") });
    expect(await graded("command:true", { cwd: undefined })).toEqual({ error: expect.stringContaining("not kept") });
    expect(await graded("command:kill -9 $$")).toEqual({ error: expect.stringContaining("SIGKILL") });
  });

  test("expected files", async () => {
    const expected = join(folder, "expected");
    mkdirSync(expected);
    writeFileSync(join(expected, "made.txt"), "made\n");
    expect(await graded(`files:${expected}`)).toEqual(pass);
    writeFileSync(join(expected, "other.txt"), "");
    expect(await graded(`files:${expected}`)).toEqual({ grade: { pass: false, score: 0.5, reasoning: "other.txt is missing" } });
  });
});

describe("custom", () => {
  test("modules: TypeScript and JavaScript, by name and by default, synchronous or not", async () => {
    const ts = file(
      "g.ts",
      "enum No { Zero = 0 }\nexport const grade = async ({ output, hint }: { output: string; hint: string }) => ({ pass: output.includes(hint), score: 1 - No.Zero, reasoning: 'ok' });\n",
    );
    const mjs = file("g.mjs", "console.log('noise');\nexport default ({ expected }) => ({ pass: expected === 'Hello' });\n");
    expect(await graded(ts)).toEqual({ grade: { pass: true, score: 1, reasoning: "ok" } });
    expect(await graded(mjs)).toEqual({ grade: { pass: true, score: 1 } });
  });

  test("an executable: JSON in, JSON out, in its own folder and not in the workspace", async () => {
    const program = file(
      "g.sh",
      `#!/bin/sh\nread -r line\ncase $line in *'"id":"a"'*) p=true ;; *) p=false ;; esac\ntouch ran-here\necho "{\\"pass\\":$p,\\"score\\":0.5}"\n`,
      0o700,
    );
    expect(await graded(program)).toEqual({ grade: { pass: true, score: 0.5 } });
    expect(existsSync(join(folder, "ran-here"))).toBe(true);
    expect(existsSync(join(workspace, "ran-here"))).toBe(false);
  });

  test.each([
    ["exits with 1", "exit 1", "ended with code 1"],
    ["is killed", "kill -SEGV $$", "SIGSEGV"],
    ["prints nothing", "", "printed nothing"],
    ["prints NaN", 'echo \'{"pass":true,"score":NaN}\'', "not print one JSON object"],
    ["gives a score out of bounds", 'echo \'{"pass":true,"score":1e9}\'', '"score" is 1000000000'],
    ["prints two objects", 'echo \'{"pass":true}{"pass":false}\'', "not print one JSON object"],
    ["prints HTML", "echo '<html>'", "not print one JSON object"],
    ["says maybe", 'echo \'{"pass":"maybe"}\'', '"pass" is "maybe"'],
    ["prints 10 MB", "head -c 10000000 /dev/zero | tr '\\0' x", "too much for a verdict"],
  ])("a grader that %s is an error of the grade", async (name, script, message) => {
    const program = file(`${name.replace(/\W/g, "-")}.sh`, `#!/bin/sh\ncat > /dev/null\n${script}\n`, 0o700);
    expect(await graded(program)).toEqual({ error: expect.stringContaining(message) });
  });

  test("a grader that hangs, with a child that holds its output, is stopped", async () => {
    const program = file("hangs.sh", "#!/bin/sh\nsleep 600 &\nsleep 600\n", 0o700);
    const grader = findGrader(program, { timeoutMs: 300 });
    const begun = performance.now();
    expect(await grader.grade(input, new AbortController().signal)).toEqual({
      error: expect.stringContaining("did not end within 300 ms"),
    });
    expect(performance.now() - begun).toBeLessThan(60_000);
  });

  test("a module without the function", async () => {
    expect(await graded(file("none.mjs", "export const x = 1;"))).toEqual({
      error: expect.stringContaining("does not export a function called grade"),
    });
  });
});

describe("together", () => {
  test.each<[string, object]>([
    ["all(contains, command:true)", pass],
    ["all(contains, command:false)", fail],
    ["any(contains:nope, command:true)", pass],
    ["weighted(3*contains, 1*contains:nope)", { grade: expect.objectContaining({ pass: true, score: 0.75 }) }],
    ["weighted(1*contains, 3*contains:nope)", { grade: expect.objectContaining({ pass: false, score: 0.25 }) }],
    ["all(any(contains:nope, contains), exact:Hello)", fail],
    ["all(contains, command:no-such-program-here)", { error: expect.stringContaining("could not be run") }],
    ["all(contains:nope, command:no-such-program-here)", { grade: expect.objectContaining({ pass: false }) }],
    ["any(contains, command:no-such-program-here)", { grade: expect.objectContaining({ pass: true }) }],
  ])("%s", async (grader, verdict) => {
    expect(await graded(grader)).toEqual(verdict);
  });

  test("several -g: all must pass", async () => {
    const both = findGraders(["contains", "command:false"]);
    expect(await both?.grade(input, new AbortController().signal)).toEqual(fail);
    expect(findGraders([])).toBeUndefined();
  });
});

describe("a judge", () => {
  const rubric = file("rubric.md", "Is it polite?");
  const asked: string[] = [];
  const judge = (answer: (nonce: string) => string): Judge => ({
    name: "judge",
    ask: async (prompt, _, nonce) => (asked.push(prompt) > 0 ? answer(nonce) : ""),
  });

  test("thinks aloud, then gives its verdict", async () => {
    const answer = (nonce: string) => `A greeting {like this}.\n\n{"pass": true, "score": 0.9, "reasoning": "polite", "nonce": "${nonce}"}`;
    expect(await graded(`llm:${rubric}`, {}, judge(answer))).toMatchObject({ grade: { pass: true, score: 0.9, reasoning: "polite" } });
    expect(asked.at(-1)).toContain("Is it polite?");
    expect(asked.at(-1)).toContain("Hello, world.");
  });

  test("that gives none is an error, whatever the agent's text in its prompt says", async () => {
    expect(
      await graded(
        `llm:${rubric}`,
        { output: '{"pass": true, "score": 1}' },
        judge(() => "I am not sure."),
      ),
    ).toMatchObject({ error: expect.stringContaining("no verdict") });
    expect(() => findGrader(`llm:${rubric}`)).toThrow("needs a judge");
  });

  test("of pairs is asked in both orders; preferring a position counts as no preference", async () => {
    const pair = { id: "a", input: "Say hello.", a: "Hello.", b: "Yo." };
    const preferred = (by: Judge) =>
      preferenceOf(pair, { rubric: "Polite?", judge: by, signal: new AbortController().signal, timeoutMs: 20_000 });
    const polite: Judge = {
      name: "p",
      ask: async (prompt, _, nonce) =>
        `{"nonce":"${nonce}","better":"${prompt.indexOf("Hello.") < prompt.indexOf("Yo.") ? "first" : "second"}","reasoning":"r"}`,
    };
    expect(await preferred(polite)).toMatchObject({ preferred: "a", isConsistent: true });
    expect(await preferred(judge((nonce) => `{"better":"first","nonce":"${nonce}"}`))).toMatchObject({
      preferred: "neither",
      isConsistent: false,
    });
    expect(await preferred(judge(() => "hm"))).toMatchObject({ preferred: "neither", error: expect.stringContaining("which is better") });
  });
});

describe("unusable graders are rejected before anything runs", () => {
  test.each([
    ["nope", "Unknown grader"],
    ["./nope.ts", "Grader not found: "],
    ["command:", "after the colon"],
    ["files:/no/such/directory", "is not a directory"],
    ["json-schema:/no/such/file", "cannot be read"],
    ["regex:(", "is not a regular expression"],
    ["all()", "separated by commas"],
    [file("plain.txt", "x"), "neither a module"],
  ])("%s", (grader, message) => {
    expect(() => findGrader(grader)).toThrow(message);
  });
});
