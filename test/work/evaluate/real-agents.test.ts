import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { claude } from "../../../src/work/conformance/agents/claude.ts";
import { codex } from "../../../src/work/conformance/agents/codex.ts";
import { goose } from "../../../src/work/conformance/agents/goose.ts";
import { pi } from "../../../src/work/conformance/agents/pi.ts";
import { folderOf, isInstalled } from "../../../src/work/conformance/install.ts";
import { trials } from "../../../src/work/evaluate/index.ts";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { cleanUp, directory, harness, jsonLines, ROOT } from "../../support/harness.ts";
import { strictFlaw } from "../../support/strict-flaw.ts";

/**
 * Real CLIs and a real ACP agent solve example cases with the careless scripted model. `npm test` does not need them. `.ci/run` installs
 * them first and sets HARNESS_REAL_AGENTS=1; then a missing one is a failure.
 */

afterAll(cleanUp);

const TASKS = join(ROOT, "examples/tasks");
const pins = { claude, codex, goose, pi };
const isNeeded = process.env["HARNESS_REAL_AGENTS"] === "1";
const binaries = Object.entries(pins).map(([id, pin]) => {
  const folder = folderOf(id, pin, process.env);
  return { id, binary: isInstalled(folder, pin) ? pin.binary(folder) : undefined };
});

const isMissing = binaries.some(({ binary }) => binary === undefined);

describe.skipIf(isMissing && !isNeeded)("with the scripted model", { timeout: 15 * 60_000 }, () => {
  const folder = directory();
  const path = (name: string) => join(folder, name);
  const env = { XDG_DATA_HOME: path("data"), PATH: `${path("bin")}:${process.env["PATH"]}` };
  const grader = join(TASKS, "grade.mjs");
  let model: Awaited<ReturnType<typeof serveModel>>;
  let given: readonly string[] = [];

  beforeAll(async () => {
    expect(
      binaries.filter(({ binary }) => binary === undefined),
      "npm run conformance -- claude codex goose pi --core installs them",
    ).toEqual([]);
    for (const name of ["bin", "codex"]) mkdirSync(path(name));
    for (const { id, binary = "" } of binaries) symlinkSync(binary, path(`bin/${id}`));
    execFileSync(process.execPath, [join(TASKS, "scenarios.mjs"), path("models")]);
    model = await serveModel({ scenarios: loadScenarios([path("models/careless")]), port: 0, onEntry: () => {} });
    const provider = { name: "scripted", base_url: `${model.url}/v1`, wire_api: "responses", env_key: "SCRIPTED_API_KEY" };
    const settings = Object.entries(provider).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    const head = ['model = "gpt-5.5"', 'model_provider = "scripted"', "[model_providers.scripted]"];
    writeFileSync(path("codex/config.toml"), [...head, ...settings, ""].join("\n"));
    const variables = { ...claude.environment(model.url), ...codex.environment(model.url), ...goose.environment(model.url) };
    const all = { ...variables, GOOSE_MODEL: "scripted-model", CODEX_HOME: path("codex") };
    given = Object.entries(all).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  });
  afterAll(async () => {
    await model?.close();
  });

  test("trials of Claude Code and Codex, compared", async () => {
    const cases = `trials ${join(TASKS, "cases.jsonl")} --only sentence,wrap,package-bin -k 2 -j 2 -g ${grader}`;
    const who = "--agent claude --agent codex --permissions full";
    const args = [...`${cases} ${who}`.split(" "), ...given, "-o", path("trials.jsonl")];
    const { code, stderr } = await harness(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = jsonLines(readFileSync(path("trials.jsonl"), "utf8"));
    const rates = lines.map(({ agent, id, passRate }) => `${String(agent)} ${String(id)} ${String(passRate)}`);
    expect(rates.sort((a, b) => (a < b ? -1 : 1))).toEqual([
      "claude package-bin 1",
      "claude sentence 1",
      "claude wrap 0",
      "codex package-bin 1",
      "codex sentence 1",
      "codex wrap 0",
    ]);
    for (const line of lines) expect(strictFlaw("trial-result", line)).toBeUndefined();
    const [report] = jsonLines((await harness(["compare", path("trials.jsonl"), "--json"], { env })).stdout);
    expect(report).toMatchObject({ pairs: [{ pairs: 6, ties: 3, wins: 0, losses: 0, verdict: "no difference shown" }] });
    expect(strictFlaw("comparison", report)).toBeUndefined();
  });

  test("the document's command line with a real ACP agent: goose", async () => {
    const only = "--only sentence,wrap --permissions full";
    const args = ["capture", join(TASKS, "cases.jsonl"), "goose", "acp", "--grader", grader, ...only.split(" "), ...given, "-o"];
    const { code, stderr } = await harness([...args, path("acp.jsonl")], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = jsonLines(readFileSync(path("acp.jsonl"), "utf8"));
    for (const line of lines) expect(strictFlaw("capture-result", line)).toBeUndefined();
    const found = lines.map(({ id, status, score }) => [id, status, (score as { pass: boolean }).pass]);
    expect(found.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ["sentence", "completed", true],
      ["wrap", "completed", false],
    ]);
    for (const { id, trajectory } of lines as { id: string; trajectory: { type: string; stepId: string; status?: string }[] }[]) {
      expect(trajectory.map(({ stepId }) => stepId)).toEqual(trajectory.map((_, index) => `${id}-step-${index + 1}`));
      expect(trajectory.some(({ type, status }) => type === "tool_call" && status === "completed")).toBe(true);
      expect(trajectory.at(-1)?.type).toBe("message");
    }
    const [summary] = jsonLines((await harness(["summarize", path("acp.jsonl")], { env })).stdout);
    expect(strictFlaw("summary", summary)).toBeUndefined();
  });

  test("one agent is not logged in, one hangs, one has a crashing grader, one solves half: the table distinguishes them", async () => {
    const silent = createServer(() => {}); // accepts every request and never answers
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    const { port } = silent.address() as AddressInfo;
    for (const name of ["stuck", "pi"]) mkdirSync(path(name));
    const config = readFileSync(path("codex/config.toml"), "utf8");
    writeFileSync(path("stuck/config.toml"), config.replace(model.url, `http://127.0.0.1:${port}`));
    for (const [name, content] of Object.entries(pi.files(model.url))) writeFileSync(path(`pi/${basename(name)}`), JSON.stringify(content));
    writeFileSync(
      path("grade.mjs"),
      `import { grade as real } from ${JSON.stringify(grader)};
export const grade = (input) => (input.metadata.agent === "goose" ? process.abort() : real(input));`,
    );
    const binaryOf = (id: string) => ({ agent: id, binary: path(`bin/${id}`), permissions: "full" as const });
    try {
      const { stopped } = await trials({
        cases: join(TASKS, "cases.jsonl"),
        only: ["sentence", "wrap"],
        agents: [
          { ...binaryOf("claude"), env: { ANTHROPIC_BASE_URL: model.url, IS_SANDBOX: "1" } },
          { ...binaryOf("codex"), env: { CODEX_HOME: path("stuck"), ...codex.environment(model.url) } },
          { ...binaryOf("goose"), env: { ...goose.environment(model.url), GOOSE_MODEL: "scripted-model" } },
          { ...binaryOf("pi"), env: { PI_CODING_AGENT_DIR: path("pi"), ...pi.environment(model.url) }, model: pi.model },
        ],
        check: false, // it would reject the agent that is not logged in
        k: 1,
        concurrency: { total: 2 },
        timeoutMs: 60_000,
        grader: path("grade.mjs"),
        output: path("four.jsonl"),
        dataDirectory: path("data/harness"),
      });
      expect(stopped).toBeUndefined();
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
    const [report] = jsonLines((await harness(["compare", path("four.jsonl"), "--json"], { env })).stdout);
    expect(report).toMatchObject({
      sides: [
        { label: "claude", passRate: null, classes: { not_started: 2 }, startProblems: ["credentials"] },
        { label: "codex", passRate: 0, classes: { out_of_time: 2 } },
        { label: "goose", passRate: null, classes: { ungraded: 2 }, nError: 2 },
        { label: `pi ${pi.model}`, passRate: 0.5, classes: { passed: 1, failed: 1 } },
      ],
    });
    const { stdout } = await harness(["compare", path("four.jsonl"), "--markdown"], { env });
    const rows = stdout
      .split("\n")
      .flatMap((line) => (/^\| (?:agent|claude|codex|goose|pi)/.test(line) ? [line.split(" | ").slice(0, 9)] : []));
    expect(rows.slice(0, 5)).toEqual([
      ["| agent", "cases", "trials", "passed", "failed", "out of time", "not started", "ungraded", "pass rate"],
      ["| claude", "2", "2", "0", "0", "0", "2", "0", "–"],
      ["| codex", "2", "2", "0", "0", "2", "0", "0", "0.0 % of 2"],
      ["| goose", "2", "2", "0", "0", "0", "0", "2", "–"],
      [`| pi ${pi.model}`, "2", "2", "1", "1", "0", "0", "0", "50.0 % of 2"],
    ]);
  });
});
