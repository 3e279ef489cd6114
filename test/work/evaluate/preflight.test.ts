import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/index.ts";
import type { Agent, Permissions } from "../../../src/pure/pipeline/index.ts";
import { agentProblems, type Candidate, needsGit } from "../../../src/work/evaluate/preflight.ts";
import { cleanUp, directory, harness } from "../../support/harness.ts";

/** What would fail every trial is said before the first one: one sentence each, with a remedy, and exit code 2. */

afterAll(cleanUp);

const { claude, codex, gemini, goose, pi, opencode, cline } = agents;
const nowhere = directory();

function candidate(agent: Agent, more: Partial<Candidate> & { readonly env?: NodeJS.ProcessEnv; readonly level?: Permissions } = {}) {
  const { env = {}, level = "full", ...rest } = more;
  const plan = { permissions: level, env: { HOME: nowhere, ...env }, binary: `/bin/${agent.id}`, args: [] };
  return { agent, plan, asked: level, home: "private", problem: null, isRoot: false, ...rest } satisfies Candidate;
}

/** The tests may run on a machine with real logins: every agent reads them only in `nowhere`. */
const withoutFiles = (agent: Agent): Agent => ({
  ...agent,
  credentialFiles: (agent.credentialFiles ?? []).map((file) => `no-such/${file}`),
});

describe("V1, V2: an agent", () => {
  test.each([claude, codex, gemini, goose, pi].map((agent) => [agent.id, agent] as const))("%s that is not logged in", (_, agent) => {
    const problems = process.platform === agent.needs?.keychain ? [] : agentProblems(candidate(withoutFiles(agent)));
    expect(problems).toHaveLength(process.platform === agent.needs?.keychain ? 0 : 1);
    for (const problem of problems) expect(problem).toMatch(/ is not logged in: there is none of \w+, .*\. (?:Run|Set) .*\.$/);
    const [variable = ""] = agent.credentials ?? [];
    expect(agentProblems(candidate(withoutFiles(agent), { env: { [variable]: "key" } }))).toEqual([]);
  });

  test("that keeps its login in a moved directory, or needs none, is accepted", () => {
    const place = directory();
    writeFileSync(join(place, "config.toml"), "");
    expect(agentProblems(candidate(codex, { env: { CODEX_HOME: place } }))).toEqual([]);
    expect(agentProblems(candidate(withoutFiles(pi), { env: { GROQ_API_KEY: "key" } }))).toEqual([]);
    for (const agent of [opencode, cline]) expect(agentProblems(candidate(agent))).toEqual([]);
  });

  test("that denies writes needs a level that someone chose", () => {
    const env = { ANTHROPIC_API_KEY: "key" };
    expect(agentProblems(candidate(claude, { env, level: "default", asked: undefined }))).toEqual([
      expect.stringMatching(/^Claude Code denies writes at its default level, .* Set `permissions` to full, .*\.$/),
    ]);
    for (const level of ["default", "read-only", "full"] as const) expect(agentProblems(candidate(claude, { env, level }))).toEqual([]);
    expect(agentProblems(candidate(pi, { env, level: "default", asked: undefined }))).toEqual([]);
  });

  test.each([
    ["full", true, {}, 1],
    ["full", true, { IS_SANDBOX: "yes" }, 1], // the CLI takes only 1
    ["full", true, { IS_SANDBOX: "1" }, 0],
    ["full", false, {}, 0],
    ["read-only", true, {}, 0],
  ] as const)("that refuses root: %s, root %s, %o", (level, isRoot, env, count) => {
    const problems = agentProblems(candidate(claude, { level, isRoot, env: { ANTHROPIC_API_KEY: "key", ...env } }));
    expect(problems).toHaveLength(count);
    for (const problem of problems) expect(problem).toMatch(/refuses to work as root.* IS_SANDBOX=1 with `env`/);
  });

  test("that refuses to work outside git", () => {
    expect(needsGit(candidate(codex, { level: "default" }))).toBe(true);
    expect(needsGit(candidate(codex, { level: "full" }))).toBe(false);
    const { plan } = candidate(codex, { level: "default" });
    expect(needsGit({ agent: codex, plan: { ...plan, args: ["--skip-git-repo-check"] } })).toBe(false);
    expect(needsGit(candidate(claude, { level: "default" }))).toBe(false);
  });

  test("whose program does not run", () => {
    const found = agentProblems(candidate(pi, { env: { OPENAI_API_KEY: "key" }, problem: "it exited with code 1: SyntaxError" }));
    expect(found).toEqual([
      expect.stringMatching(/^Pi does not work: \/bin\/pi cannot print its version, because .*SyntaxError\. Install it again with /),
    ]);
  });
});

describe("capture and trials", () => {
  /** An agent that leaves a trace when it is started for a task. */
  function place(agent = 'echo "$0" >> "$PLACE/started"; echo done') {
    const folder = directory();
    const at = (name: string) => join(folder, name);
    mkdirSync(at("home"));
    writeFileSync(at("claude"), `#!/bin/sh\n[ "$1" = --version ] && { echo 2.1.0; exit; }\n${agent}\n`);
    chmodSync(at("claude"), 0o700);
    writeFileSync(at("cases.jsonl"), '{"id":"a","input":"Go.","expected":"done","reference":"done"}\n');
    const env = { XDG_DATA_HOME: at("data"), HOME: at("home"), IS_SANDBOX: "1", ANTHROPIC_API_KEY: "", PLACE: folder };
    const run = async (command: string, ...args: readonly string[]) => {
      const who = ["--agent", "claude", "--binary", at("claude")];
      const { code, stderr } = await harness([command, at("cases.jsonl"), ...who, ...args, "-o", at("out.jsonl")], { env });
      const hasStarted = existsSync(at("started")) || existsSync(at("out.jsonl")) || existsSync(at("data"));
      return { code, lines: stderr.trimEnd().split("\n"), hasStarted };
    };
    return { at, run };
  }

  const LAST = "harness: nothing was started; --no-check starts anyway";
  const allowed = ["--permissions", "full", "--env", "ANTHROPIC_API_KEY=key"];

  test.each(["capture", "trials"])("%s lists every problem, and starts nothing", async (command) => {
    const { run, at } = place();
    writeFileSync(at("grade.mjs"), "export const judge = 1;\n");
    const { code, lines, hasStarted } = await run(command, "-g", at("grade.mjs"), "--workspace", at("."));
    expect({ code, hasStarted }).toEqual({ code: 2, hasStarted: false });
    expect(lines).toEqual([
      expect.stringMatching(/^harness: Claude Code is not logged in: /),
      expect.stringMatching(/^harness: Claude Code denies writes .* Set --permissions to full/),
      expect.stringMatching(/cases\.jsonl is in the workspace .* Move the data set to a different directory\.$/),
      `harness: The grader ${at("grade.mjs")} cannot be used: the module does not export a function called grade. Correct it, and start again.`,
      LAST,
    ]);
  });

  test("V6: a grader that cannot be loaded is named before any agent runs", async () => {
    const { run, at } = place();
    writeFileSync(at("grade.ts"), 'import { missing } from "./nowhere.ts";\nexport const grade = () => missing;\n');
    writeFileSync(at("schema.json"), '{"type":"nonsense"}');
    for (const [grader, why] of [
      [at("grade.ts"), "nowhere"],
      [`json-schema:${at("schema.json")}`, "schema"],
    ] as const) {
      const { code, lines, hasStarted } = await run("trials", ...allowed, "-g", `all(contains, ${grader})`);
      expect({ code, hasStarted, last: lines[1] }).toEqual({ code: 2, hasStarted: false, last: LAST });
      expect(lines[0]).toContain(`The grader ${grader} cannot be used: `);
      expect(lines[0]).toContain(why);
    }
  });

  test("--check-refs runs the references first", async () => {
    const { run, at } = place();
    const wrong = await run("capture", ...allowed, "-g", "exact:something else", "--check-refs");
    expect(wrong).toMatchObject({ code: 2, lines: [expect.stringContaining('does not pass the reference of the case "a": '), LAST] });
    expect(existsSync(at("started"))).toBe(false);
    expect(await run("capture", ...allowed, "-g", "exact", "--check-refs")).toMatchObject({ code: 0, hasStarted: true });
  });

  test("--no-check starts anyway", async () => {
    const { run, at } = place();
    expect(await run("capture", "--no-check", "--isolate", "process")).toMatchObject({ code: 0 }); // it leaves a file outside
    expect(existsSync(at("started"))).toBe(true);
  });
});
