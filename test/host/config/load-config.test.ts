import { mkdirSync, symlinkSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { resolveModel, settingsFor } from "../../../src/host/config/config.ts";
import { configFiles } from "../../../src/host/config/config-files.ts";
import { cleanUp, DEEP, PROJECT, USER, world } from "./support.ts";

afterAll(cleanUp);

const EVERYTHING = `
agent = "claude"
model = "sonnet"
permissions = "full"
timeout = "1h30m"
idle-timeout = 90
view = "stream"
tags = ["a", "b c"]
secrets = ["DEPLOY_KEY"]

[env]
NO_COLOR = "1"
"odd.name" = ""

[agents.claude]
binary = "~/bin/claude"
model = "opus"
permissions = "read-only"
args = ["--strict-mcp-config", ""]

[agents.claude.models]
fast = "claude-haiku"
"a b" = "x"

[agents.claude.env]
NO_COLOR = "0"

[agents.codex]
binary = "codex-next"
`;

describe("a user's file with every setting", () => {
  const w = world({ [USER]: EVERYTHING });
  const { config, files, settings } = w.load();

  test("becomes the config", () => {
    expect(config).toEqual({
      agent: "claude",
      model: "sonnet",
      permissions: "full",
      timeout: 5_400_000,
      idleTimeout: 90_000,
      view: "stream",
      tags: ["a", "b c"],
      secrets: ["DEPLOY_KEY"],
      env: new Map([
        ["NO_COLOR", "1"],
        ["odd.name", ""],
      ]),
      agents: new Map([
        [
          "claude",
          {
            binary: w.at("bin/claude"),
            model: "opus",
            permissions: "read-only",
            args: ["--strict-mcp-config", ""],
            models: new Map([
              ["fast", "claude-haiku"],
              ["a b", "x"],
            ]),
            env: new Map([["NO_COLOR", "0"]]),
          },
        ],
        ["codex", { binary: "codex-next", model: undefined, permissions: undefined, args: [], models: new Map(), env: new Map() }],
      ]),
    });
  });

  test("every value has its file and stays as written", () => {
    expect(files).toEqual([{ path: w.at(USER), scope: "user" }]);
    expect(new Set(settings.map(({ file }) => file))).toEqual(new Set([w.at(USER)]));
    const written = new Map(settings.map(({ key, value }) => [key, value]));
    expect(written.get("timeout")).toBe("1h30m");
    expect(written.get("idle-timeout")).toBe(90);
    expect(written.get('env."odd.name"')).toBe("");
    expect(written.get('agents.claude.models."a b"')).toBe("x");
  });

  test("an agent's own table overrides the general settings", () => {
    const claude = settingsFor(config, "claude");
    expect(claude).toMatchObject({ model: "opus", permissions: "read-only", binary: w.at("bin/claude") });
    expect([...claude.env]).toEqual([
      ["NO_COLOR", "0"],
      ["odd.name", ""],
    ]);
    expect(settingsFor(config, "pi")).toMatchObject({ model: "sonnet", permissions: "full", binary: undefined, args: [] });
  });

  test("an alias belongs to one agent and is resolved once", () => {
    expect(resolveModel(config, "claude", "fast")).toBe("claude-haiku");
    expect(resolveModel(config, "claude", "claude-haiku")).toBe("claude-haiku");
    expect(resolveModel(config, "codex", "fast")).toBe("fast");
    expect(resolveModel(config, "claude", "constructor")).toBe("constructor");
  });
});

describe("several files", () => {
  test("the nearest wins, value by value", () => {
    const w = world({
      [USER]: 'agent = "codex"\nview = "log"\ntimeout = 3\n[agents.claude.models]\na = "user"\n',
      [PROJECT]: 'agent = "claude"\nview = "stream"\ntimeout = 1\n',
      [DEEP]: 'timeout = 2\ntags = ["deep"]\n',
    });
    const { config, files, settings } = w.load();
    expect(config).toMatchObject({ agent: "codex", view: "stream", timeout: 2000, tags: ["deep"] });
    expect(config.agents.get("claude")?.models).toEqual(new Map([["a", "user"]]));
    expect(files.map(({ path, scope }) => [path, scope])).toEqual([
      [w.at(DEEP), "project"],
      [w.at(PROJECT), "project"],
      [w.at(USER), "user"],
    ]);
    const from = Object.fromEntries(settings.map(({ key, file }) => [key, file]));
    expect(from).toMatchObject({ view: w.at(PROJECT), timeout: w.at(DEEP), agent: w.at(USER), "agents.claude.models.a": w.at(USER) });
  });

  test("without files, the config is empty", () => {
    const { config, files, settings } = world().load();
    expect({ files, settings }).toEqual({ files: [], settings: [] });
    expect(config).toMatchObject({ tags: [], secrets: [] });
    expect(config.env.size + config.agents.size).toBe(0);
  });

  test("a directory that does not exist uses the files above it", () => {
    const w = world({ [PROJECT]: 'view = "x"' });
    expect(w.load({ cwd: w.at("project/gone/for/good") }).config.view).toBe("x");
  });
});

describe("the user's own file", () => {
  test("is below XDG_CONFIG_HOME, if that is absolute", () => {
    const w = world({ "xdg/harness/harness.toml": 'model = "xdg"', [USER]: 'model = "home"' });
    expect(w.load({ env: { HOME: w.root, XDG_CONFIG_HOME: w.at("xdg") } }).config.model).toBe("xdg");
    expect(w.load({ env: { HOME: w.root, XDG_CONFIG_HOME: "xdg" } }).config.model).toBe("home");
    expect(w.load({ env: { HOME: w.root, XDG_CONFIG_HOME: "" } }).config.model).toBe("home");
    expect(w.load({ env: { HOME: "/nowhere" }, home: w.root }).config.model).toBe("home");
  });

  test("does not exist without an absolute home", () => {
    const files = configFiles({ cwd: "/a/b", env: {}, home: "relative" });
    expect(files.map(({ path }) => path)).toEqual(["/a/b/harness.toml", "/a/harness.toml", "/harness.toml"]);
  });

  test("keeps its scope when the working directory is its directory", () => {
    const w = world({ [USER]: '[env]\nA = "1"\n' });
    const { config, files } = w.load({ cwd: w.at(".config/harness") });
    expect(config.env.get("A")).toBe("1");
    expect(files).toEqual([{ path: w.at(USER), scope: "user" }]);
  });

  test("keeps its scope when reached by a different path", () => {
    const w = world({ [USER]: '[env]\nA = "1"\n' });
    symlinkSync(w.at(".config"), w.at("settings"));
    const { config, files } = w.load({ cwd: w.at("settings/harness") });
    expect(config.env.get("A")).toBe("1");
    expect(files).toEqual([{ path: w.at(USER), scope: "user" }]);
  });

  test("a program's path is relative to the file", () => {
    const w = world({ [USER]: '[agents.claude]\nbinary = "../tools/claude"\n[agents.codex]\nbinary = "/opt/codex"\n' });
    const { agents } = w.load().config;
    expect(agents.get("claude")?.binary).toBe(w.at(".config/tools/claude"));
    expect(agents.get("codex")?.binary).toBe("/opt/codex");
  });
});

test("ignores a byte order mark and carriage returns", () => {
  const w = world({ [PROJECT]: '\uFEFFview = "a"\r\ntags = [\r\n  "b",\r\n]\r\n' });
  expect(w.load().config).toMatchObject({ view: "a", tags: ["b"] });
});

test("accepts names such as constructor and toString", () => {
  const w = world({ [USER]: '[env]\n__proto__ = "a"\nconstructor = "b"\n[agents.__proto__.models]\ntoString = "c"\n' });
  const { config } = w.load();
  expect(config.env).toEqual(
    new Map([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]),
  );
  expect(resolveModel(config, "__proto__", "toString")).toBe("c");
  expect(resolveModel(config, "claude", "toString")).toBe("toString");
});

test("reports a directory called harness.toml in a parent directory", () => {
  const w = world();
  mkdirSync(w.at(PROJECT));
  expect(() => w.load()).toThrow(`${w.at(PROJECT)} is not a regular file`);
});
