import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { evidenceFold } from "../../../src/pure/checks/evidence.ts";
import { ruleCheck } from "../../../src/pure/checks/rule-check.ts";
import { judgeWithin } from "../../../src/work/observe/evaluation/judge-within.ts";
import { readPolicy } from "../../../src/work/observe/evaluation/read-policy.ts";
import { cleanUp, directory, harness, jsonLines } from "../../support/harness.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-policy-"));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  cleanUp();
});

function written(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("an invalid policy names its line", () => {
  test.each([
    ["checks: nothing\n", /policy\.yaml:1: checks must be a list of checks/],
    ["checks:\n  - no.such_check\n", /policy\.yaml:2: checks\[0\] is not a check\. The checks are output\.json_only/],
    ["checks:\n  - id: scope.only_paths\n", /policy\.yaml:2: .* needs paths/],
    ["checks:\n  - id: scope.only_paths\n    paths: ['**']\n    outside: [tmp/**]\n", /policy\.yaml:2: .* needs outside/],
    ["checks:\n  - id: scope.no_network\n    allow: [example.com:443]\n", /policy\.yaml:2: .* host names are not seen/],
    [
      "checks:\n  - id: output.json_only\n    strict: true\n",
      /policy\.yaml:3: .*strict is not an option of output\.json_only, which has none/,
    ],
    ["checks:\n  - id: a\n    in: somewhere\n    forbid: x\n", /policy\.yaml:3: .*must be answer, added, paths, commands/],
    ["checks:\n  - id: a\n    in: answer\n", /needs "forbid" or "require"/],
    ["checks:\n  - id: a\n    in: answer\n    forbid: '('\n", /policy\.yaml:4: .*is not a regular expression/],
    ["checks:\n  - id: a\n    module: ./nothing.mjs\n", /policy\.yaml:3: .*must be a module/],
    ["checks:\n  - style.no_emojis\n  - style.no_emojis\n", /policy\.yaml:3: .*repeats the id/],
    ["chekcs: []\n", /policy\.yaml:1: chekcs is not a key of a policy\. Its keys are name, checks, allow and deny/],
  ])("%j", (text, message) => {
    const file = written("policy.yaml", text);
    expect(() => readPolicy(file)).toThrow(message);
  });

  test("checks may be left out next to rules for calls, and are required otherwise", () => {
    expect(readPolicy(written("rules.yaml", 'deny: [{ tool: "*", path: .env }]\n'))).toEqual([]);
    expect(readPolicy(written("rules.yaml", "allow: [npm test]\n"))).toEqual([]);
    expect(() => readPolicy(written("empty.yaml", "name: x\n"))).toThrow(/checks/);
  });

  test("a missing policy", () => {
    expect(() => readPolicy(join(folder, "nothing.yaml"))).toThrow(/Policy not found/);
  });
});

test("a passing check cites its evidence: the observation can be verified", { timeout: 120_000 }, async () => {
  const env = { XDG_DATA_HOME: join(directory(), "data") };
  const policy = written(
    "passing.yaml",
    "checks: [{ id: a, in: answer, forbid: x }, { id: b, in: added, forbid: x }, { id: c, in: paths, forbid: x }, { id: scope.diff_size, files: 9 }]",
  );
  const named =
    "style.no_emojis,scope.no_ci_changes,scope.no_new_dependencies,quality.no_deleted_tests,security.no_secrets,truth.consistent";
  const who = [
    "--agent",
    "generic",
    "--command",
    "sh -c 'echo 1 > n; echo Done.'",
    "--prompt",
    "Do it.",
    "--out",
    join(directory(), "out"),
  ];
  const { stdout } = await harness(["observe", ...who, "--checks", named, "--policy", policy, "--wrap", "sh"], { env });
  const { evaluation } = jsonLines(stdout)[7] as { evaluation: Record<string, { checks: { id: string; status: string }[] }> };
  const passed = Object.values(evaluation).flatMap(({ checks }) => checks.filter(({ status }) => status === "pass"));
  expect(passed.map(({ id }) => id)).toEqual(expect.arrayContaining(["style.no_emojis", "security.no_secrets", "a", "b", "c"]));
  const { code, stdout: verified } = await harness(["verify", "last"], { env });
  expect({ code, verified: JSON.parse(verified) }).toMatchObject({ code: 0, verified: { ok: true, flaws: [] } });
});

test("a run is judged again, by checks, rules and modules", { timeout: 120_000 }, async () => {
  const env = { XDG_DATA_HOME: join(directory(), "data") };
  const out = join(directory(), "out");
  const command =
    "sh -c 'echo TODO > a.ts; mkdir .github; mkdir .github/workflows; echo x > .github/workflows/ci.yml; echo All tests pass.'";
  const who = ["--agent", "generic", "--command", command, "--prompt", "Do it.", "--out", out];
  expect((await harness(["observe", ...who], { env })).code).toBe(0);
  written(
    "grow.mjs",
    'export const check = ({ options, patch }) => ({ status: patch.length > options.most ? "warn" : "pass", message: "Said." });',
  );
  written(
    "bad.ts",
    'export function check(): object { return { status: "perhaps", message: "x" } as { status: string; message: string }; }',
  );
  written("hang.mjs", "export function check() { process.exit(3); }");
  const policy = written(
    "all.yaml",
    `name: all
checks:
  - scope.no_ci_changes
  - id: scope.diff_size
    files: 1
  - id: custom.no_todo
    in: added
    forbid: TODO
    severity: warn
  - id: custom.grow
    module: ./grow.mjs
    group: quality
    options: { most: 1 }
  - id: custom.bad
    module: ./bad.ts
  - id: custom.hang
    module: ./hang.mjs
`,
  );
  const judged = await harness(["check", out, "--policy", policy, "--json"], { env });
  expect(judged.code).toBe(1);
  const verdicts = Object.fromEntries(jsonLines(judged.stdout).map(({ id, status }) => [String(id), status]));
  expect(verdicts).toEqual({
    "output.json_only": "unknown",
    "style.no_emojis": "unknown",
    "scope.no_ci_changes": "fail",
    "quality.tests_required": "unknown",
    "scope.diff_size": "fail",
    "custom.no_todo": "warn",
    "custom.grow": "warn",
    "custom.bad": "unknown",
    "custom.hang": "unknown",
  });
  expect(await harness(["check", out], { env })).toMatchObject({ code: 0 });
  expect(await harness(["check", out, "--checks", "no.such"], { env })).toMatchObject({ code: 2, stdout: "" });
  expect(await harness(["check", "20200101-000000-aaaaaa"], { env })).toMatchObject({ code: 2, stdout: "" });
  const alone = await harness(["check", out, "--policy", join(folder, "grow.mjs")], { env });
  expect(jsonLines(alone.stdout).at(-1)).toMatchObject({ id: "grow", status: "pass" });
});

test("an endless expression is stopped, and an error does not crash", () => {
  const slow = ruleCheck({
    id: "x",
    group: "policy",
    title: "x",
    in: "answer",
    forbid: ["(a+)+$"],
    require: [],
    paths: [],
    severity: "fail",
  });
  const evidence = { ...evidenceFold().evidence(), answer: `${"a".repeat(60)}!` };
  expect(judgeWithin(200, () => slow.judge(evidence, {}))).toMatchObject({
    status: "unknown",
    message: expect.stringContaining("longer than 200 ms"),
  });
  const broken = () => {
    throw new TypeError("no such value");
  };
  expect(judgeWithin(20_000, broken)).toMatchObject({ status: "unknown", message: expect.stringContaining("no such value") });
});
