import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { ROOT } from "../../project/imports.ts";

/** docs/library-evaluate.md: its programs compile against the built package, and print what is shown below them. */

const folder = mkdtempSync(join(tmpdir(), "harness-library-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { name } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
mkdirSync(join(folder, "node_modules"));
symlinkSync(ROOT, join(folder, "node_modules", name));
copyFileSync(join(import.meta.dirname, "support/acp-agent.mjs"), join(folder, "adapter.mjs"));

const text = readFileSync(join(ROOT, "docs/library-evaluate.md"), "utf8");
const programs = text
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = ""] = section.split("\n");
    const [, code = "", printed = ""] = /^```ts\n([\s\S]*?)^```$\n\n```text\n([\s\S]*?)^```$/m.exec(section) ?? [];
    return { title, code, printed };
  });

const [, file = "", worker = ""] = /^```js\n\/\/ (\S+)\n([\s\S]*?)^```$/m.exec(text) ?? [];
writeFileSync(join(folder, file), worker);

describe("docs/library-evaluate.md", () => {
  test("has a program for every heading, and names every function", async () => {
    expect(programs.filter(({ code, printed }) => code === "" || printed === "")).toEqual([]);
    for (const exported of Object.keys(await import("../../../src/evaluate.ts")))
      expect(text, exported).toMatch(new RegExp(`\\b${exported}\\b`));
    expect(text.split("\n").length).toBeLessThan(300);
  });

  test("its programs compile, strictly", { timeout: 60_000 }, () => {
    const files = programs.map(({ code }, index) => {
      writeFileSync(join(folder, `p${index}.mts`), code);
      return `p${index}.mts`;
    });
    const flags =
      "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2023 --module nodenext --types node";
    const roots = ["--typeRoots", join(ROOT, "node_modules/@types"), "--skipLibCheck"];
    execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...flags.split(" "), ...roots, ...files], {
      cwd: folder,
      encoding: "utf8",
    });
  });

  test.each(programs)("$title", { timeout: 60_000 }, ({ code, printed }) => {
    writeFileSync(join(folder, "program.mjs"), transformSync(code, { loader: "ts" }).code);
    const env = { ...process.env, XDG_DATA_HOME: join(folder, "data"), NO_COLOR: "1" };
    expect(execFileSync(process.execPath, ["program.mjs"], { cwd: folder, env, encoding: "utf8" })).toBe(printed);
  });
});
