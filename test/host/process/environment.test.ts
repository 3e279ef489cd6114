import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deniedVariables } from "../../../src/host/process/denied-variables.ts";
import { additionsOf, agentEnvironment } from "../../../src/host/process/environment.ts";

/** A parent environment with harmful variables. */

const poison: Readonly<Record<string, string>> = {
  CLAUDECODE: "1",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_CODE_SSE_PORT: "4711",
  CLAUDE_CODE_SESSION_ID: "s",
  CLAUDE_CODE_SESSION_ACCESS_TOKEN: "t",
  CLAUDE_CODE_CHILD_SESSION: "1",
  CODEX_SANDBOX: "seatbelt",
  CODEX_SANDBOX_NETWORK_DISABLED: "1",
  CODEX_THREAD_ID: "t",
  CODEX_MANAGED_BY_NPM: "1",
  OPENCODE: "1",
  OPENCODE_CLIENT: "acp",
  KILO_PID: "1",
  GEMINI_CLI: "1",
  CLINE_ACTIVE: "true",
  GOOSE_TERMINAL: "1",
  AI_AGENT: "x",
  AGENT: "goose",
  NODE_OPTIONS: "--require /nowhere/poison.js",
  NODE_CHANNEL_FD: "3",
  BUN_OPTIONS: "--inspect",
  BASH_ENV: "/nowhere/poison.sh",
  ENV: "/nowhere/poison.sh",
  SHELLOPTS: "xtrace",
  LD_AUDIT: "/nowhere/poison.so",
  DYLD_INSERT_LIBRARIES: "/nowhere/poison.dylib",
  PYTHONSTARTUP: "/nowhere/poison.py",
  PERL5OPT: "-Mpoison",
  RUBYOPT: "-rpoison",
  GIT_DIR: "/nowhere/.git",
  GIT_INDEX_FILE: "/nowhere/index",
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "touch /tmp/poison",
  GIT_EXTERNAL_DIFF: "poison",
  npm_config_local_prefix: "/nowhere",
  npm_lifecycle_event: "test",
  INIT_CWD: "/nowhere",
};

const wholesome: Readonly<Record<string, string>> = {
  PATH: "/usr/bin:/bin",
  HOME: "/home/me",
  ANTHROPIC_API_KEY: "k",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
  CLAUDE_CODE_MAX_RETRIES: "2",
  CLAUDE_CODE_OAUTH_TOKEN: "k",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CONFIG_DIR: "/c",
  CODEX_HOME: "/c",
  CODEX_API_KEY: "k",
  OPENCODE_CONFIG_CONTENT: "{}",
  KILO_CONFIG_CONTENT: "{}",
  GEMINI_API_KEY: "k",
  GEMINI_CLI_NO_RELAUNCH: "true",
  GOOSE_PROVIDER: "openai",
  CLINE_SESSION_BACKEND_MODE: "local",
  IS_SANDBOX: "1",
  NODE_EXTRA_CA_CERTS: "/c.pem",
  NPM_CONFIG_REGISTRY: "http://127.0.0.1:1",
  LD_LIBRARY_PATH: "/lib",
  GIT_AUTHOR_NAME: "me",
  GIT_SSH_COMMAND: "ssh",
  AGENTS: "not AGENT",
};

describe("agentEnvironment", () => {
  test("removes and names harmful variables, and inherits the rest", () => {
    const { env, removed, set } = agentEnvironment({ ...wholesome, ...poison }, {});
    expect({ ...env }).toEqual(wholesome);
    expect(removed).toEqual(Object.keys(poison).sort());
    expect(set).toEqual([]);
  });

  test("reaches a real program", () => {
    const { env } = agentEnvironment({ ...wholesome, ...poison }, { set: new Map([["GIT_DIR", "/mine"]]), cookie: "c00kie" });
    const lines = execFileSync("env", ["-0"], { env, encoding: "utf8" }).split("\0").filter(Boolean).sort();
    const expected = { ...wholesome, GIT_DIR: "/mine", HARNESS_RUN_COOKIE: "c00kie" };
    expect(lines).toEqual(
      Object.entries(expected)
        .map(([name, value]) => `${name}=${value}`)
        .sort(),
    );
  });

  test("an addition overrides everything: with its own value, or with ours for a denied name", () => {
    const set = new Map([
      ["NODE_OPTIONS", undefined],
      ["HOME", "/other"],
      ["GIT_DIR", ""],
      ["NEW", "n"],
      ["NOT_OURS", undefined],
    ]);
    const { env, removed, set: added } = agentEnvironment({ ...wholesome, ...poison }, { set });
    expect(env).toMatchObject({ NODE_OPTIONS: poison["NODE_OPTIONS"], HOME: "/other", GIT_DIR: "", NEW: "n" });
    expect("NOT_OURS" in env).toBe(false);
    expect(added).toEqual(["GIT_DIR", "HOME", "NEW", "NODE_OPTIONS"]);
    expect(removed).not.toContain("NODE_OPTIONS");
    expect(removed).not.toContain("GIT_DIR");
  });

  test("the cookie is the run's own, even inside another run", () => {
    const outer = { HARNESS_RUN_COOKIE: "outer" };
    expect(agentEnvironment(outer, { cookie: "inner" }).env["HARNESS_RUN_COOKIE"]).toBe("inner");
    expect(agentEnvironment(outer, { set: new Map([["HARNESS_RUN_COOKIE", "x"]]), cookie: "inner" }).env["HARNESS_RUN_COOKIE"]).toBe(
      "inner",
    );
    expect(agentEnvironment(outer, {}).env["HARNESS_RUN_COOKIE"]).toBe("outer");
  });

  test("accepts names such as constructor and toString", () => {
    const parent = JSON.parse('{"__proto__":"a","constructor":"b"}');
    const { env } = agentEnvironment(parent, { set: new Map([["toString", undefined]]) });
    expect(Object.entries(env)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
  });

  test("does not change the parent's environment", () => {
    const parent = { ...wholesome, ...poison };
    agentEnvironment(parent, { set: new Map([["PATH", "x"]]), cookie: "c" });
    expect(parent).toEqual({ ...wholesome, ...poison });
  });
});

describe("additionsOf", () => {
  test("NAME=value sets, NAME passes on, the last entry wins", () => {
    expect(additionsOf(["A=1", "B", "C=", "D=x=y", "A=2"])).toEqual(
      new Map([
        ["A", "2"],
        ["B", undefined],
        ["C", ""],
        ["D", "x=y"],
      ]),
    );
  });

  test.each(["", "=x", "A=\0"])("%j is rejected", (word) => {
    expect(() => additionsOf([word])).toThrow(expect.objectContaining({ code: "usage", message: expect.stringContaining("NAME=value") }));
  });
});

describe("the list", () => {
  test("has every name once, with a reason", () => {
    const names = deniedVariables.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, reason } of deniedVariables) {
      expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*\*?$/);
      expect(reason).not.toBe("");
    }
  });

  test("has every variable that git calls local to a repository", () => {
    const { status, stdout } = spawnSync("git", ["rev-parse", "--local-env-vars"], { encoding: "utf8" });
    if (status !== 0) return; // git is not installed
    const local = stdout.split("\n").filter((name) => name !== "");
    expect(local).toContain("GIT_DIR");
    expect(agentEnvironment(Object.fromEntries(local.map((name) => [name, "x"])), {}).removed).toEqual(local.sort());
  });

  test("matches docs/reference/environment.md", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/environment.md"), "utf8");
    const list = page.slice(page.indexOf("## What is not passed on"));
    const rows = [...list.matchAll(/^- ([^`]+):\s((?:\s*`[^`]+`,?)+)/gm)].flatMap(([, reason = "", names = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map((match) => ({ name: match[1], reason: reason.replace(/\s+/g, " ") })),
    );
    expect(rows).toEqual(deniedVariables);
  });
});
