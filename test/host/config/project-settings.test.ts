import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { settingsTemplate } from "../../../src/app/cli/config/settings-template.ts";
import { readSettings } from "../../../src/host/config/read-settings.ts";
import { cleanUp, DEEP, PROJECT, sentence, USER, world } from "./support.ts";

afterAll(cleanUp);

/** Decision 11: entering a directory runs nothing. */
describe("a project's file may not decide what runs", () => {
  const rejected: readonly [content: string, key: string, why: string, instead: string][] = [
    ['[agents.claude]\nbinary = "./evil"', "agents.claude.binary", "it decides which program runs", "binary"],
    ['[agents.parrot]\nfile = "./parrot.mjs"', "agents.parrot.file", "a module is a program", "agent"],
    ['[agents.claude]\nargs = ["--yolo"]', "agents.claude.args", "it decides what the program may do", "extraArgs"],
    ["[agents.claude]\nargs = []", "agents.claude.args", "it decides what the program may do", "extraArgs"],
    ['\n[env]\nPATH = "."', "env", "a variable can make a program run another", "env"],
    ['\n[agents.codex.env]\nLD_PRELOAD = "x"', "agents.codex.env", "a variable can make a program run another", "env"],
    ['\nsecrets = ["HOME"]', "secrets", "a mask can hide what was done", "secrets"],
    ['\npermissions = "full"', "permissions", 'a project may only take permissions away ("read-only")', "permissions"],
    ['\npermissions = "default"', "permissions", 'a project may only take permissions away ("read-only")', "permissions"],
    ["\npermissions = 1", "permissions", 'a project may only take permissions away ("read-only")', "permissions"],
    [
      '[agents.claude]\npermissions = "full"',
      "agents.claude.permissions",
      'a project may only take permissions away ("read-only")',
      "permissions",
    ],
  ];

  test.each(rejected)("%j", (content, key, why, instead) => {
    for (const file of [PROJECT, DEEP]) {
      const w = world({ [file]: content });
      expect(sentence(() => w.load())).toEqual({
        code: "input",
        message: `${w.at(file)}:2: A project's settings cannot set ${key}: ${why}. Move it to ${w.at(USER)}, or use \`${instead}\`.`,
      });
    }
  });

  test.each(rejected.filter(([content]) => !content.endsWith("= 1")))("the user's file may: %j", (content) => {
    expect(world({ [USER]: content }).load().settings.length).toBe(1);
  });

  test("the user's file does not approve a project's", () => {
    const content = '[agents.claude]\nbinary = "claude"';
    const w = world({ [USER]: content, [PROJECT]: content });
    expect(sentence(() => w.load()).message).toContain(`${w.at(PROJECT)}:2: A project's settings cannot set`);
  });

  test("without a home, the remedy names only the field", () => {
    const w = world({ [PROJECT]: 'permissions = "full"' });
    expect(sentence(() => w.load({ env: {}, home: "relative" })).message).toMatch(/\("read-only"\)\. Use `permissions`\.$/);
  });

  test("a project's file may set the rest", () => {
    const w = world({
      [PROJECT]: `agent = "claude"
permissions = "read-only"
timeout = "5m"
idle-timeout = 0
view = "log"
tags = ["t"]
[agents.claude]
permissions = "read-only"
`,
    });
    expect(w.load().settings.length).toBe(7);
    expect(w.load().ignored).toEqual([]);
  });
});

describe.each(["user", "project"] as const)("the file that `config init` writes, %s", (scope) => {
  const source = { path: "/harness.toml", scope, user: "/user.toml" };

  test("sets nothing", () => {
    expect(readSettings({ ...source, text: settingsTemplate(scope) })).toEqual([]);
  });

  test("is valid with every line uncommented", () => {
    const text = settingsTemplate(scope).replace(/^# (?=\[|[\w-]+ = )/gm, "");
    const set = readSettings({ ...source, text }).map(({ path }) => (path[0] === "agents" ? path[2] : path[0]));
    const both = ["agent", "permissions", "isolate", "network", "timeout", "idle-timeout", "view", "tags"];
    const own = ["model", "models", "limit", "secrets", "env", "binary", "args", "file"];
    expect(new Set(set)).toEqual(new Set(scope === "user" ? [...both, ...own] : both));
  });

  test("fits a terminal", () => {
    expect(
      Math.max(
        ...settingsTemplate(scope)
          .split("\n")
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(120);
  });
});

test("docs/reference/config.md shows valid settings", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/reference/config.md"), "utf8");
  const blocks = [...page.matchAll(/^```toml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
  expect(blocks.length).toBeGreaterThan(0);
  for (const text of blocks)
    expect(readSettings({ path: "/harness.toml", scope: "user", user: undefined, text }).length).toBeGreaterThan(0);
});
