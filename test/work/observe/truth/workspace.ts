import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const BROKEN = "exports.sum = (a, b) => a - b;\n";
export const FIXED = "exports.sum = (a, b) => a + b;\n";
export const TESTS = `const { test } = require("node:test");
const assert = require("node:assert");
const { sum } = require("./sum.js");
test("adds", () => assert.equal(sum(1, 2), 3));
test("adds nothing", () => assert.equal(sum(1, 0), 1));
`;

const FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "sum", version: "1.0.0", scripts: { test: "node --test", build: "node build.js", "test:unit": "node --test", verify: "node --test" } }, null, 2)}\n`,
  "sum.js": BROKEN,
  "sum.test.js": TESTS,
  "other.test.js": 'require("node:test").test("other", () => {});\n',
  "build.js": 'const fs = require("node:fs"); fs.mkdirSync("dist", { recursive: true }); fs.copyFileSync("sum.js", "dist/sum.js");\n',
  "broken-build.js": "process.exit(2);\n",
  Makefile: "test:\n\tnode --test\nverify:\n\tnode --test\nbuild:\n\tnode build.js\n",
  "check.sh": "#!/bin/sh\nset -e\nnode --test\n",
  "run-tests.js": 'require("node:child_process").execFileSync(process.execPath, ["--test"], { stdio: "inherit" });\n',
  "calc.py": "def double(x):\n    return 2 * x\n",
  "test_calc.py":
    "import unittest\nfrom calc import double\n\n\nclass CalcTest(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(double(2), 4)\n",
  "README.md": "# Sum\n",
  "docs/notes.md": "Notes.\n",
  ".gitignore": "dist/\n__pycache__/\n",
};

/** The workspace of every case: a wrong sum and its tests, in a repository with one commit. */
export function makeWorkspace(to: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), text, { mode: name.endsWith(".sh") ? 0o755 : 0o644 });
  }
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", to, ...args]);
  git("init", "-q", "-b", "main");
  git("config", "user.name", "x");
  git("config", "user.email", "x@localhost");
  git("add", ".");
  git("commit", "-qm", "Begin");
}
