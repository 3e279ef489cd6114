import { afterAll, describe, expect, test } from "vitest";
import pkg from "../../../package.json" with { type: "json" };
import { publishedSchemas as schemas } from "../../../src/app/cli/published-schemas.ts";
import { sample, shareOf } from "../../support/full.ts";
import { cleanUp, harness, jsonLines } from "../../support/harness.ts";

afterAll(cleanUp);

describe("version and help", () => {
  test.each([["--version"], ["-V"], ["--version", "--help"]])("%s %s prints the version", async (...args) => {
    expect(await harness(args)).toEqual({ code: 0, stdout: `${pkg.version}\n`, stderr: "" });
  });

  test("--help goes to stdout, with examples and exit codes", async () => {
    const { code, stdout, stderr } = await harness(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: harness <command> \[options\]\n/);
    for (const word of ["derive", "agents", "schemas", "completion", "Examples:", "Exit codes:", "141"]) expect(stdout).toContain(word);
    expect(stdout).not.toMatch(/^ {2}complete /m);
  });

  test("no arguments: the help, on stderr, exit code 2", async () => {
    const { code, stdout, stderr } = await harness([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe((await harness(["--help"])).stdout);
  });

  test.each([[["derive"]], [["agents"]], [["agents", "list"]], [["schemas"]], [["completion"]]])(
    "%j: three ways to its help",
    async (path) => {
      const asked = await harness([...path, "--help"]);
      expect(asked.code).toBe(0);
      expect(asked.stdout).toContain("Examples:");
      expect(await harness([...path, "-h"])).toEqual(asked);
      expect(await harness(["help", ...path])).toEqual(asked);
    },
  );

  test.each([
    [["schemas", "actvity"], `There is no schema called "actvity". Did you mean activity? Known: ${Object.keys(schemas).join(", ")}.`],
    [["schemas", "constructor"], `There is no schema called "constructor". Known: ${Object.keys(schemas).join(", ")}.`],
  ])("%j: %s", async (args, sentence) => {
    expect(await harness(args)).toEqual({ code: 2, stdout: "", stderr: `harness: ${sentence}\n` });
  });
});

describe("agents", () => {
  test.each([[["agents"]], [["agents", "list"]], [["agents", "--json"]], [["agents", "list", "--json"]]])(
    "%j: one JSON object per line in a pipe",
    async (args) => {
      const { code, stdout, stderr } = await harness(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const rows = jsonLines(stdout);
      expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(["claude", "codex", "generic"]));
      expect(rows[0]).toEqual({
        id: "claude",
        title: "Claude Code",
        aliases: ["claude-code"],
        binaries: ["claude"],
        seen: expect.stringMatching(/^\d+\./),
        installed: rows[0]?.["installed"] === null ? null : expect.stringMatching(/^\//),
      });
      for (const row of rows) expect(Object.keys(row)).toEqual(["id", "title", "aliases", "binaries", "seen", "installed"]);
    },
  );
});

describe("schemas", () => {
  test("lists name, version and title", async () => {
    const { code, stdout } = await harness(["schemas"]);
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toEqual(
      Object.keys(schemas).map((name) => ({
        name,
        version: expect.stringMatching(/^\d+\.\d+$/),
        title: expect.any(String),
      })),
    );
  });

  const all = Object.keys(schemas);
  const some = sample(all, 3);

  test.each(some)(`prints %s as JSON Schema (${shareOf(some, all)})`, async (name) => {
    const { code, stdout } = await harness(["schemas", name]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema" });
  });
});

test("--version does not load the program", async () => {
  const loaded = async (...args: string[]) => (await harness(args, { env: { NODE_DEBUG: "esm" } })).stderr.match(/cli\/chunks\//g) ?? [];
  expect(await loaded("--help")).not.toEqual([]);
  expect(await loaded("--version")).toEqual([]);
});
