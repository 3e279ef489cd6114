import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { pinFiles } from "../../../src/host/files/index.ts";
import { moduleFiles } from "../../../src/work/evaluate/graders/module-files.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-modules-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A grader with this import, and a file in whose place an agent puts another. */
test.each([
  ["a script next to its source", 'import { ok } from "./lib.js";', "lib.ts", "lib.js"],
  ["a file before a directory", 'const { ok } = require("./lib");', "lib/index.js", "lib.js"],
  ["an absolute path", 'import { ok } from "FOLDER/lib.mjs";', "lib.mjs", "lib.mjs"],
  ["a private import of the package", 'import { ok } from "#lib";', "lib.mjs", "lib.mjs"],
])("S4: %s cannot change what a grader imports", (name, line, real, forged) => {
  const place = join(folder, name.replaceAll(" ", "-"));
  mkdirSync(join(place, "lib"), { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ imports: { "#lib": { default: "./lib.mjs" } } }));
  writeFileSync(join(place, real), "export const ok = false;");
  const grader = join(place, "grade.ts");
  writeFileSync(grader, line.replace("FOLDER", place));
  const pins = pinFiles(moduleFiles(grader));
  expect(pins.changed()).toBeUndefined();
  writeFileSync(join(place, forged), "export const ok = true;");
  expect(pins.changed()).toBe(join(place, forged));
});
