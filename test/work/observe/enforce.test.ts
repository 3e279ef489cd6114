import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { claude } from "../../../src/work/conformance/agents/claude.ts";
import { claudeAcp } from "../../../src/work/conformance/agents/claude-acp.ts";
import { codex } from "../../../src/work/conformance/agents/codex.ts";
import { gemini } from "../../../src/work/conformance/agents/gemini.ts";
import { geminiAcp } from "../../../src/work/conformance/agents/gemini-acp.ts";
import { gooseAcp } from "../../../src/work/conformance/agents/goose-acp.ts";
import { native } from "../../../src/work/conformance/agents/native.ts";
import { folderOf, isInstalled } from "../../../src/work/conformance/install.ts";
import { furnish, sandbox } from "../../../src/work/conformance/sandbox.ts";
import { settled } from "../../../src/work/conformance/settled.ts";
import { loadScenarios } from "../../../src/work/model/load-scenarios.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { cleanUp, directory, file, harness, jsonLines } from "../../support/harness.ts";

/** Real CLIs of the cache; `.ci/run` installs Claude Code, Codex and Goose and sets HARNESS_REAL_AGENTS=1, and then needs them. */
const pins = { claude, codex, gemini, "goose-acp": gooseAcp, "gemini-acp": geminiAcp, "claude-acp": claudeAcp };
const isNeeded = process.env["HARNESS_REAL_AGENTS"] === "1";
const installed = Object.entries(pins).flatMap(([id, pin]) => {
  const folder = folderOf(pin.cache ?? id, pin, process.env);
  const binary = isInstalled(folder, pin) ? pin.binary(folder) : undefined;
  return binary === undefined ? [] : [{ id, pin, binary }];
});

const SCENARIO = `
turns:
  - { text: I write., tools: [{ write: { path: good.txt, content: "good\\n" } }] }
  - { tools: [{ write: { path: bad.txt, content: "bad\\n" } }] }
  - { tools: [{ run: "echo bad > worse.txt" }] }
  - { text: Done. }
`;
const POLICY = `
checks:
  - { id: scope.only_paths, paths: [good.txt], workspace_only: true }
  - { id: custom.no_echo, in: commands, forbid: '^echo bad' }
`;

afterAll(cleanUp);

/** Runs a real CLI with the policy. `sabotage` destroys the place that its hooks ask, before it starts. */
async function enforced({ id, pin, binary }: (typeof installed)[number], sabotage = false) {
  const model = await serveModel({ scenarios: loadScenarios([file(SCENARIO, "enforced.yaml")]), port: 0, onEntry: () => {} });
  const place = sandbox({ "README.md": "A place.\n" });
  try {
    const agent = settled(pin, model.url);
    furnish(place.home, agent.files);
    const policy = join(place.folder, "policy.yaml");
    writeFileSync(policy, POLICY);
    const wrapper = join(place.folder, "wrapped");
    const socket = 'rm -f "$GEMINI_CLI_HOME/../s"\n';
    writeFileSync(
      wrapper,
      `#!/bin/sh\n${id === "gemini" ? socket : ""}rm -rf $(echo "$*" | grep -o '/[^ "]*/harness-[0-9a-f]\\{16\\}')\nexec ${binary} "$@"\n`,
    );
    chmodSync(wrapper, 0o755);
    const variables = Object.entries(agent.environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const who = ["--agent", id, "--binary", sabotage ? wrapper : binary, ...(agent.model === undefined ? [] : ["--model", agent.model])];
    const what = ["--prompt", "Do it. [[enforced]]", "--cwd", place.workspace, "--permissions", "full", "--enforce", policy];
    const rest = ["--timeout", "3m", ...variables, ...agent.options, "--", ...agent.args];
    const live = await harness(["run", ...who, ...what, "--view", "log", ...rest], { env: place.environment });
    const again = await harness(["derive", "last", "--view", "log"], { env: place.environment });
    const verified = await harness(["verify", "last"], { env: place.environment });
    return { live, again, verified, files: readdirSync(place.workspace).sort(), good: textAt(join(place.workspace, "good.txt")) };
  } finally {
    await model.close();
    place.remove();
  }
}

function textAt(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

test.for([false, true])(
  "our own agent asks the run too; if no one can be asked (%s), nothing is written",
  { timeout: 2 * 60_000 },
  async (sabotage) => {
    const own = { id: "native", pin: native, binary: process.execPath };
    const { live, again, verified, files } = await enforced(own, sabotage);
    expect(files, live.stderr).toEqual([".git", "README.md", ...(sabotage ? [] : ["good.txt"])]);
    const decisions = jsonLines(live.stdout).filter(({ type }) => type === "permission-decision");
    expect(decisions.map(({ decision }) => decision)).toEqual([sabotage ? "deny" : "allow", "deny", "deny"]);
    if (!sabotage) expect(decisions[1]?.["reason"]).toBe("policy: scope.only_paths: bad.txt is outside good.txt");
    expect(again.stdout).toBe(live.stdout);
    expect(verified.code).toBe(0);
  },
);

describe.skipIf(installed.length === 0 && !isNeeded)("a policy enforced on real CLIs", { timeout: 5 * 60_000 }, () => {
  test("Claude Code, Codex and Goose are there", () => {
    if (isNeeded) expect(installed.map(({ id }) => id)).toEqual(expect.arrayContaining(["claude", "codex", "goose-acp"]));
  });

  test.for(installed)("$id: an allowed write reaches the disk, a denied one does not", async (agent) => {
    const { live, again, verified, files, good } = await enforced(agent);
    expect(files, live.stderr).toEqual([".git", "README.md", "good.txt"]);
    expect(good).toBe("good\n");
    const decisions = jsonLines(live.stdout).filter(({ type, provenance }) => type === "permission-decision" && provenance === "observed");
    expect(decisions.map(({ decision }) => decision)).toEqual(["allow", "deny", "deny"]);
    expect(decisions.map(({ reason }) => reason)).toEqual([
      "permissions full",
      "policy: scope.only_paths: bad.txt is outside good.txt",
      expect.stringMatching(/^policy: (scope\.only_paths: worse\.txt|custom\.no_echo)/),
    ]);
    expect(again.stdout).toBe(live.stdout);
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: "" });
  });

  test.for(installed.filter(({ id }) => !id.endsWith("-acp")))("W5: $id: if no one can be asked, nothing is written", async (agent) => {
    const { live, files } = await enforced(agent, true);
    expect(files, live.stderr).toEqual([".git", "README.md"]);
  });
});

test.for(["trials", "capture"])(
  "%s: every trial is held to the policy, and every decision is in its run",
  { timeout: 3 * 60_000 },
  async (command) => {
    const model = await serveModel({ scenarios: loadScenarios([file(SCENARIO, "enforced.yaml")]), port: 0, onEntry: () => {} });
    const place = sandbox({ "README.md": "A place.\n" });
    try {
      const agent = settled(native, model.url);
      furnish(place.home, agent.files);
      const cases = join(place.folder, "cases.jsonl");
      writeFileSync(cases, `${JSON.stringify({ id: "a", input: "Do it. [[enforced]]" })}\n`);
      const variables = Object.entries(agent.environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
      const who = ["--agent", "native", "--home", "inherit", ...(agent.model === undefined ? [] : ["--model", agent.model]), ...variables];
      const grader = "command:test -e good.txt && test ! -e bad.txt && test ! -e worse.txt";
      const what = ["--cwd", place.workspace, "--permissions", "full", "--enforce", file(POLICY, "policy.yaml"), "--grader", grader];
      const { code, stdout, stderr } = await harness([command, cases, ...who, ...what, ...agent.options], { env: place.environment });
      expect(code, stderr).toBe(0);
      expect(JSON.stringify(jsonLines(stdout)[0])).toMatch(/"class":"passed"/);
      const log = await harness(["derive", "last", "--view", "log"], { env: place.environment });
      const decisions = jsonLines(log.stdout).filter(({ type }) => type === "permission-decision");
      expect(decisions.map(({ decision }) => decision)).toEqual(["allow", "deny", "deny"]);
      expect(decisions[1]?.["reason"]).toBe("policy: scope.only_paths: bad.txt is outside good.txt");
    } finally {
      await model.close();
      place.remove();
    }
  },
);

test("Gemini CLI: a workspace that could turn off its hooks is rejected", async () => {
  const cwd = directory();
  mkdirSync(join(cwd, ".gemini"));
  writeFileSync(join(cwd, ".gemini/settings.json"), JSON.stringify({ hooksConfig: { enabled: false } }));
  const policy = file(POLICY, "policy.yaml");
  const who = ["--agent", "gemini", "--binary", process.execPath, "--cwd", cwd];
  const { code, stderr } = await harness(["run", ...who, "--prompt", "x", "--enforce", policy]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/\.gemini\/settings\.json sets hooksConfig, which could turn off the decisions of this run\. Remove it/);
});

test("an agent that cannot be held to a policy is rejected, with the remedy", async () => {
  const policy = file(POLICY, "policy.yaml");
  const { code, stderr } = await harness(["run", "--agent", "pi", "--binary", process.execPath, "--prompt", "x", "--enforce", policy]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^harness: Pi has no hooks .* Use an agent that speaks ACP, or /);
});
