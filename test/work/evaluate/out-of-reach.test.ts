import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, harness, jsonLines } from "../../support/harness.ts";
import { type Place, place } from "./support/place.ts";

/** What decides a verdict is out of the agent's reach, or a change of it is noticed and named. The agents are real processes. */

afterAll(cleanUp);

const CANARY = "canary-of-the-answer";

function runOf(line: Record<string, unknown> | undefined): string {
  return String((line?.["runs"] as readonly string[] | undefined)?.at(-1));
}

describe("S3: the answer is not in the run's directory", () => {
  /** Prints where it found the answer: in its own and in earlier runs, its folders, its environment, its arguments, its open files. */
  const LOOK = `
    import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
    import { dirname, join } from "node:path";
    const run = dirname(readlinkSync("/proc/self/fd/1"));
    const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile();
    const below = (path) => readdirSync(path, { recursive: true }).map((name) => join(path, name));
    const open = readdirSync("/proc/self/fd").map((fd) => "/proc/self/fd/" + fd);
    const places = [dirname(run), process.env.HOME, process.env.TMPDIR, "."].flatMap(below);
    for (const path of [...places, ...open, "/proc/self/environ", "/proc/self/cmdline"])
      if (isFile(path) && readFileSync(path).includes("canary-" + "of-the-answer")) console.log(path);
    if (isFile(join(run, "run.json"))) console.log("looked");`;

  test.runIf(existsSync("/proc/self/fd"))("nor in an earlier trial's, the environment, the arguments or the open files", async () => {
    const { at, evaluate } = place("trials");
    writeFileSync(at("look.mjs"), LOOK);
    const row = { id: "a", input: "Look.", expected: CANARY, reference: CANARY };
    const { lines, stderr } = await evaluate('exec node "$PLACE/look.mjs"', [row], "-k", "2", "-g", "contains");
    const [line] = lines;
    expect(stderr).toBe("");
    expect(line).toMatchObject({ expected: CANARY, trials: [{ output: "looked\n" }, { output: "looked\n" }] });
  });

  test("and the grader still gets it, also in a conversation", async () => {
    const { at, env } = place();
    writeFileSync(
      at("talk.mjs"),
      `console.log(JSON.stringify({ type: "system", subtype: "init", session_id: "s" }));
      console.log(JSON.stringify({ type: "result", subtype: "success", is_error: false, result: "hi", session_id: "s" }));`,
    );
    writeFileSync(at("claude"), `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.0 || exec node '${at("talk.mjs")}'\n`);
    chmodSync(at("claude"), 0o700);
    writeFileSync(at("grade.mjs"), "export const grade = ({ expected, hint }) => ({ pass: true, reasoning: [expected, hint].join() });\n");
    writeFileSync(at("cases.jsonl"), `${JSON.stringify({ id: "a", input: ["One", "Two"], expected: CANARY })}\n`);
    const who = ["--agent", "claude", "--binary", at("claude"), "--permissions", "default"];
    const key = ["--env", "ANTHROPIC_API_KEY=dummy-key"];
    const { stdout } = await harness(["capture", at("cases.jsonl"), ...who, ...key, "-g", at("grade.mjs")], { env });
    expect(jsonLines(stdout)).toMatchObject([{ expected: CANARY, score: { reasoning: `${CANARY},${CANARY}` } }]);
    for (const run of readdirSync(at("data/harness/runs")))
      expect(readFileSync(at(`data/harness/runs/${run}/run.json`), "utf8")).not.toContain(CANARY);
  });
});

describe("S4: what decides the verdict is pinned", () => {
  const PASS = "export const grade = () => ({ pass: true, score: 1 });";
  const FAIL = "export const grade = () => ({ pass: false, score: 0 });\n";

  test("an agent that overwrites the grader does not score, and the change is named", async () => {
    const { at, evaluate } = place();
    writeFileSync(at("grade.mjs"), FAIL);
    const { code, stderr, lines } = await evaluate(
      `echo '${PASS}' > "$PLACE/grade.mjs"`,
      [{ id: "a", input: "Go." }],
      "-g",
      at("grade.mjs"),
    );
    expect(stderr).toContain(`The grader changed while it was in use: ${at("grade.mjs")}`);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
  });

  test.each([
    ["a module that the grader imports", "lib/verdict.mjs"],
    ["a file that is expected", "expected/a.txt"],
    ["a script that a command names", "check.sh"],
  ])("an agent that overwrites %s does not score", async (_, name) => {
    const { at, evaluate } = place();
    for (const folder of ["lib", "expected"]) mkdirSync(at(folder));
    writeFileSync(at("grade.mjs"), 'export { grade } from "./lib/verdict.mjs";\n');
    writeFileSync(at("lib/verdict.mjs"), FAIL);
    writeFileSync(at("expected/a.txt"), "wanted\n");
    writeFileSync(at("check.sh"), "exit 1\n");
    const graders = {
      "lib/verdict.mjs": at("grade.mjs"),
      "expected/a.txt": `files:${at("expected")}`,
      "check.sh": `command:sh ${at("check.sh")}`,
    };
    const text = { "lib/verdict.mjs": PASS, "expected/a.txt": "mine", "check.sh": "exit 0" };
    const key = name as keyof typeof graders;
    const cheat = `echo mine > a.txt; echo '${text[key]}' > "$PLACE/${name}"`;
    const { stderr, lines } = await evaluate(cheat, [{ id: "a", input: "Go." }], "-g", graders[key]);
    expect(stderr).toContain(`${at(name)} is not what it was at the start`);
    expect(lines).toEqual([]);
  });

  test.each([
    ["a glob", (folder: string) => `cp '${folder}'/*.sh . && sh check.sh`],
    ["a directory", (folder: string) => `cd '${folder}' && sh check.sh`],
    ["a quoted path", (folder: string) => `sh '${folder}/check.sh'`],
  ])("an agent that overwrites the check behind %s of a command does not score", async (_, command) => {
    const { at, evaluate } = place();
    mkdirSync(at("my checks"));
    writeFileSync(at("my checks/check.sh"), "exit 1\n");
    const cheat = 'echo "exit 0" > "$PLACE/my checks/check.sh"';
    const { stderr, lines } = await evaluate(cheat, [{ id: "a", input: "Go." }], "-g", `command:${command(at("my checks"))}`);
    expect(stderr).toContain(`${at("my checks/check.sh")} is not what it was at the start`);
    expect(lines).toEqual([]);
  });

  test.each([
    ["the data set", "cases.jsonl", "The data set changed"],
    ["a reference", "reference/a.txt", "A reference solution changed"],
  ])("an agent that overwrites %s ends the evaluation", async (_, name, message) => {
    const { at, evaluate } = place();
    mkdirSync(at("reference"));
    writeFileSync(at("reference/a.txt"), "solution\n");
    const rows = ["a", "b"].map((id) => ({ id, input: "Go.", expected: "never", reference: `files:${at("reference")}` }));
    const { code, stderr, lines } = await evaluate(`echo >> "$PLACE/${name}"; echo done`, rows, "-g", "contains");
    expect(stderr).toContain(`${message} during the evaluation: ${at(name)}`);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
  });

  test("touching a file without changing it is not a change", async () => {
    const { at, evaluate } = place();
    writeFileSync(at("grade.mjs"), FAIL);
    const touch = 'touch "$PLACE/grade.mjs" "$PLACE/cases.jsonl"; cp "$PLACE/grade.mjs" "$PLACE/new"; mv "$PLACE/new" "$PLACE/grade.mjs"';
    const { code, lines } = await evaluate(touch, [{ id: "a", input: "Go." }], "-g", at("grade.mjs"));
    expect({ code, lines }).toMatchObject({ code: 0, lines: [{ score: { pass: false } }] });
  });

  test("an agent that writes into the workspace it was copied from helps no later trial", async () => {
    const { at, evaluate } = place("trials");
    mkdirSync(at("template"));
    writeFileSync(at("template/given.txt"), "given\n");
    const cheat =
      'cat given.txt; [ -e solved ] && echo solved; echo yes > "$PLACE/template/solved"; echo other > "$PLACE/template/given.txt"';
    const { lines } = await evaluate(cheat, [{ id: "a", input: "Go.", workspace: at("template") }], "-k", "3", "-g", "contains:solved");
    expect(lines).toMatchObject([{ passRate: 0, trials: Array.from({ length: 3 }, () => ({ output: "given\n" })) }]);
  });

  test.runIf(existsSync("/proc/self/fd"))("a daemon of one trial does not reach the workspaces of the next", async () => {
    const { at, evaluate } = place("trials");
    const daemon = `echo $$ > "${at("pid")}"; while sleep 0.01; do for at in "${at("data")}"/harness/evaluations/work/*/workspace; do echo yes > "$at/solved"; done; done`;
    writeFileSync(at("daemon"), daemon);
    const cheat = `[ -e "$PLACE/pid" ] || { (env -i PATH="$PATH" setsid sh "$PLACE/daemon" < /dev/null > /dev/null 2>&1 &)
      until [ -s "$PLACE/pid" ]; do sleep 0.05; done; rm -f solved; exit; }
      sleep 1`;
    const graded = ["-k", "2", "-g", "command:test -e solved"];
    const { lines } = await evaluate(cheat, [{ id: "a", input: "Go." }], ...graded, "--isolate", "none"); // in walls the kernel ends it
    const pid = Number(readFileSync(at("pid"), "utf8"));
    for (let waited = 0; waited < 5000 && existsSync(`/proc/${pid}`); waited += 50) await pause(50);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    const [line] = lines as { trials: { pass: boolean; errors?: string[] }[] }[];
    expect(line?.trials[0]?.errors?.join()).toContain("the agent left processes in its folders, which were ended");
    expect(line?.trials[1]).toMatchObject({ pass: false });
    expect(line?.trials[1]).not.toHaveProperty("errors");
  });
});

describe("S5: the kept state of a workspace is sealed", () => {
  async function graded(): Promise<Place & { readonly run: string; readonly state: string }> {
    const here = place();
    const { lines } = await here.evaluate("echo bad > answer.txt", [{ id: "a", input: "Go." }], "-g", "command:grep -q good answer.txt");
    expect(lines).toMatchObject([{ score: { pass: false } }]);
    const run = runOf(lines[0]);
    return { ...here, run, state: here.at(`data/harness/runs/${run}/artifacts/workspace`) };
  }

  test("verify covers it", async () => {
    const { run, env } = await graded();
    expect(await harness(["verify", run], { env })).toMatchObject({ code: 0 });
  });

  test.each(["after.jsonl", "before.jsonl", "diff.patch"])("a change of %s is found by verify, and stops a new grade", async (name) => {
    const { run, env, state, at } = await graded();
    writeFileSync(join(state, name), readFileSync(join(state, name), "utf8").replace(/[0-9a-f]{8}|$/, "deadbeef"));
    const verified = await harness(["verify", run], { env });
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain(`artifacts/workspace/${name}`);
    const { code, stdout, stderr } = await harness(["grade", at("out.jsonl"), "-g", "command:true"], { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`The run ${run} was changed after it was recorded: artifacts/workspace/${name} is not what was sealed.`);
  });

  test("a file that was added to it is found by verify", async () => {
    const { run, env, state } = await graded();
    writeFileSync(join(state, "more.txt"), "");
    expect((await harness(["verify", run], { env })).stdout).toContain("artifacts/workspace/more.txt");
  });

  test("an honest state is graded again", async () => {
    const { env, at } = await graded();
    const { stdout } = await harness(["grade", at("out.jsonl"), "-g", "command:grep -q bad answer.txt"], { env });
    expect(jsonLines(stdout)).toMatchObject([{ score: { pass: true } }]);
  });
});
