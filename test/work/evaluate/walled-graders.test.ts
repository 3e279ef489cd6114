import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { graderWalls } from "../../../src/host/isolation/index.ts";
import { prepareGrader } from "../../../src/work/evaluate/graders/index.ts";
import { localCode } from "../../../src/work/evaluate/trial/index.ts";
import { cleanUp, directory } from "../../support/harness.ts";

afterAll(cleanUp);
afterEach(() => vi.unstubAllEnvs());

/** Programs of graders run in their own walls. Every cheat has an honest solution next to it, which passes in the same walls. */

const probed = graderWalls({ workspace: undefined, hidden: [], readable: [] });
probed.close();
const hasWalls = probed.missing === undefined;
const around = hasWalls ? "walls" : "no walls";

function put(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  return folder;
}

const checks = put(directory(), {
  "grade.mjs": `export async function grade({ cwd }) {
    const { add } = await import(cwd + "/add.mjs");
    return { pass: add(2, 3) === 5 && add(-1, 1) === 0 };
  }`,
  "grade.py": `import sys, os
sys.path.append(os.getcwd())
import add
sys.exit(0 if add.add(2, 3) == 5 and add.add(-1, 1) == 0 else 1)`,
  "check.mjs": `const { add } = await import(process.cwd() + "/add.mjs"); if (add(2, 3) !== 5) process.exit(1); console.log("ok");`,
});

const HONEST = {
  "add.mjs": "export const add = (a, b) => a + b;\n",
  "add.py": "def add(a, b):\n    return a + b\n",
  "package.json": '{"type":"module","scripts":{"test":"node check.mjs"}}\n',
  "check.mjs": readFileSync(join(checks, "check.mjs"), "utf8"),
};
const WRONG = { ...HONEST, "add.mjs": "export const add = () => 0;\n", "add.py": "def add(a, b):\n    return 0\n" };
const git = (cwd: string) => execFileSync("git", ["-c", "init.defaultBranch=main", "init", "-q", "."], { cwd });

async function graded(text: string, cwd: string, data = directory()) {
  const grader = await prepareGrader({ graders: [text], directory: checks }, { code: localCode(), dataDirectory: data });
  return grader?.grade({ id: "add", input: "", output: "", trajectory: [], metadata: {}, cwd }, new AbortController().signal);
}

const passes = expect.objectContaining({ grade: expect.objectContaining({ pass: true }), gradedIn: around });
const fails = expect.objectContaining({ grade: expect.objectContaining({ pass: false }), gradedIn: around });

const EVIL = "#!/bin/sh\ntouch evil-ran; exit 0\n";
const PYTHON = "open('evil-ran', 'w'); import os; os._exit(0)\n";
const COMMIT = "git add -A && git -c user.name=a -c user.email=a@b.c commit -qm work && git status --short";
const MODULE = join(checks, "grade.mjs");
const SCRIPT = `command:python3 ${checks}/grade.py`;

interface Cheat {
  readonly grader: string;
  readonly plant: Readonly<Record<string, string>>;
  readonly isRepository?: true;
  readonly env?: (workspace: string) => Readonly<Record<string, string>>;
}

const cheats: Readonly<Record<string, Cheat>> = {
  "a planted reward": {
    grader: MODULE,
    plant: { "reward.json": '{"pass":true,"score":1}', "reward.txt": "1", "result.json": '{"pass":true}' },
  },
  "a module that prints a verdict and exits": {
    grader: MODULE,
    plant: { "add.mjs": 'import fs from "node:fs"; fs.writeSync(1, \'{"pass":true,"score":1}\'); process.exit(0);' },
  },
  "a module that reads the question again": {
    grader: MODULE,
    plant: {
      "add.mjs": `import fs from "node:fs";
        let mark = ""; try { mark = fs.readFileSync(0, "utf8").split("\\n")[0]; } catch {}
        fs.writeSync(1, mark + '\\n{"pass":true,"score":1}'); process.exit(0);`,
    },
  },
  "a module that changes how verdicts are written": {
    grader: MODULE,
    plant: {
      "add.mjs": `import fs, { syncBuiltinESMExports } from "node:fs";
        JSON.stringify = () => '{"pass":true,"score":1}'; const write = fs.writeSync;
        fs.writeSync = (fd, text) => write(fd, String(text).replace("false", "true"));
        process.getBuiltinModule("node:module").syncBuiltinESMExports(); export const add = () => 0;`.replace(
        ", { syncBuiltinESMExports }",
        "",
      ),
    },
  },
  "sitecustomize.py, usercustomize.py and conftest.py": {
    grader: SCRIPT,
    plant: { "sitecustomize.py": PYTHON, "usercustomize.py": PYTHON, "conftest.py": PYTHON },
    env: (workspace) => ({ PYTHONPATH: workspace, PYTHONSTARTUP: join(workspace, "conftest.py"), PYTHONUSERBASE: workspace }),
  },
  "LD_PRELOAD and NODE_OPTIONS": {
    grader: `command:env | grep -Eq '^(LD_|NODE_OPTIONS|PYTHON|BASH_ENV)' || node ${checks}/check.mjs`,
    plant: { "evil.cjs": 'require("node:fs").writeFileSync("evil-ran", ""); process.exit(0);' },
    env: (workspace) => ({ LD_LIBRARY_PATH: workspace, NODE_OPTIONS: `--require ${workspace}/evil.cjs`, BASH_ENV: `${workspace}/evil.sh` }),
  },
  "programs on PATH": {
    grader: `command:python3 ${checks}/grade.py && bash -c 'exit 0' && git --version`,
    plant: { "bin/python3": EVIL, "bin/bash": EVIL, "bin/git": EVIL, python3: EVIL },
    env: (workspace) => ({ PATH: `${workspace}/bin:.::${process.env["PATH"]}` }),
  },
  "node_modules/.bin": {
    grader: `command:node ${checks}/check.mjs`,
    plant: { "node_modules/.bin/node": EVIL, "node_modules/.bin/sh": EVIL, "node_modules/node/index.js": "process.exit(0)" },
  },
  "an .npmrc with its own shell and options": {
    grader: "command:npm test --silent",
    plant: {
      ".npmrc": "script-shell=./evil.sh\nnode-options=--require ./evil.cjs\n",
      "evil.sh": EVIL,
      "evil.cjs": 'require("node:fs").writeFileSync("evil-ran", ""); process.exit(0);',
    },
  },
  "scripts of package.json": {
    grader: `command:node ${checks}/check.mjs`,
    plant: { "package.json": '{"type":"module","scripts":{"test":"exit 0","pretest":"touch evil-ran"}}' },
  },
  "git hooks": {
    grader: `command:${COMMIT} && node ${checks}/check.mjs`,
    isRepository: true,
    plant: { ".git/hooks/pre-commit": EVIL, ".git/hooks/post-commit": EVIL, ".git/hooks/post-index-change": EVIL },
  },
  "git filters, monitors and aliases": {
    grader: `command:${COMMIT} && node ${checks}/check.mjs`,
    isRepository: true,
    plant: {
      ".gitattributes": "* filter=evil diff=evil\n",
      ".git/config":
        '[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ./evil.sh\n\thooksPath = .\n[filter "evil"]\n\tclean = sh -c "touch evil-ran; cat"\n\trequired = true\n[include]\n\tpath = ../more\n[alias]\n\tstatus = "!touch evil-ran"\n',
      "evil.sh": EVIL,
    },
  },
};

describe.each(Object.entries(cheats))("%s", (_, { grader, plant, isRepository, env }) => {
  function workspace(files: Readonly<Record<string, string>>): string {
    const cwd = directory();
    if (isRepository) git(cwd);
    put(cwd, files);
    for (const [name, value] of Object.entries(env?.(cwd) ?? {})) vi.stubEnv(name, value);
    return cwd;
  }

  test("does not pass", async () => {
    const cwd = workspace({ ...WRONG, ...plant });
    const verdict = await graded(grader, cwd);
    expect(verdict).toEqual(verdict !== undefined && "error" in verdict ? expect.objectContaining({ error: expect.any(String) }) : fails);
    if (hasWalls || !isRepository) expect(existsSync(join(cwd, "evil-ran"))).toBe(false);
  });

  test("an honest solution passes", async () => {
    expect(await graded(grader, workspace(HONEST))).toEqual(passes);
  });
});

describe.runIf(hasWalls)("in the walls of a grader", () => {
  test("builds work, and the next grader sees them", async () => {
    const build = "command:mkdir -p build && cp add.mjs build/ && mkdir -p ~/.cache/tool && echo 1 > ~/.cache/tool/x && echo 1 > /tmp/x";
    const cwd = put(directory(), HONEST);
    expect(await graded(`all(${build}, command:test -s build/add.mjs)`, cwd)).toEqual(passes);
    expect(existsSync(join(homedir(), ".cache/tool/x"))).toBe(false);
  });

  test("recordings, the checks and the home cannot be changed, and recordings cannot be read", async () => {
    const data = put(directory(), { "runs/a/raw.jsonl": "recorded" });
    const cwd = put(directory(), HONEST);
    // Not as a separate path: what a command names is a part of it, and can be read.
    const forge = `command:d=${data} c=${checks}; echo x > "$d/runs/a/raw.jsonl"; echo x > "$c/planted"; echo x > ~/planted; cat "$d/runs/a/raw.jsonl" && exit 1; exit 0`;
    expect(await graded(forge, cwd, data)).toEqual(passes);
    expect(readFileSync(join(data, "runs/a/raw.jsonl"), "utf8")).toBe("recorded");
    expect([join(checks, "planted"), join(homedir(), "planted")].filter((path) => existsSync(path))).toEqual([]);
  });

  test("expected files, schemas and rubrics cannot be read by the work that a command runs, unless the command names them", async () => {
    const expected = put(directory(), { "answer.txt": "forty-two" });
    const schema = join(put(directory(), { "answer.schema.json": "{}" }), "answer.schema.json");
    const copy = `e=${expected} s=${schema}; cp "$e/answer.txt" .; test -s "$s" && exit 3; exit 0`;
    const cheat = await graded(`all(command:${copy}, files:${expected}, any(json-schema:${schema}, command:true))`, directory());
    expect(cheat).toEqual(fails);
    const named = await graded(`all(command:diff -r ${expected} ., files:${expected})`, put(directory(), { "answer.txt": "forty-two" }));
    expect(named).toEqual(passes);
  });

  test("a daemon ends with the grade", async () => {
    const cwd = put(directory(), HONEST);
    expect(await graded("command:(setsid sh -c 'sleep 0.5; touch late' >/dev/null 2>&1 &); exit 0", cwd)).toEqual(passes);
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(existsSync(join(cwd, "late"))).toBe(false);
  });

  test("it sees no process outside", async () => {
    expect(
      await graded(`command:test ! -e /proc/${process.pid}/stat || ! grep -q vitest /proc/${process.pid}/cmdline`, directory()),
    ).toEqual(passes);
  });
});

test("without bubblewrap, the result says so, and the environment is clean all the same", async () => {
  const bin = directory();
  for (const name of ["sh", "env", "grep"]) execFileSync("ln", ["-s", `/bin/${name}`, join(bin, name)]);
  vi.stubEnv("PATH", bin);
  vi.stubEnv("NODE_OPTIONS", "--no-warnings");
  const verdict = await graded("command:if env | grep -q NODE_OPTIONS; then exit 1; fi", directory());
  expect(verdict).toEqual({ grade: { pass: true, score: 1, reasoning: "exit code 0" }, gradedIn: "no walls" });
});

test("a link to the answer that a command compares with is not an answer", async () => {
  const answer = join(put(directory(), { "out.txt": "42\n" }), "out.txt");
  const compared = `command:diff out.txt ${answer}`;
  for (const target of [answer, `/proc/self/root${answer}`]) {
    const cwd = put(directory(), { "deep/note.txt": "" });
    symlinkSync(target, join(cwd, "deep/out.txt"));
    symlinkSync("deep/out.txt", join(cwd, "out.txt"));
    expect(await graded(compared, cwd)).toEqual(fails);
  }
  expect(await graded(compared, put(directory(), { "out.txt": "42\n" }))).toEqual(passes);
});
