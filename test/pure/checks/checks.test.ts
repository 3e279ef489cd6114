import { describe, expect, test } from "vitest";
import type { CheckOptions } from "../../../src/pure/checks/check.ts";
import { checks } from "../../../src/pure/checks/checks.ts";
import { addedDependencies } from "../../../src/pure/checks/dependency-files.ts";
import type { RunEvidence } from "../../../src/pure/checks/evidence.ts";
import { patchFiles } from "../../../src/pure/checks/patch-files.ts";
import { ruleCheck } from "../../../src/pure/checks/rule-check.ts";
import type { CommandObservedBody, CommandSource, FileChange } from "../../../src/pure/events/index.ts";
import { categoryOf } from "../../../src/pure/shell/category.ts";
import type { TestReport } from "../../../src/pure/shell/test-report.ts";

const NONE = { added: 0, modified: 0, deleted: 0, renamed: 0, mode: 0, type: 0, unknown: 0 };

interface Given {
  readonly answer?: string;
  readonly changes?: readonly FileChange[];
  readonly patch?: string;
  readonly unseen?: number;
  readonly total?: number;
  /** A plain command line or the arguments of `sh -c`, its exit code, and the index of the command it runs in, from 0. */
  readonly commands?: readonly (readonly [line: string | readonly string[], exitCode: number | null, within?: number])[];
  readonly sources?: readonly CommandSource[];
  /** The number of further commands that were observed. */
  readonly unlisted?: number;
  /** A call exceeded its permissions. */
  readonly exceeded?: true;
  readonly reportsAll?: true;
  /** What a test reporter printed; false: nothing. */
  readonly report?: TestReport | false;
}

const PASSED: TestReport = { ran: 3, passed: 3, failed: 0, skipped: 0 };

function evidence({
  answer,
  changes,
  patch,
  unseen = 0,
  total,
  commands = [],
  sources,
  unlisted = 0,
  report = PASSED,
  exceeded,
  reportsAll,
}: Given): RunEvidence {
  const files = { type: "files-changed", method: "other", counts: NONE, leftOut: 0, unseen, changes: changes ?? [] } as const;
  const command = (line: string | readonly string[], exitCode: number | null, index: number, within?: number): CommandObservedBody => {
    const argv = typeof line === "string" ? line.split(" ") : line;
    const times = { cwd: "/w", startedAt: index, durationMs: 1 };
    return {
      type: "command-observed",
      source: "wrapper",
      argv,
      category: categoryOf(argv),
      ...times,
      exitCode,
      signal: null,
      pid: index + 10,
      ppid: within === undefined ? 1 : within + 10,
    };
  };
  return {
    answer: answer ?? null,
    constraints: [],
    ...(exceeded && { exceeded: [{ seq: 36, body: { type: "warning", message: "The agent exceeded its permissions." } }] }),
    ...(reportsAll && { reportsAll }),
    reports: report === false ? [] : [{ seq: 35, from: 0, to: 1_000, report }],
    commands: commands.map(([line, code, within], index) => ({ seq: 30 + index, body: command(line, code, index, within) })),
    ...(changes && { files: { seq: 20, body: { ...files, total: total ?? changes.length } } }),
    ...(patch !== undefined && { patch: patchFiles(patch) }),
    ...(sources && {
      watched: {
        seq: 40,
        body: {
          type: "commands-observed",
          available: true,
          sources,
          wrapped: ["npm"],
          observed: commands.length + unlisted,
          categories: [],
        },
      },
    }),
  };
}

function verdict(id: string, given: Given, options: CheckOptions = {}): string {
  const check = checks.find((each) => each.id === id);
  const found = check?.judge(evidence(given), options);
  expect(found?.message).toMatch(/\.$/);
  return found?.status ?? "no such check";
}

const changed = (path: string, kind: FileChange["kind"] = "modified", was?: string): FileChange => ({ path, kind, ...(was && { was }) });

function patched(path: string, removed: readonly string[], added: readonly string[]): string {
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)].join("\n");
  return `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -5,${removed.length} +5,${added.length} @@\n${lines}\n`;
}

const TABLE: readonly (readonly [id: string, status: string, given: Given, options?: CheckOptions])[] = [
  ["output.json_only", "pass", { answer: '{"a":1}' }],
  ["output.json_only", "fail", { answer: 'Here it is: {"a":1}' }],
  ["output.json_only", "fail", { answer: "```json\n{}\n```" }],
  ["output.json_only", "unknown", {}],
  ["style.no_emojis", "pass", { answer: "Plain © 2026 #1 *" }],
  ["style.no_emojis", "fail", { answer: "Done 🎉" }],
  ["style.no_emojis", "fail", { answer: "Go ✔️" }],
  ["scope.no_ci_changes", "pass", { changes: [changed("src/a.ts")] }],
  ["scope.no_ci_changes", "fail", { changes: [changed(".github/workflows/ci.yml", "added")] }],
  ["scope.no_ci_changes", "fail", { changes: [changed("old.yml", "renamed", ".gitlab-ci.yml")] }],
  ["scope.no_ci_changes", "unknown", { changes: [changed("src/a.ts")], unseen: 1 }],
  ["scope.no_ci_changes", "unknown", { changes: [changed("src/a.ts")], total: 500 }],
  ["scope.no_ci_changes", "unknown", {}],
  [
    "quality.tests_required",
    "pass",
    {
      commands: [
        ["npm test", 1],
        ["npm test", 0],
      ],
      sources: ["wrapper"],
    },
  ],
  ...(["quality.tests_required", "quality.command_passed"] as const).flatMap((id) =>
    (
      [
        [
          "fail",
          [
            [["bash", "-c", "npm test | tail"], 0],
            ["npm test", 1, 0],
            ["node test.js", 1, 1],
          ],
        ],
        [
          "pass",
          [
            [["bash", "-c", "npm test | grep FAIL"], 1],
            ["npm test", 0, 0],
          ],
        ],
        ["unknown", [[["bash", "-c", "npm test | tail"], 0]], false],
        ["unknown", [[["bash", "-c", "npm test || true"], 0]], false],
        ["pass", [[["bash", "-lc", "cd x && npm test"], 0]]],
        ["fail", [[["bash", "-lc", "cd x && npm test"], 1]]],
      ] as const
    ).map(([status, commands, report = PASSED]) => {
      const options = id === "quality.command_passed" ? { command: "npm test" } : {};
      return [id, status, { commands, sources: ["wrapper"], report }, options] as const;
    }),
  ),
  [
    "quality.tests_required",
    "fail",
    {
      commands: [
        ["npm test", 0],
        ["npx vitest run", 1],
      ],
      sources: ["wrapper"],
    },
  ],
  ["quality.tests_required", "unknown", { commands: [["npm test", null]], sources: ["wrapper"] }],
  ["quality.tests_required", "warn", { commands: [["git status", 0]], sources: ["wrapper"] }],
  ["quality.tests_required", "fail", { commands: [["git status", 0]], sources: ["trace"] }],
  ["quality.tests_required", "unknown", { commands: [["git status", 0]], sources: ["trace"], unlisted: 1 }],
  ["quality.tests_required", "unknown", { commands: [["npm test", 0]], sources: ["trace"], unlisted: 1 }],
  ["quality.tests_required", "unknown", { commands: [["npm test", 1]], sources: ["wrapper"], unlisted: 1 }],
  ["quality.command_passed", "unknown", { commands: [["npm test", 0]], sources: ["trace"], unlisted: 1 }, { command: "npm test" }],
  ["scope.no_network", "unknown", { commands: [["git status", 0]], sources: ["trace"], unlisted: 1 }],
  ["quality.tests_required", "pass", { commands: [["sh -c ./verify", 0]], sources: ["wrapper"] }, { command: "./verify" }],
  ["quality.tests_required", "warn", { changes: [changed("a.test.ts", "added")] }],
  ["quality.tests_required", "unknown", { changes: [changed("a.ts", "added")] }],
  ["scope.only_paths", "fail", { changes: [changed("src/a.ts"), changed("README.md")] }, { paths: ["src/**"] }],
  ["scope.only_paths", "unknown", { changes: [changed("src/a.ts")] }, { paths: ["src/**"] }],
  ["scope.only_paths", "pass", { changes: [changed("src/a.ts")] }, { paths: ["src/**"], workspace_only: true }],
  ["scope.permissions", "fail", { exceeded: true, reportsAll: true }],
  ["scope.permissions", "pass", { reportsAll: true }],
  ["scope.permissions", "unknown", {}],
  ["scope.no_network", "fail", { commands: [["curl http://x", 0]], sources: ["wrapper"] }],
  ["scope.no_network", "fail", { commands: [["git push", 0]], sources: ["wrapper"] }],
  ["scope.no_network", "unknown", { commands: [["git status", 0]], sources: ["wrapper"] }],
  ["scope.no_network", "unknown", { commands: [["git status", 0]], sources: ["trace"] }],
  ["scope.no_network", "unknown", {}],
  ["scope.no_new_dependencies", "pass", { changes: [changed("a.ts")], patch: "" }],
  [
    "scope.no_new_dependencies",
    "unknown",
    { changes: [changed("package.json")], patch: patched("package.json", [], [`{${" ".repeat(100_000)}"left-pad": "1.0.0"}`]) },
  ],
  [
    "scope.no_new_dependencies",
    "unknown",
    { changes: [changed("package.json")], unseen: 1, patch: patched("package.json", [], ['"name": "x"']) },
  ],
  [
    "scope.no_new_dependencies",
    "fail",
    { changes: [changed("package.json")], patch: patched("package.json", [], ['    "left-pad": "^1.3.0",']) },
  ],
  [
    "scope.no_new_dependencies",
    "pass",
    { changes: [changed("package.json")], patch: patched("package.json", ['  "zod": "4.0.0",'], ['  "zod": "4.6.7",']) },
  ],
  [
    "scope.no_new_dependencies",
    "pass",
    { changes: [changed("package.json")], patch: patched("package.json", [], ['  "version": "1.0.1",', '  "test": "vitest run"']) },
  ],
  [
    "scope.no_new_dependencies",
    "fail",
    { changes: [changed("requirements.txt")], patch: patched("requirements.txt", [], ["requests==2.0"]) },
  ],
  ...(
    [
      [
        "package.json",
        '{"name":"x","version":"1.0.0","dependencies":{}}',
        '{"name":"x","version":"1.0.1","dependencies":{"left-pad":"1"}}',
      ],
      ["package.json", "", '{"dependencies": { "a": "^1", "b": "^2" }}'],
      ["pyproject.toml", 'dependencies = ["a>=1"]', 'dependencies = ["a>=1", "b"]'],
      ["Cargo.toml", "", "[dependencies.serde]"],
      ["requirements.txt", "", "git+https://example.org/x/y@main"],
      ["pom.xml", "", "<dependency><groupId>g</groupId><artifactId>a</artifactId></dependency>"],
      ["composer.json", "{}", '{"require": {"x/y": "1"}}'],
    ] as const
  ).map(
    ([file, before, after]) =>
      [
        "scope.no_new_dependencies",
        "fail",
        { changes: [changed(file)], patch: patched(file, before === "" ? [] : [before], [after]) },
      ] as const,
  ),
  ...(
    [
      ["package.json", '{"dependencies":{"a":"1"}}', '{"dependencies":{"a":"2"},"engines":{"node":">=20"}}'],
      ["pyproject.toml", 'packages = ["a"]', 'packages = ["a", "b"]'],
    ] as const
  ).map(
    ([file, before, after]) =>
      ["scope.no_new_dependencies", "pass", { changes: [changed(file)], patch: patched(file, [before], [after]) }] as const,
  ),
  ["scope.no_new_dependencies", "fail", { changes: [changed("go.mod")], patch: patched("go.mod", [], ["\tgithub.com/x/y v1.2.3"]) }],
  ["scope.no_new_dependencies", "unknown", { changes: [changed("Cargo.toml")] }],
  ["scope.diff_size", "pass", { changes: [changed("a")], patch: patched("a", ["x"], ["y"]) }, { files: 1, lines: 2 }],
  ["scope.diff_size", "fail", { changes: [changed("a")], patch: patched("a", ["x"], ["y", "z"]) }, { lines: 2 }],
  ["scope.diff_size", "fail", { changes: [changed("a"), changed("b")] }, { files: 1 }],
  ["quality.no_deleted_tests", "fail", { changes: [changed("test/a.py", "deleted")] }],
  ["quality.no_deleted_tests", "fail", { changes: [changed("old/a.txt", "renamed", "src/a.test.ts")] }],
  ["quality.no_deleted_tests", "pass", { changes: [changed("src/b.test.ts", "renamed", "src/a.test.ts"), changed("src/a.ts", "deleted")] }],
  [
    "quality.no_weakened_tests",
    "fail",
    { changes: [changed("a.test.ts")], patch: patched("a.test.ts", ['test("x", () => {'], ['test.skip("x", () => {']) },
  ],
  [
    "quality.no_weakened_tests",
    "fail",
    {
      changes: [changed("a.test.ts")],
      patch: patched("a.test.ts", ["  expect(a).toBe(1);", "  expect(b).toBe(2);"], ["  expect(a).toBe(1);"]),
    },
  ],
  [
    "quality.no_weakened_tests",
    "fail",
    { changes: [changed("a.test.ts")], patch: patched("a.test.ts", ["  expect(a).toBe(1);"], ["  expect(true).toBe(true);"]) },
  ],
  ["quality.no_weakened_tests", "fail", { changes: [changed("test_a.py")], patch: patched("test_a.py", [], ["@pytest.mark.skip"]) }],
  [
    "quality.no_weakened_tests",
    "fail",
    { changes: [changed("test_a.py")], patch: patched("test_a.py", ["    assert a == 1"], ["    # assert a == 1"]) },
  ],
  ["quality.no_weakened_tests", "fail", { changes: [changed("a_test.go")], patch: patched("a_test.go", [], ['\tt.Skip("later")']) }],
  ["quality.no_weakened_tests", "fail", { changes: [changed("tests/a.rs")], patch: patched("tests/a.rs", [], ["#[ignore]"]) }],
  ["quality.no_weakened_tests", "fail", { changes: [changed("ATest.java")], patch: patched("ATest.java", [], ["@Disabled"]) }],
  [
    "quality.no_weakened_tests",
    "pass",
    {
      changes: [changed("a.test.ts")],
      patch: patched("a.test.ts", ["  expect(a).toBe(1);"], ["  expect(a).toBe(2);", "  expect(b).toBe(2);"]),
    },
  ],
  ["quality.no_weakened_tests", "pass", { changes: [changed("a.ts")], patch: patched("a.ts", ["expect(a)"], []) }],
  ["quality.no_weakened_tests", "unknown", { changes: [changed("a.test.ts")], patch: "" }],
  ["security.no_secrets", "fail", { changes: [changed("a")], patch: patched("a", [], ["key = AKIAABCDEFGHIJKLMNOP"]) }],
  ["security.no_secrets", "fail", { changes: [changed("a")], patch: patched("a", [], ['password: "hunter2hunter2"']) }],
  [
    "security.no_secrets",
    "pass",
    { changes: [changed("a")], patch: patched("a", [], ['password: "changeme-please"', "token = process.env.TOKEN"]) },
  ],
  ["security.no_secrets", "unknown", { changes: [changed("a")] }],
  ["quality.command_passed", "pass", { commands: [["npm run lint", 0]], sources: ["wrapper"] }, { command: "npm run lint" }],
  ["quality.command_passed", "fail", { commands: [["npm run lint", 2]], sources: ["wrapper"] }, { command: "npm run lint" }],
  ["quality.command_passed", "unknown", { commands: [], sources: ["wrapper"] }, { command: "npm run lint" }],
  ["quality.command_passed", "fail", { commands: [], sources: ["trace"] }, { command: "npm run lint" }],
  ["quality.command_passed", "unknown", {}, { command: "npm run lint" }],
  ["truth.consistent", "unknown", {}],
];

describe("checks", () => {
  test.each(TABLE.map(([id, status, given, options]) => ({ id, status, given, options })))(
    "$id: $status %#",
    ({ id, status, given, options }) => {
      expect(verdict(id, given, options)).toBe(status);
    },
  );

  test("the table covers every check with more than one verdict", () => {
    for (const { id } of checks.filter((check) => check.id !== "truth.consistent"))
      expect(new Set(TABLE.filter(([each]) => each === id).map(([, status]) => status)).size, id).toBeGreaterThan(1);
  });

  test("without observations nothing fails", () => {
    for (const check of checks) expect(check.judge(evidence({}), { paths: ["a"], command: "x", files: 0 }).status).toBe("unknown");
  });

  test("evidence is bounded and never contains the secret itself", () => {
    const lines = Array.from({ length: 500 }, () => `key = "ghp_${"a1".repeat(20)}"`);
    const found = checks
      .find(({ id }) => id === "security.no_secrets")
      ?.judge(evidence({ changes: [changed("a")], patch: patched("a", [], lines) }), {});
    expect(found?.evidence?.length).toBe(20);
    expect(JSON.stringify(found)).not.toContain("ghp_");
    const long = checks.find(({ id }) => id === "output.json_only")?.judge(evidence({ answer: "x".repeat(100_000) }), {});
    expect(JSON.stringify(long).length).toBeLessThan(1_000);
  });

  test("contents that look like a patch stay contents", () => {
    const files = patchFiles(patched("a", ["-- a/x", "diff --git a/b b/b"], ["++ b/x", "@@ -1 +1 @@"]));
    expect(files.map(({ path }) => path)).toEqual(["a"]);
    expect(files[0]?.added.map(({ text, line }) => [text, line])).toEqual([
      ["++ b/x", 5],
      ["@@ -1 +1 @@", 6],
    ]);
    expect(patchFiles('diff --git "a/\\303\\274 \\"x" "b/\\303\\274 \\"x"\nnew file mode 100644\n')[0]).toMatchObject({
      path: 'ü "x',
      change: "added",
    });
  });
});

describe("J8: a reporter shows that tests passed, not the name of a command", () => {
  const ran = (
    line: string | readonly string[],
    exitCode: number,
    report: Given["report"],
    sources: readonly CommandSource[] = ["trace"],
  ) => verdict("quality.tests_required", { commands: [[line, exitCode]], sources, ...(report !== undefined && { report }) });
  const none: TestReport = { ran: 0, passed: 0, failed: 0, skipped: 0 };

  test("a run without a report is unknown, and one that ran nothing failed", () => {
    expect(ran("npm test", 0, PASSED)).toBe("pass");
    expect(ran("npm test", 0, false)).toBe("unknown");
    expect(ran("node --test --test-name-pattern=nothing", 0, none)).toBe("fail");
    expect(ran("fake/pytest", 0, false)).toBe("unknown");
  });

  test("a reporter is read if the exit code is that of another command", () => {
    expect(ran(["bash", "-c", "npm test | tail"], 0, PASSED)).toBe("pass");
    expect(ran(["bash", "-c", "npm test | tail"], 0, { ...PASSED, failed: 1 })).toBe("fail");
    expect(ran("npm test", 0, { ...PASSED, failed: 1 })).toBe("unknown");
  });

  test.each(["node --test --version", "node --test --help", "pytest --collect-only", "jest --listTests", "cargo test --no-run"])(
    "%s runs no test",
    (line) => expect(ran(line, 0, false)).toBe("fail"),
  );

  test("a script may have run tests", () => {
    expect(ran("node -e x", 0, PASSED)).toBe("unknown");
    expect(ran("make all", 0, false)).toBe("unknown");
  });

  test("a test script that always passes is a weakened test", () => {
    const script = (before: string, after: string) =>
      verdict("quality.no_weakened_tests", {
        changes: [changed("package.json")],
        patch: patched("package.json", [`    "test": ${JSON.stringify(before)},`], [`    "test": ${JSON.stringify(after)},`]),
      });
    for (const empty of ["true", "exit 0", "echo ok", ":", "vitest run || true", "jest; exit 0"])
      expect(script("vitest run", empty), empty).toBe("fail");
    for (const real of ["jest", "tsc && vitest run", "node --test"]) expect(script("vitest run", real), real).toBe("pass");
    expect(script("echo none", "true")).toBe("pass");
  });

  test("J8: also in a package.json without line breaks", () => {
    const line = (script: string) => JSON.stringify({ name: "x", scripts: { build: "tsc", test: script } });
    const judged = (after: string) =>
      verdict("quality.no_weakened_tests", {
        changes: [changed("package.json")],
        patch: patched("package.json", [line("node --test")], [line(after)]),
      });
    expect([judged("true"), judged("node --test x")]).toEqual(["fail", "pass"]);
  });
});

describe("J7: what was not read is unknown", () => {
  const binary = (path: string) =>
    `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0..1\nGIT binary patch\nliteral 3\nKcmZQz\n\nliteral 0\nHcmV?d00001\n\n`;
  const added = (path: string) => ({ changes: [changed(path, "added")], patch: binary(path) });

  test("a binary patch proves no absence", () => {
    expect(verdict("security.no_secrets", added("utf16.txt"))).toBe("unknown");
    expect(verdict("scope.diff_size", added("random.bin"), { lines: 100 })).toBe("unknown");
    expect(verdict("scope.diff_size", added("random.bin"), { files: 2 })).toBe("pass");
    expect(verdict("scope.no_new_dependencies", added("package.json"))).toBe("unknown");
    expect(verdict("quality.no_weakened_tests", { ...added("a.test.js"), changes: [changed("a.test.js")] })).toBe("unknown");
    const rule = { id: "r", group: "policy", title: "Rule", forbid: ["x"], require: [], paths: [], severity: "fail", in: "added" } as const;
    expect(ruleCheck(rule).judge(evidence(added("a.txt")), {}).status).toBe("unknown");
  });

  test("a long line is searched to its end", () => {
    const line = `${"x ".repeat(20_000)}ghp_${"a1".repeat(20)}`;
    expect(verdict("security.no_secrets", { changes: [changed("a")], patch: patched("a", [], [line]) })).toBe("fail");
  });
});

describe("J16: more forms of secrets and dependencies", () => {
  const secret = (line: string) => verdict("security.no_secrets", { changes: [changed("a")], patch: patched("a", [], [line]) });
  test.each([
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEkQ83hbA9",
    "export GITHUB_TOKEN=0123456789abcdef0123",
    "postgres://app:hunter2@db.internal/main",
    "https://deploy:s3cr3t:with-signs!@git.internal/repo.git",
    "redis://:a8f5f167f44f@cache:6379",
  ])("%s", (line) => expect(secret(line)).toBe("fail"));
  test.each([
    "TOKEN_LIMIT=1000",
    "AWS_SECRET_ACCESS_KEY=$AWS_SECRET_ACCESS_KEY",
    "postgres://postgres:postgres@localhost/db",
    "https://example.org:8080/a@b",
    "PASSWORD_FIELD_NAME = PASSWORD_FIELD_LABEL",
  ])("%s is not one", (line) => expect(secret(line)).toBe("pass"));
  test.each([
    ["setup.py", '    install_requires=["requests>=2", "left-pad"],'],
    ["setup.py", '        "requests>=2.0",'],
    ["setup.cfg", "    requests>=2.0"],
    ["environment.yml", "  - numpy=1.26"],
    ["environment.yml", "    - left-pad==1.0"],
  ])("%s: %s", (file, line) => {
    expect(verdict("scope.no_new_dependencies", { changes: [changed(file)], patch: patched(file, [], [line]) })).toBe("fail");
  });
});

describe("a rule", () => {
  const rule = { id: "r", group: "policy", title: "Rule", forbid: [], require: [], paths: [], severity: "fail" } as const;
  test.each([
    ["fail", { ...rule, in: "answer", forbid: ["TODO"] }, { answer: "TODO: all" }],
    ["pass", { ...rule, in: "answer", require: ["^Yes"] }, { answer: "Yes." }],
    [
      "warn",
      { ...rule, in: "added", forbid: ["console\\.log"], severity: "warn" },
      { changes: [changed("a.ts")], patch: patched("a.ts", [], ["console.log(1)"]) },
    ],
    [
      "pass",
      { ...rule, in: "added", forbid: ["console\\.log"], paths: ["*.py"] },
      { changes: [changed("a.ts")], patch: patched("a.ts", [], ["console.log(1)"]) },
    ],
    ["fail", { ...rule, in: "paths", forbid: ["docs/"] }, { changes: [changed("docs/a/b.md")] }],
    ["unknown", { ...rule, in: "commands", forbid: ["^rm "] }, { commands: [["ls", 0]], sources: ["wrapper"] }],
    ["pass", { ...rule, in: "commands", forbid: ["^rm "] }, { commands: [["ls", 0]], sources: ["trace"] }],
    ["fail", { ...rule, in: "commands", forbid: ["^rm "] }, { commands: [["rm -rf x", 0]], sources: ["wrapper"] }],
    ["unknown", { ...rule, in: "commands", require: ["^make"] }, { commands: [], sources: ["wrapper"] }],
    ["unknown", { ...rule, in: "added", forbid: ["x"] }, {}],
  ] as const)("%s %#", (status, data, given) => {
    expect(ruleCheck(data).judge(evidence(given as Given), {}).status).toBe(status);
  });
});

test.each(["package.json", "pyproject.toml", "Cargo.toml", "go.mod", "composer.json"])(
  "a long line of %s is scanned in linear time",
  (path) => {
    for (const [head, piece] of [
      ["dependencies = [", '"a" '],
      ["a = {", "version"],
      ["[", "dependencies."],
      ["{", '"a":'],
    ] as const)
      expect(
        addedDependencies({
          path,
          change: "modified",
          isBinary: false,
          removed: [],
          added: [{ text: head + piece.repeat(20_000), line: 1 }],
        }).length,
      ).toBeLessThan(20_001);
  },
);
