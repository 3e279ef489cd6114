import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { cleanUp, directory } from "../support/harness.ts";
import { ROOT } from "./imports.ts";

/** The first change in CONTRIBUTING.md, made in a copy of the project: its test fails without the change and passes with it. */

afterAll(cleanUp);

test("CONTRIBUTING.md's first change works as written", () => {
  const copy = directory();
  for (const part of ["src", "test/pure/shell", "package.json", "tsconfig.json", "vitest.config.ts", "biome.json"])
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const page = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const [row = "", program = "", ...more] = [...page.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].map(([, diff = ""]) => diff);
  expect(more).toEqual([]);

  insert(copy, row);
  expect(classify(copy)).toEqual({ failed: 1 });
  insert(copy, program);
  expect(classify(copy)).toEqual({ failed: 0 });
  const format = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  execFileSync(process.execPath, [format, "check", "--vcs-enabled=false", "src/pure/shell", "test/pure/shell"], { cwd: copy });
});

/** One line to find and the line to add after it. */
function insert(copy: string, diff: string): void {
  const [, path = ""] = /^\+\+\+ b\/(.+)$/m.exec(diff) ?? [];
  const [, before = "", after = ""] = /^ (.+)\n\+(.+)$/m.exec(diff) ?? [];
  const text = readFileSync(join(copy, path), "utf8");
  expect(text.split(`${before}\n`), `${path} has this line once: ${before}`).toHaveLength(2);
  writeFileSync(join(copy, path), text.replace(`${before}\n`, `${before}\n${after}\n`));
}

function classify(copy: string): { readonly failed: number } {
  const args = ["node_modules/vitest/vitest.mjs", "run", "test/pure/shell/classify.test.ts", "--reporter=json"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return { failed: JSON.parse(stdout.slice(stdout.indexOf("{"))).numFailedTests };
}
