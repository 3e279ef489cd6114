import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { claude } from "../../src/conformance/agents/claude.ts";
import { codex } from "../../src/conformance/agents/codex.ts";
import { folderOf, isInstalled } from "../../src/conformance/install.ts";
import { loadScenarios } from "../../src/model/load-scenarios.ts";
import { serveModel } from "../../src/model/serve-model.ts";
import { cleanUp, directory, harness, jsonLines, ROOT } from "../cli/harness.ts";

/** Two real CLIs do cases of the examples, with the careless scripted model. Where they are not in the cache, nothing is tested. */

afterAll(cleanUp);

const TASKS = join(ROOT, "examples/tasks");
const pins = { claude, codex };
const binaries = Object.entries(pins).map(([id, pin]) => {
  const folder = folderOf(id, pin, process.env);
  return { id, binary: isInstalled(folder, pin) ? pin.binary(folder) : undefined };
});

test.skipIf(binaries.some(({ binary }) => binary === undefined))(
  "trials of Claude Code and Codex, compared",
  { timeout: 15 * 60_000 },
  async () => {
    const folder = directory();
    const path = (name: string) => join(folder, name);
    for (const name of ["bin", "codex"]) mkdirSync(path(name));
    for (const { id, binary = "" } of binaries) symlinkSync(binary, path(`bin/${id}`));
    execFileSync(process.execPath, [join(TASKS, "scenarios.mjs"), path("models")]);
    const model = await serveModel({ scenarios: loadScenarios([path("models/careless")]), port: 0, onEntry: () => {} });
    try {
      const provider = { name: "scripted", base_url: `${model.url}/v1`, wire_api: "responses", env_key: "SCRIPTED_API_KEY" };
      const settings = Object.entries(provider).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
      const head = ['model = "gpt-5.5"', 'model_provider = "scripted"', "[model_providers.scripted]"];
      writeFileSync(path("codex/config.toml"), [...head, ...settings, ""].join("\n"));
      const variables = { ...claude.environment(model.url), ...codex.environment(model.url), CODEX_HOME: path("codex") };
      const env = { XDG_DATA_HOME: path("data"), PATH: `${path("bin")}:${process.env["PATH"]}` };
      const cases = `trials ${join(TASKS, "cases.jsonl")} --only sentence,wrap,package-bin -k 2 -j 2 -g ${join(TASKS, "grade.mjs")}`;
      const who = "--agent claude --agent codex --permissions full";
      const given = Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
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
      const [report] = jsonLines((await harness(["compare", path("trials.jsonl"), "--json"], { env })).stdout);
      expect(report).toMatchObject({ pairs: [{ pairs: 6, ties: 3, wins: 0, losses: 0, verdict: "no difference shown" }] });
    } finally {
      await model.close();
    }
  },
);
