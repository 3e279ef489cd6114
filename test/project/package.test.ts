import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Description } from "../../src/app/cli/describe.ts";
import { bash, cleanUp, directory, type Ran } from "../support/harness.ts";
import { fakeCodex } from "../work/conformance/fake-codex.ts";
import { ROOT } from "./imports.ts";
import { type Installed, installed } from "./installed.ts";
import { pages, programsIn } from "./programs.ts";

/** The package as users get it: packed, installed elsewhere by npm, and used from an empty directory. */

let there: Installed;
beforeAll(async () => {
  there = await installed(directory());
});
afterAll(cleanUp);

/** Runs a bash line in an empty directory, with the installed program on PATH; recordings go into `data`. */
function elsewhere(line: string, data = directory(), more: Record<string, string> = {}): Promise<Ran> {
  const env = { PATH: `${there.bin}:${process.env["PATH"]}`, XDG_DATA_HOME: data, TMPDIR: directory(), ...more };
  return bash(`set -o pipefail; cd "${directory()}"; ${line}`, { env });
}

describe("the program", () => {
  test("prints its version and its help", async () => {
    expect(await elsewhere("harness --version && acp-harness --version")).toMatchObject({ code: 0, stderr: "" });
    expect((await elsewhere("harness --help")).stdout).toMatch(/^Usage: harness /);
  });

  test("contains everything that the corpus needs", async () => {
    const path = `${there.bin}:${fakeCodex(directory())}:/usr/bin:/bin`;
    const { code, stdout } = await elsewhere("harness conformance codex --scenario one-turn", directory(), {
      PATH: path,
      XDG_CACHE_HOME: directory(),
    });
    expect(stdout).toContain("codex, codex-cli 0.999.1: 1 of 1 runs");
    expect(code).toBe(0);
    expect(readdirSync(join(there.root, "dist/cli"))).toContain("mcp-server.js");
  });

  test("reports in one sentence that Node is too old", async () => {
    const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.20.8"}})`;
    const { code, stdout, stderr } = await elsewhere(`node --import '${older}' "${join(there.bin, "harness")}" --help`);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: "harness: Node 18.20.8 is too old; install Node 20.19 or newer.\n",
    });
  });
});

const DEMO = "harness demo --speed max";

/** Each help text separately, after the demo was run once, like the first example of all. */
describe("every example in the help works", () => {
  test("command by command", { timeout: 300_000 }, async () => {
    const recorded = directory();
    expect(await elsewhere(DEMO, recorded)).toMatchObject({ code: 0, stderr: "" });
    const { descriptions } = (await import(pathToFileURL(join(there.root, "dist/cli/describe.js")).href)) as {
      descriptions: () => readonly Description[];
    };
    let count = 0;
    for (const { sections } of descriptions()) {
      const data = directory();
      cpSync(recorded, data, { recursive: true });
      const lines = sections.filter(({ title }) => title === "Examples").flatMap(({ lines }) => lines);
      for (const line of lines.filter((each) => each !== DEMO && !each.startsWith("#"))) {
        const { code, stdout, stderr } = await elsewhere(line, data);
        expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: "" });
        expect(stdout, line).not.toBe("");
        count++;
      }
    }
    expect(count).toBeGreaterThan(40);
  });
});

/** No `skipLibCheck`: our declarations, and everything they refer to, must compile in the strictest project. */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  isolatedModules: true,
  moduleDetection: "force",
  module: "nodenext",
  target: "es2023",
  lib: ["es2023"],
  types: ["node"],
  noEmit: true,
};

/** A record of a view has the view's exported type. */
const RECORDS = `import { type Activity, derive, type HarnessEvent, type LogRecord, type RunResult, type StreamRecord } from "harness-recorder";
export async function* records(agent: string): AsyncGenerator<Activity | HarnessEvent | LogRecord | RunResult | StreamRecord> {
  for await (const record of derive("raw.jsonl", { agent, view: "activity" })) yield record satisfies Activity;
  for await (const record of derive("raw.jsonl", { agent, view: "conversation" })) yield record satisfies HarnessEvent;
  for await (const record of derive("raw.jsonl", { agent, view: "log" })) yield record satisfies LogRecord;
  for await (const record of derive("raw.jsonl", { agent, view: "result" })) yield record satisfies RunResult;
  for await (const record of derive("raw.jsonl", { agent, view: "stream" })) yield record satisfies StreamRecord;
}
`;

describe("the library", () => {
  test("every subpath, and every program in the documents, compiles in a strict project", { timeout: 120_000 }, () => {
    const { name, exports } = JSON.parse(readFileSync(join(there.root, "package.json"), "utf8"));
    const project = directory();
    mkdirSync(join(project, "node_modules/@types"), { recursive: true });
    symlinkSync(there.root, join(project, "node_modules", name));
    for (const used of ["@types/node", "zod"]) symlinkSync(join(ROOT, "node_modules", used), join(project, "node_modules", used));
    writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: STRICT }));
    const subpaths = Object.keys(exports).filter((subpath) => !subpath.includes(".json"));
    expect(subpaths.length).toBeGreaterThan(4);
    const all = subpaths.map((subpath, i) => `export * as all${i} from "${name}${subpath.slice(1)}";\n`).join("");
    writeFileSync(join(project, "all.ts"), all);
    writeFileSync(join(project, "records.ts"), RECORDS);
    for (const page of pages)
      for (const { line, code } of programsIn(page)) writeFileSync(join(project, `${page.replaceAll(/\W/g, "-")}-${line}.ts`), code);
    expect(readdirSync(project).length).toBeGreaterThan(30);
    expect(compiled(project)).toBe("");
  });
});

/** The compiler's output. */
function compiled(project: string): string {
  try {
    return execFileSync(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project], { encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}
