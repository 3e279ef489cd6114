import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { runOptionsOf } from "../../../src/app/cli/options/run-options-of.ts";
import { type Node, schema } from "../../../src/host/config/schema.ts";
import { agent, cleanUp as cleanUpPlaces, jsonLines, place } from "../../support/place.ts";
import { cleanUp, PROJECT, sentence, USER, world } from "./support.ts";

afterAll(() => {
  cleanUp();
  cleanUpPlaces();
});

/** K14: every key of the configuration, what a project's file may do with it, and the flag that beats every file. */
interface Rule {
  readonly project: "sets" | "sets what the user left open" | "ignored" | "rejected";
  /** In TOML, for each file. */
  readonly text: (value: string) => string;
  /** The values of the user's file and of the project's. */
  readonly values: readonly [user: string, project: string];
  readonly flag: readonly string[];
  /** What the flag makes of the run. */
  readonly wins: object;
}

const OTHER = agent("says.mjs");

const KEYS: Readonly<Record<string, Rule>> = {
  agent: {
    project: "sets what the user left open",
    text: (value) => `agent = "${value}"`,
    values: ["codex", "pi"],
    flag: ["--agent", "generic", "--command", "true"],
    wins: { agent: "generic" },
  },
  model: {
    project: "ignored",
    text: (value) => `model = "${value}"`,
    values: ["user/m", "project/m"],
    flag: ["-m", "flag/m"],
    wins: { model: "flag/m" },
  },
  permissions: {
    project: "rejected",
    text: (value) => `permissions = "${value}"`,
    values: ["full", "default"],
    flag: ["--permissions", "read-only"],
    wins: { permissions: "read-only" },
  },
  isolate: {
    project: "rejected",
    text: (value) => `isolate = "${value}"`,
    values: ["none", "process"],
    flag: ["--isolate", "files"],
    wins: {},
  },
  network: {
    project: "rejected",
    text: (value) => `network = "${value}"`,
    values: ["open", "allow:example.org"],
    flag: ["--isolate", "sealed", "--network", "none"],
    wins: {},
  },
  timeout: { project: "sets", text: (value) => `timeout = "${value}"`, values: ["1h", "2h"], flag: ["--timeout", "3h"], wins: {} },
  "idle-timeout": {
    project: "sets",
    text: (value) => `idle-timeout = "${value}"`,
    values: ["1h", "2h"],
    flag: ["--idle-timeout", "3h"],
    wins: {},
  },
  limit: {
    project: "rejected",
    text: (value) => `limit = "processes=${value}"`,
    values: ["1000", "2000"],
    flag: ["--limit", "processes=3000"],
    wins: {},
  },
  view: { project: "sets", text: (value) => `view = "${value}"`, values: ["log", "stream"], flag: ["--view", "activity"], wins: {} },
  tags: { project: "sets", text: (value) => `tags = ["${value}"]`, values: ["u", "p"], flag: ["--tag", "f"], wins: {} },
  env: {
    project: "rejected",
    text: (value) => `[env]\nVALUE = "${value}"`,
    values: ["user", "project"],
    flag: ["--env", "VALUE=flag"],
    wins: { environment: expect.objectContaining({ set: expect.arrayContaining(["VALUE"]) }) },
  },
  secrets: {
    project: "rejected",
    text: (value) => `secrets = ["${value}"]`,
    values: ["U", "P"],
    flag: ["--secret", "F"],
    wins: { masked: expect.arrayContaining(["F", "U"]) },
  },
  "agents.file": {
    project: "rejected",
    text: (value) => `[agents.mine]\nfile = "${value}"`,
    values: ["u.mjs", "p.mjs"],
    flag: ["--agent", "generic", "--command", "true"],
    wins: { agent: "generic" },
  },
  "agents.binary": {
    project: "rejected",
    text: (value) => `[agents.claude]\nbinary = "${value}"`,
    values: ["/user/claude", "/project/claude"],
    flag: ["--binary", OTHER],
    wins: { binary: OTHER },
  },
  "agents.model": {
    project: "ignored",
    text: (value) => `[agents.claude]\nmodel = "${value}"`,
    values: ["user/m", "project/m"],
    flag: ["-m", "flag/m"],
    wins: { model: "flag/m" },
  },
  "agents.permissions": {
    project: "rejected",
    text: (value) => `[agents.claude]\npermissions = "${value}"`,
    values: ["full", "default"],
    flag: ["--permissions", "read-only"],
    wins: { permissions: "read-only" },
  },
  "agents.args": {
    project: "rejected",
    text: (value) => `[agents.claude]\nargs = ["${value}"]`,
    values: ["--user", "--project"],
    flag: ["--", "--flag"],
    wins: { args: expect.arrayContaining(["--flag"]) },
  },
  "agents.models": {
    project: "ignored",
    text: (value) => `[agents.claude.models]\nfast = "${value}"`,
    values: ["user/m", "project/m"],
    flag: ["-m", "flag/m"],
    wins: { model: "flag/m" },
  },
  "agents.env": {
    project: "rejected",
    text: (value) => `[agents.claude.env]\nVALUE = "${value}"`,
    values: ["user", "project"],
    flag: ["--env", "VALUE=flag"],
    wins: { environment: expect.objectContaining({ set: expect.arrayContaining(["VALUE"]) }) },
  },
};

/** Names that users choose are left out: `agents.<id>.env.<NAME>` is `agents.env`. */
function keysIn(node: Node, path: readonly string[] = []): readonly string[] {
  if (node.type === "leaf") return [path.join(".")];
  if (node.type === "names") return keysIn(node.each, path);
  return [...node.keys].flatMap(([name, inner]) => keysIn(inner, [...path, name]));
}

test("the table has every key", () => {
  expect(Object.keys(KEYS).sort()).toEqual([...keysIn(schema())].sort());
});

describe("K14: what a project's file decides", () => {
  test.each(Object.entries(KEYS))("%s", (_, { project, text, values: [user, other] }) => {
    const alone = world({ [PROJECT]: text(other) });
    const both = world({ [USER]: text(user), [PROJECT]: text(other) });
    if (project === "rejected") {
      for (const w of [alone, both])
        expect(sentence(() => w.load()).message).toMatch(/A project's settings cannot set .*: .*\. Move it to .*, or use `\w+`\.$/);
      return;
    }
    const ofProject = (w: ReturnType<typeof world>) => w.load().settings.filter(({ file }) => file === w.at(PROJECT)).length;
    expect([ofProject(alone), ofProject(both)]).toEqual({ sets: [1, 1], "sets what the user left open": [1, 0], ignored: [0, 0] }[project]);
    const sentences = alone.load().ignored;
    if (project !== "ignored") return expect(sentences).toEqual([]);
    expect(sentences).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${alone.at(PROJECT)}:\\d: Ignored [\\w.]+: it decides which server gets your code\\. Move it to ${alone.at(USER)}, or use \`model\`\\.$`,
        ),
      ),
    ]);
    return undefined;
  });
});

/** `run --dry-run` in a project, with both files. */
async function dryRun(text: Readonly<{ user?: string; project?: string }>, args: readonly string[]) {
  const here = place();
  const base = join(here.root, "..");
  const put = (path: string, content = "") => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  put(join(base, "config/harness/harness.toml"), text.user);
  put(join(base, "project/harness.toml"), text.project);
  const done = await here.harness(["run", "--prompt", "Go.", "--dry-run", "--json", ...args], {
    cwd: join(base, "project"),
    env: { U: "user-secret", F: "flag-secret", ANTHROPIC_API_KEY: "none-at-all" },
  });
  return { ...done, facts: done.code === 0 ? jsonLines(done.stdout)[0] : undefined };
}

describe("K14: a flag beats every file", () => {
  test.each(Object.entries(KEYS))("%s", async (_, { project, text, values: [user, other], flag, wins }) => {
    const isLast = flag[0] === "--";
    const agents = flag.includes("--agent") ? [] : ["--agent", "claude", ...(flag.includes("--binary") ? [] : ["--binary", OTHER])];
    const files = { user: text(user), ...(project !== "rejected" && { project: text(other) }) };
    const { code, stderr, facts } = await dryRun(files, isLast ? [...agents, ...flag] : [...flag, ...agents]);
    expect({ code, stderr: stderr.replaceAll(/^harness: .*: Ignored .*\n/gm, "") }).toEqual({ code: 0, stderr: "" });
    expect(facts).toMatchObject(wins);
  });

  test("limits, tags and the view, which a dry run does not show", async () => {
    const project = 'timeout = "2h"\nidle-timeout = "2h"\nview = "stream"\ntags = ["p"]\n';
    const w = world({ [USER]: project.replaceAll("2h", "1h"), [PROJECT]: project });
    vi.stubEnv("XDG_CONFIG_HOME", w.at(".config"));
    const cwd = w.at("project");
    const { options } = await runOptionsOf({ cwd, agent: "claude", timeout: 5, idleTimeout: 6, tag: ["f"] }, []);
    expect(options).toMatchObject({ timeoutMs: 5, idleTimeoutMs: 6, tags: ["p", "f"] });
    const bare = await runOptionsOf({ cwd, agent: "claude" }, []);
    expect(bare).toMatchObject({ options: { timeoutMs: 7_200_000, idleTimeoutMs: 7_200_000, tags: ["p"] }, view: "stream" });
    vi.unstubAllEnvs();
  });

  test("a project's alias does not redirect --model, and one sentence names it and its place", async () => {
    const project = '[agents.native.models]\n"anthropic/claude-sonnet-5" = "local/spy"\n';
    const { code, stderr, facts } = await dryRun({ project }, ["--agent", "native", "-m", "anthropic/claude-sonnet-5"]);
    expect(code).toBe(0);
    expect(facts?.["model"]).toBe("anthropic/claude-sonnet-5");
    expect(stderr).toMatch(
      /^harness: \S+harness\.toml:1: Ignored agents\.native\.models: it decides which server gets your code\. Move it to \S+harness\.toml, or use --model\.\n$/,
    );
  });

  test("the user's own alias still stands for its model", async () => {
    const { facts } = await dryRun({ user: '[agents.native.models]\nfast = "local/quick"\n' }, ["--agent", "native", "-m", "fast"]);
    expect(facts?.["model"]).toBe("local/quick");
  });
});
