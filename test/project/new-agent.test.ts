import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** `npm run new-agent` in a copy of the project: its files must type-check and pass the suites that every agent inherits. */

const ROOT = join(import.meta.dirname, "../..");
let copy = "";

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "harness-new-agent-"));
  for (const part of [
    "src",
    "test",
    "fixtures",
    "scripts",
    "docs",
    "package.json",
    "tsconfig.json",
    "tsconfig.pure.json",
    "vitest.config.ts",
    "biome.json",
  ]) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });

describe("npm run new-agent", () => {
  test("creates source, fixture folder and docs page, and they pass", () => {
    execFileSync(process.execPath, ["scripts/new-agent.mjs", "brand-new", "Brand New"], { cwd: copy });
    for (const file of [
      "src/pure/agents/brand-new/index.ts",
      "fixtures/brand-new/documented-first/raw.jsonl",
      "docs/reference/agents/brand-new.md",
    ]) {
      expect(existsSync(join(copy, file)), file).toBe(true);
    }
    const types = run("node_modules/typescript/bin/tsc", "-p", "tsconfig.pure.json", "--noEmit");
    expect(types.stdout + types.stderr).toBe("");
    const format = run("node_modules/@biomejs/biome/bin/biome", "check", "--vcs-enabled=false", "src/pure/agents");
    expect(format.status, format.stdout + format.stderr).toBe(0);
    const suite = run("node_modules/vitest/vitest.mjs", "run", "test/laws/conformance.test.ts", "-t", "brand-new", "--reporter=json");
    const report = JSON.parse(suite.stdout.slice(suite.stdout.indexOf("{")));
    expect(report.numFailedTests, suite.stdout).toBe(0);
    expect(report.numPassedTests).toBeGreaterThanOrEqual(8);
  });

  test.each([[[]], [["Bad Id"]], [["claude"]]])("rejects %j with a sentence and exit code 2", (args) => {
    const { status, stderr } = run("scripts/new-agent.mjs", ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^new-agent: .+\n$/);
  });
});
