import { linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { newPrograms } from "../../../src/work/observe/commands/new-programs.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a program that was there before is not new, and a forged one is, however it came there", async () => {
  const old = join(folder, "old");
  for (const name of [old, join(folder, "moved"), join(folder, "linked")]) writeFileSync(name, "x");
  mkdirSync(join(folder, "bin"));
  await setTimeout(50); // the clock of the file system ticks every few milliseconds
  const since = Date.now();
  await setTimeout(50);
  const isNew = newPrograms(since);
  expect(isNew(old, null)).toBe(false);
  expect(isNew("old", folder)).toBe(false);
  expect(isNew("old", null)).toBe(false); // its place is not known
  const made = join(folder, "bin/npm");
  writeFileSync(made, "x");
  utimesSync(made, 1, 1);
  expect(isNew(made, null)).toBe(true);
  renameSync(join(folder, "moved"), join(folder, "bin/node"));
  expect(isNew("bin/node", folder)).toBe(true);
  linkSync(join(folder, "linked"), join(folder, "bin/git"));
  expect(isNew(join(folder, "bin/git"), null)).toBe(true);
  symlinkSync(old, join(folder, "bin/make"));
  expect(isNew(join(folder, "bin/make"), null)).toBe(true);
  rmSync(made);
  expect(newPrograms(since)(made, null)).toBe(true);
});
