import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { pins } from "../../../src/work/conformance/agents/pins.ts";
import { folderOf } from "../../../src/work/conformance/install.ts";
import { modelGuide } from "../../../src/work/conformance/model-guide.ts";
import { readModelScenario } from "../../../src/work/model/read-model-scenario.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";

const folder = mkdtempSync(join(tmpdir(), "harness-guide-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The guide's programs under their own names: the pinned CLIs that are installed here, and this package. */
const programs = join(folder, "bin");
mkdirSync(programs);
const here = ["claude", "codex", "goose", "pi", "opencode", "kilo", "cline", "gemini"].flatMap((id) => {
  const pin = pins.get(id);
  const binary = pin?.binary(folderOf(id, pin, process.env));
  if (binary === undefined) return [];
  symlinkSync(binary, join(programs, id));
  return [id];
});
const cli = join(import.meta.dirname, "../../../dist/cli/harness.js");
writeFileSync(join(programs, "harness"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, { mode: 0o755 });

/** The last program of a block. */
function programOf(block: string): string {
  return (
    /(?:^|\s)(claude|codex|goose|pi|opencode|kilo|cline|gemini|harness) [^|]*$/.exec(block.trimEnd().split("\n").at(-1) ?? "")?.[1] ?? ""
  );
}

const blocks = (url: string) => modelGuide(url, "Hello [[hello]]").split(/^(?=# )/m);

describe("A5: the lines that harness model prints", () => {
  test("name every agent that can use it", () => {
    const names = ["claude", "codex", "goose", "pi", "opencode", "kilo", "cline", "gemini", "harness"];
    expect(blocks("http://127.0.0.1:1").map(programOf)).toEqual(names);
  });

  test.runIf(existsSync(cli)).each([...here, "harness"])("work as printed: %s", { timeout: 120_000 }, async (name) => {
    const server = await serveModel({ scenarios: [readModelScenario("turns: [{ text: Hello from the script. }]", "hello.yaml")] });
    const block = blocks(server.url).find((each) => programOf(each) === name) ?? "";
    const cwd = mkdtempSync(join(folder, "outside-git-"));
    const env = { ...process.env, TMPDIR: folder, HOME: cwd, PATH: `${programs}:${process.env["PATH"]}` };
    await promisify(execFile)("sh", ["-c", block], { cwd, env });
    await server.close();
    expect(server.ledger).toContainEqual(expect.objectContaining({ kind: "main", marker: "hello", turn: 0, status: 200 }));
  });
});
