import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Description } from "../../src/app/cli/describe.ts";
import { bash, cleanUp, directory, type Ran } from "../app/cli/harness.ts";
import { fakeCodex } from "../work/conformance/fake-codex.ts";
import { type Installed, installed } from "./installed.ts";

/** The package as people get it: packed, installed elsewhere by npm, and used from an empty directory. */

let there: Installed;
beforeAll(async () => {
  there = await installed(directory());
});
afterAll(cleanUp);

/** A line of bash in an empty directory, with the installed program on PATH; what it records goes into `data`. */
function elsewhere(line: string, data = directory(), more: Record<string, string> = {}): Promise<Ran> {
  const env = { PATH: `${there.bin}:${process.env["PATH"]}`, XDG_DATA_HOME: data, TMPDIR: directory(), ...more };
  return bash(`set -o pipefail; cd "${directory()}"; ${line}`, { env });
}

describe("the program", () => {
  test("says its version and its help", async () => {
    expect(await elsewhere("harness --version && acp-harness --version")).toMatchObject({ code: 0, stderr: "" });
    expect((await elsewhere("harness --help")).stdout).toMatch(/^Usage: harness /);
  });

  test("has all that the corpus needs", async () => {
    const path = `${there.bin}:${fakeCodex(directory())}:/usr/bin:/bin`;
    const { code, stdout } = await elsewhere("harness conformance codex --scenario one-turn", directory(), {
      PATH: path,
      XDG_CACHE_HOME: directory(),
    });
    expect(stdout).toContain("codex, codex-cli 0.999.1: 1 of 1 runs");
    expect(code).toBe(0);
    expect(readdirSync(join(there.root, "dist/cli"))).toContain("mcp-server.js");
  });

  test("says in one sentence that Node is too old", async () => {
    const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.20.8"}})`;
    const { code, stdout, stderr } = await elsewhere(`node --import '${older}' "${join(there.bin, "harness")}" --help`);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: "harness: Node 20.19 or newer is needed; this is 18.20.8.\n",
    });
  });
});

const DEMO = "harness demo --speed max";

/** Each help by itself, where the demo has been run once, as the first of all examples does. */
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
