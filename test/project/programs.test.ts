import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { ROOT } from "./imports.ts";
import { filesShownIn, pages, programsIn } from "./programs.ts";

/** Programs in documents print what is shown below them. package.test.ts checks that all of them compile. */

const name: string = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).name;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** The directory for the programs of one page, with the built package and the fixtures. */
function place(page: string): string {
  const folder = mkdtempSync(join(tmpdir(), "harness-programs-"));
  folders.push(folder);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules", name));
  for (const shared of ["docs", "fixtures"]) symlinkSync(join(ROOT, shared), join(folder, shared));
  copyFileSync(join(ROOT, "test/work/evaluate/support/acp-agent.mjs"), join(folder, "adapter.mjs"));
  for (const file of filesShownIn(page)) writeFileSync(join(folder, file.name), file.text);
  return folder;
}

const shown = pages
  .map((page) => ({ page, programs: programsIn(page).filter(({ printed }) => printed !== undefined) }))
  .filter(({ programs }) => programs.length > 0);

test("most programs are run", () => {
  const all = pages.flatMap((page) => programsIn(page));
  expect(shown.flatMap(({ programs }) => programs).length).toBeGreaterThan(all.length * 0.6);
});

describe.each(shown)("$page", ({ page, programs }) => {
  const folder = place(page);
  const env = { ...process.env, XDG_DATA_HOME: join(folder, "data"), NO_COLOR: "1" };

  test.each(programs)("line $line", ({ code, printed }) => {
    writeFileSync(join(folder, "program.mjs"), transformSync(code, { loader: "ts" }).code);
    expect(execFileSync(process.execPath, ["program.mjs"], { cwd: folder, env, encoding: "utf8" })).toBe(printed);
  });
});

test.each([
  [
    ".",
    ["docs/reference/library.md", "docs/reference/library-more.md", "docs/guides/run.md", "docs/guides/native.md", "docs/guides/graph.md"],
  ],
  ["./evaluate", ["docs/guides/evaluate-from-typescript.md"]],
  ["./graph", ["docs/guides/graph.md", "docs/reference/library.md"]],
  ["./native", ["docs/guides/native.md", "docs/reference/library.md"]],
  ["./observe", ["docs/reference/library.md"]],
])("every export of %s is on its page", async (subpath, where) => {
  const text = where.map((page) => readFileSync(join(ROOT, page), "utf8")).join("\n");
  const exported = Object.keys(await import(join(ROOT, "src", subpath === "." ? "index.ts" : `${subpath}.ts`)));
  expect(exported.filter((each) => !new RegExp(`\\b${each}\\b`).test(text))).toEqual([]);
});
