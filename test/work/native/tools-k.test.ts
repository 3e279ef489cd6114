import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { orchestrator } from "../../../src/work/native/orchestrator.ts";
import { readOptions } from "../../../src/work/native/program/read-options.ts";
import { projectInstructions } from "../../../src/work/native/program/system-prompt.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import type { SdkTool } from "../../../src/work/native/tool.ts";
import { pathGlob } from "../../../src/work/native/tools/path-glob.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { accessTo, all, folder, models, only, scripted } from "./support.ts";

async function place(contents: Readonly<Record<string, string>> = {}) {
  const root = folder();
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const tools = await workspaceTools({ root });
  const use = async (name: string, input: object) =>
    ((await (tools[name] as SdkTool).execute(input, { toolCallId: "c", messages: [] })) as { context: string }).context;
  return { root, tools, use };
}

async function answers(scenario: string, root: string): Promise<readonly HarnessEvent[]> {
  const model = models.compatible;
  const agent = agentHarness({ provider: providerHarness(accessTo(await scripted(scenario), model)) });
  const tools = await workspaceTools({ root });
  return await all(agent.invoke({ model, messages: [{ role: "user", content: "Go." }], tools, permissions: { allowlist: ["*"] } }));
}

test("K4: the end of long output is kept, however much comes before it", async () => {
  const { use } = await place();
  const said = await use("shell", { command: "seq 400000; echo 'error: the last line' >&2; exit 1" });
  expect(said).toMatch(/^1\n2\n3\n/);
  expect(said).toMatch(/\n… \(about \d{7} characters left out\)\n/);
  expect(said).toMatch(/\n399999\n400000\nerror: the last line\nIt ended with exit code 1\.$/);
  expect(said.length).toBeLessThan(31_000);
});

describe("K5: calls of one turn", () => {
  test("what changes something runs in the order of the calls", async () => {
    const root = folder();
    const events = await answers(
      `turns:
  - tools:
      - { run: "sleep 0.3; echo one > f" }
      - { read: f }
      - { run: "echo two >> f" }
      - { run: "cat f" }
  - { text: Done. }`,
      root,
    );
    const outputs = only(events, "tool_result").map(({ output }) => (output as { context: string }).context);
    expect(outputs).toEqual(["(no output)", "one", "(no output)", "one\ntwo"]);
  });

  test("K18: twenty readers run in parallel, without a warning about listeners", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const { root } = await place({ f: "x" });
    const events = await answers(`turns: [{ tools: [${"{ read: f }, ".repeat(20)}] }, { text: Done. }]`, root);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", note);
    expect(only(events, "tool_result")).toHaveLength(20);
    expect(warnings.map(({ name }) => name)).not.toContain("MaxListenersExceededWarning");
  });
});

describe("K8: searching and listing", () => {
  const FILES = {
    ".gitignore": "dist/\n*.log\n!keep.log\n/only-root\n",
    "a.ts": "Needle\n",
    "b.log": "Needle\n",
    "keep.log": "Needle\n",
    "dist/out.ts": "Needle\n",
    "only-root": "Needle\n",
    "src/only-root": "Needle\n",
    "src/c.js": "one\ntwo\nneedle\nfour\nfive\n",
    "src/.gitignore": "d.*\n",
    "src/d.md": "Needle\n",
  };

  test("ignore files", async () => {
    const { use } = await place(FILES);
    expect(await use("search", { pattern: "Needle" })).toBe("a.ts:1: Needle\nkeep.log:1: Needle\nsrc/only-root:1: Needle");
    expect(await use("search", { pattern: "Needle", path: "src", no_ignore: true })).toBe("src/d.md:1: Needle\nsrc/only-root:1: Needle");
    expect(await use("list", { pattern: "*.ts" })).toBe("a.ts");
    expect(await use("list", { pattern: "*.ts", no_ignore: true })).toBe("a.ts\ndist/out.ts");
  });

  test("case, context, and globs", async () => {
    const { use } = await place(FILES);
    expect(await use("search", { pattern: "needle", include: "src/**", ignore_case: true, context: 1 })).toBe(
      "src/c.js-2- two\nsrc/c.js:3: needle\nsrc/c.js-4- four\n--\nsrc/only-root:1: Needle",
    );
    expect(await use("search", { pattern: "(?i)NEEDLE", include: "**/*.ts" })).toBe("a.ts:1: Needle");
    expect(await use("search", { pattern: "eedle", include: "*.{ts,js}" })).toBe("a.ts:1: Needle\nsrc/c.js:3: needle");
    expect(await use("search", { pattern: "x", include: "*.py" })).toBe("(no match: no file has such a name or path)");
    expect(await use("search", { pattern: "e\\-?dle" })).toContain("a.ts:1"); // a needless backslash
  });

  test("limits are stated", async () => {
    const { use } = await place({ "many.txt": "x\n".repeat(500), "large.txt": "y".repeat(17 * 2 ** 20) });
    const said = await use("search", { pattern: "x" });
    expect(said.split("\n")).toHaveLength(202);
    expect(said).toMatch(/\n… \(more than 200 matches; use a narrower pattern, path or include\)\n/);
    expect(await use("search", { pattern: "nothing" })).toBe("(no match)\n(1 files are larger than 16 MiB, and were not searched)");
  });

  test("globs match what git's own do", () => {
    const root = folder();
    execFileSync("git", ["init", "-q"], { cwd: root });
    const part = fc.constantFrom("a", "b", "*", "?", "**", "a*", "*b", "[ab]", "[!a]", "a?", "/", "/");
    const path = fc.array(fc.constantFrom("a", "b", "ab", "ba", "c"), { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
    const globs = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const cases = fc.sample(fc.tuple(globs, path), { numRuns: 200, seed: 7 });
    let hits = 0;
    for (const [glob, each] of cases) {
      if (/\/\/|^\/|\/$|^\*+$|\*\*[^/]|[^/]\*\*|!/.test(glob)) continue; // git's own corners: `**` inside a name, trailing slashes
      const { stdout, status } = spawnSync("git", ["check-ignore", "--no-index", "--stdin", "-v", "-n"], {
        cwd: root,
        input: each,
        env: { ...process.env, GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "core.excludesFile", GIT_CONFIG_VALUE_0: fileWith(root, glob) },
        encoding: "utf8",
      });
      expect([0, 1]).toContain(status);
      const names = each.split("/");
      const isOurs = names.some((_, index) => pathGlob(glob)(names.slice(0, index + 1).join("/"))); // a directory above may be ignored
      expect({ glob, each, isOurs }).toEqual({ glob, each, isOurs: !stdout.startsWith("::") });
      if (isOurs) hits++;
    }
    expect(hits).toBeGreaterThan(8);
  });
});

function fileWith(root: string, line: string): string {
  const path = join(root, ".excludes");
  writeFileSync(path, `${line}\n`);
  return path;
}

test("K17: a number of turns that is none is rejected", () => {
  expect(() => readOptions(["--model", "local/x", "--max-turns", "3x"], {})).toThrow("--max-turns takes a whole number, as in 50.");
  expect(readOptions(["--model", "local/x", "--max-turns", "3"], {}).maxTurns).toBe(3);
});

test("K21: reading says from which line to continue, and ends with a whole line", async () => {
  const { use } = await place({ wide: `${"w".repeat(999)}\n`.repeat(150), one: "z".repeat(30_000) });
  const said = await use("read", { path: "wide" });
  expect(said).toMatch(/\n… \(50 more lines; continue with offset 101\)$/);
  expect(await use("read", { path: "wide", offset: 101 })).not.toContain("…");
  expect(await use("read", { path: "one" })).toMatch(
    /z… \(10000 more characters\)\n\(1 lines are longer than 20000 characters, and cut\)$/,
  );
});

test("K22: an unknown argument is rejected with the ones that are known", async () => {
  const { root } = await place({ f: "x" });
  const events = await answers("turns: [{ tools: [{ name: read, input: { path: f, start_line: 3 } }] }, { text: Done. }]", root);
  const [result] = only(events, "tool_result");
  const error = expect.stringMatching(/The arguments do not fit read: .*start_line.*\nIt takes path, offset, limit\.$/s);
  expect(result?.output).toEqual({ error });
});

test("K24: AGENTS.md is part of the instructions", async () => {
  const { root } = await place({ "AGENTS.md": "Use tabs.\n" });
  expect(projectInstructions(root)).toBe("The project's instructions (AGENTS.md):\n\nUse tabs.");
  expect(projectInstructions(folder())).toBeUndefined();
});

test("K25: the events of an orchestrator without agents end", async () => {
  expect(await all(orchestrator().events())).toEqual([]);
  const crew = orchestrator();
  const reading = all(crew.events());
  crew.spawn({ harness: { async *invoke() {} } as never, params: {} });
  expect((await reading).length).toBeGreaterThan(0);
});
