import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claude } from "../../../src/work/conformance/agents/claude.ts";
import { codex } from "../../../src/work/conformance/agents/codex.ts";
import { folderOf, isInstalled } from "../../../src/work/conformance/install.ts";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { blocksIn, textOf } from "../../project/blocks.ts";
import { isFull } from "../../support/full.ts";
import { BIN, cleanUp, directory, jsonLines, ROOT } from "../../support/harness.ts";

/**
 * V1: the evaluations in README and in the tutorials, as printed, on a machine where Claude Code and Codex are installed and logged in: with
 * the real CLIs and a scripted model that solves everything. Only the data set is shorter, unless HARNESS_TEST_FULL=1. `npm test` does not
 * need the CLIs; `.ci/run` installs them and sets HARNESS_REAL_AGENTS=1, and then a missing one is a failure.
 */

afterAll(cleanUp);

const TASKS = join(ROOT, "examples/tasks");
const PAGES = ["README.md", "docs/tutorials/first-evaluation.md", "docs/tutorials/compare-two-agents.md"];
const EVALUATES = /^harness (?:capture|trials)\b[^#]*--agent (?:claude|codex)\b/m;

/** Every block of commands that evaluates a real agent. */
const printed = PAGES.flatMap((page) =>
  blocksIn(textOf(page))
    .filter(({ language, text }) => language === "shell" && EVALUATES.test(text))
    .map(({ line, text }) => ({ name: `${page}:${line}`, page, text })),
);

test("every page has one", () => {
  expect([...new Set(printed.map(({ page }) => page))]).toEqual(PAGES);
});

const pins = { claude, codex };
const binaries = Object.entries(pins).map(([id, pin]) => {
  const folder = folderOf(id, pin, process.env);
  return { id, binary: isInstalled(folder, pin) ? pin.binary(folder) : undefined };
});
const isMissing = binaries.some(({ binary }) => binary === undefined);

describe.skipIf(isMissing && process.env["HARNESS_REAL_AGENTS"] !== "1")("with the real CLIs", { timeout: 60 * 60_000 }, () => {
  let model: Awaited<ReturnType<typeof serveModel>>;
  const machine = directory();
  const at = (name: string) => join(machine, name);

  beforeAll(async () => {
    expect(
      binaries.filter(({ binary }) => binary === undefined),
      "npm run conformance -- claude codex --core installs them",
    ).toEqual([]);
    for (const name of ["bin", "home/.codex"]) mkdirSync(at(name), { recursive: true });
    for (const { id, binary = "" } of binaries) symlinkSync(binary, at(`bin/${id}`));
    symlinkSync(BIN, at("bin/harness"));
    const scenarios = spawn(process.execPath, [join(TASKS, "scenarios.mjs"), at("models")]);
    await new Promise((resolve) => scenarios.on("close", resolve));
    model = await serveModel({ scenarios: loadScenarios([at("models/good")]), port: 0, onEntry: () => {} });
    const provider = { name: "scripted", base_url: `${model.url}/v1`, wire_api: "responses", env_key: "CODEX_API_KEY" };
    const settings = Object.entries(provider).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    const head = ['model = "gpt-5.5"', 'model_provider = "scripted"', "[model_providers.scripted]"];
    writeFileSync(at("home/.codex/config.toml"), [...head, ...settings, ""].join("\n"));
  });
  afterAll(async () => {
    await model?.close();
  });

  /** A directory like a clone, which also holds the reader's own data set and grader. */
  function clone(): string {
    const folder = directory();
    cpSync(TASKS, join(folder, "examples/tasks"), { recursive: true });
    const rows = jsonLines(readFileSync(join(TASKS, "cases.jsonl"), "utf8")).filter(({ id }) => isFull || id === "sentence");
    const lines = (more: (row: Record<string, unknown>) => object) => rows.map((row) => `${JSON.stringify(more(row))}\n`).join("");
    writeFileSync(
      join(folder, "examples/tasks/cases.jsonl"),
      lines((row) => row),
    );
    const own = ({ workspace, reference: _, ...row }: Record<string, unknown>) => ({ ...row, workspace: join(TASKS, String(workspace)) });
    writeFileSync(join(folder, "cases.jsonl"), lines(own));
    writeFileSync(join(folder, "grade.mjs"), `export { grade } from ${JSON.stringify(join(TASKS, "grade.mjs"))};\n`);
    return folder;
  }

  test.each(printed)("$name", async ({ text }) => {
    const cwd = clone();
    const env = {
      ...process.env,
      ...claude.environment(model.url),
      CODEX_API_KEY: "dummy-key-of-a-script",
      HOME: at("home"),
      XDG_DATA_HOME: at("data"),
      PATH: `${at("bin")}${delimiter}${process.env["PATH"]}`,
    };
    const shell = spawn("bash", ["-e", "-c", text], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    shell.stderr.setEncoding("utf8").on("data", (piece: string) => {
      stderr += piece;
    });
    const code = await new Promise((resolve) => shell.on("close", resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const output = /-o (\S+)/.exec(text)?.[1] ?? "";
    const lines = jsonLines(readFileSync(join(cwd, output), "utf8"));
    const agents = new Set(lines.map(({ agent }) => agent));
    expect(agents).toEqual(new Set([...text.matchAll(/--agent (\w+)/g)].map(([, id]) => id)));
    for (const { passRate, score, trials } of lines) {
      expect(passRate ?? (score as { pass: boolean }).pass).toBe(trials === undefined ? true : 1);
      expect(trials === undefined ? 5 : (trials as readonly object[]).length).toBe(5);
    }
    const report = /--report (\S+)/.exec(text)?.[1];
    expect(report === undefined || existsSync(join(cwd, report))).toBe(true);
  });
});
