import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { keyLine } from "../../../src/host/config/key-line.ts";
import { cleanUp, DEEP, PROJECT, sentence, USER, world } from "./support.ts";

afterAll(cleanUp);

const KEYS = "agent, model, permissions, isolate, network, timeout, idle-timeout, limit, view, tags, env, secrets, agents";
const AGENT_KEYS = "file, binary, model, permissions, args, models, env";

/** The error for a user's file. `<file>` stands for its path. */
function saidOf(content: string | Buffer, options: Parameters<ReturnType<typeof world>["load"]>[0] = {}): string {
  const w = world({ [USER]: content });
  const { code, message } = sentence(() => w.load(options));
  expect(code).toBe("input");
  expect(message).not.toContain("\n");
  return message.replaceAll(w.at(USER), "<file>");
}

describe("unknown keys", () => {
  test.each([
    ['modle = "x"', `<file>:1: There is no setting called "modle". Did you mean model? Known: ${KEYS}.`],
    ['# first\n\nagent = "claude"\nfrobnicate = 1\n', `<file>:4: There is no setting called "frobnicate". Known: ${KEYS}.`],
    ["idle_timeout = 5", `<file>:1: There is no setting called "idle_timeout". Did you mean idle-timeout? Known: ${KEYS}.`],
    ["__proto__ = 1", `<file>:1: There is no setting called "__proto__". Known: ${KEYS}.`],
    ['model = "a"\n[agnets.claude]\n', `<file>:2: There is no setting called "agnets". Did you mean agents? Known: ${KEYS}.`],
    [
      '[agents.claude]\nmodel = "a"\nbinry = "x"\n',
      `<file>:3: There is no setting in [agents.claude] called "binry". Did you mean binary? Known: ${AGENT_KEYS}.`,
    ],
    [
      'agents = { codex = { modell = "x" } }',
      `<file>:1: There is no setting in [agents.codex] called "modell". Did you mean model? Known: ${AGENT_KEYS}.`,
    ],
    [
      'env.x = """\nmodl = 1\n"""\ntags = [\n  "modl = 2",\n]\nmodl = 3\n',
      `<file>:7: There is no setting called "modl". Did you mean model? Known: ${KEYS}.`,
    ],
  ])("%j", (content, expected) => {
    expect(saidOf(content)).toBe(expected);
  });
});

describe("values of the wrong kind", () => {
  const duration = 'a duration such as "90s", "10m", "1h30m" or "500ms", a number meaning seconds';
  test.each([
    ["agent = 1", "<file>:1: agent must be the id of an agent; register a file with file = … in [agents.<id>], not 1."],
    ['agent = ""', '<file>:1: agent must be the id of an agent; register a file with file = … in [agents.<id>], not "".'],
    ['model = "--yolo"', '<file>:1: model must be a model name that does not start with a dash, not "--yolo".'],
    ['model = "a\\nb"', '<file>:1: model must be a model name that does not start with a dash, not "a\\nb".'],
    ['\npermissions = "ful"', '<file>:2: permissions must be "full", "default" or "read-only", not "ful".'],
    ['timeout = "10 minutes"', `<file>:1: timeout must be ${duration}, not "10 minutes".`],
    ["timeout = -1", `<file>:1: timeout must be ${duration}, not -1.`],
    ["timeout = nan", `<file>:1: timeout must be ${duration}, not NaN.`],
    ["idle-timeout = true", `<file>:1: idle-timeout must be ${duration}, not true.`],
    ["timeout = 2026-01-01", `<file>:1: timeout must be ${duration}, not a date.`],
    ['tags = "a"', '<file>:1: tags must be a list of non-empty strings, not "a".'],
    ['tags = ["a", 1]', "<file>:1: tags must be a list of non-empty strings, not a list."],
    ['secrets = ["A=B"]', "<file>:1: secrets must be a list of variable names, not a list."],
    ["env = 1", "<file>:1: env must be a table, not a number."],
    ["env = 2026-01-01", "<file>:1: env must be a table, not a date."],
    ["[env]\nA = 1\nB = true", "<file>:2: env.A must be a string without NUL, not a number."],
    ['[env]\nA = "a\\u0000sk-secret"', "<file>:2: env.A must be a string without NUL, not a string."],
    ['[env]\n"A=B" = ""', '<file>:2: env."A=B" is not a valid variable name.'],
    ["[[agents]]", "<file>:1: agents must be a table, not a list."],
    ["agents.claude = 1", "<file>:1: agents.claude must be a table, not a number."],
    ["[agents.claude]\nargs = [1]", "<file>:2: agents.claude.args must be a list of arguments, not a list."],
    [
      '[agents.claude.models]\nx = "-m"',
      '<file>:2: agents.claude.models.x must be a model name that does not start with a dash, not "-m".',
    ],
  ])("%j", (content, expected) => {
    expect(saidOf(content)).toBe(expected);
  });

  test("names are checked if they are known", () => {
    const known = { agents: [{ id: "claude", aliases: ["claude-code"] }, { id: "codex" }], views: ["activity", "stream"] };
    expect(saidOf("[agents.clade]", known)).toBe('<file>:1: There is no agent called "clade". Did you mean claude? Known: claude, codex.');
    expect(saidOf("[agents.claude-code]", known)).toBe("<file>:1: Use [agents.claude]: claude-code is an alias for that agent.");
    expect(saidOf('view = "steam"', known)).toBe('<file>:1: view must be "activity" or "stream", not "steam".');
    expect(world({ [USER]: 'view = "stream"\n[agents.codex]' }).load(known).config.view).toBe("stream");
  });
});

describe("invalid TOML", () => {
  test.each([
    ["model = ", /^<file>:1:9: Not valid TOML: [^\n]+\.$/],
    ['a = 1\nb = "\n', /^<file>:2:\d+: Not valid TOML: [^\n]+\.$/],
    ['model = "a"\nmodel = "b"', /^<file>:2:\d+: Not valid TOML: [^\n]+\.$/],
    [`tags = ${"[".repeat(5000)}`, /^<file>:1:\d+: Not valid TOML: [^\n]+\.$/],
    [`${"{".repeat(60_000)}`, /^<file>:1:\d+: Not valid TOML: [^\n]+\.$/],
  ])("%.30j", (content, expected) => {
    expect(saidOf(content)).toMatch(expected);
  });

  test("does not quote the file: it may be a link to anything", () => {
    expect(saidOf("-----BEGIN PRIVATE KEY-----\nMIIEvQ\n")).not.toMatch(/PRIVATE|MIIE/);
  });

  test("a path of thousands of keys", () => {
    expect(saidOf(`${"a.".repeat(30_000)}a = 1`)).toMatch(/^<file>(:1)?(:\d+)?: /);
  });

  test("any text gives settings or one sentence", () => {
    const w = world();
    const piece = fc.constantFrom("agent", "model", "=", '"x"', "\n", "[", "]", "agents", ".", "env", "1", "#", "'", '"""', "{", "}", ",");
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 20 }), (pieces) => {
        w.put(USER, pieces.join(""));
        try {
          w.load();
        } catch (error) {
          expect(error).toMatchObject({ name: "HarnessError", code: "input", message: expect.stringContaining(w.at(USER)) });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("unreadable files", () => {
  test("bytes that are not UTF-8", () => {
    expect(saidOf(Buffer.from([0x61, 0xff, 0xfe]))).toBe("<file> is not valid UTF-8, which TOML requires.");
  });

  test("a file that is too large", () => {
    expect(saidOf(`# ${"x".repeat(70_000)}`)).toBe("<file> is too large for settings (more than 64 KiB).");
  });

  test("immediately rejects a pipe, a device and a circle of links in the project", () => {
    const w = world();
    execFileSync("mkfifo", [w.at(DEEP)]);
    expect(sentence(() => w.load())).toEqual({
      code: "input",
      message: `${w.at(DEEP)} is not a regular file. Settings are read from a file with this name.`,
    });
    const device = world();
    symlinkSync("/dev/zero", device.at(PROJECT));
    expect(sentence(() => device.load()).message).toContain("is not a regular file");
    const circle = world();
    symlinkSync("harness.toml", circle.at(PROJECT));
    expect(sentence(() => circle.load()).message).toBe(
      `Cannot read the settings in ${circle.at(PROJECT)}: its symbolic links form a loop. Make it readable or remove it.`,
    );
  });

  test("a dangling link counts as no file", () => {
    const w = world();
    symlinkSync("gone", w.at(PROJECT));
    expect(w.load().files).toEqual([]);
  });
});

describe("keyLine", () => {
  test("finds a key anywhere among others", () => {
    const filler = fc.constantFrom(
      "",
      "# target = 1",
      'a = "target"',
      'b = """\ntarget = 1\n"""',
      "c = [\n  1, # target\n  2,\n]",
      "d.target = 1",
      "[t]\nx = 1",
      "[u.target]\ny = 2",
      "e = { target = 1 }",
    );
    fc.assert(
      fc.property(fc.uniqueArray(filler), fc.nat(9), (fillers, at) => {
        const tables = fillers.filter((text) => text.startsWith("["));
        const before = fillers.filter((text) => !text.startsWith("["));
        const place = Math.min(at, before.length);
        const head = before
          .slice(0, place)
          .map((text) => `${text}\n`)
          .join("");
        const text = `${head}target = 5\n${[...before.slice(place), ...tables].join("\n")}`;
        expect(keyLine(text, ["target"])).toBe(head.split("\n").length);
      }),
    );
  });

  test("gives up on a slow search", () => {
    const text = `${"# x\n".repeat(15_000)}x = 1\n`;
    const start = performance.now();
    expect(keyLine(text, ["x"])).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
