import { afterAll, describe, expect, test } from "vitest";
import { agent, cleanUp, jsonLines, LONG_MS, place } from "../../../support/place.ts";

afterAll(cleanUp);

/** The warnings of a run about its permissions, and what a check says about them. */
async function warnings(args: readonly string[]) {
  const where = place();
  const { stdout } = await where.harness(["run", "--prompt", "Go.", "--view", "log", ...args]);
  const found = jsonLines(stdout).filter(({ type, code }) => type === "warning" && String(code).startsWith("permissions-"));
  const { code } = await where.harness(["check", "last", "--checks", "scope.permissions"]);
  return { found: found.map(({ code: name, message }) => [name, message]), check: code };
}

const unasked = (...flags: readonly string[]) =>
  warnings(["--agent", "acp", ...flags, "--", agent("acp.mjs"), "acts-unasked", "cat a.txt", "make", "make all"]);

describe("X1: what an agent does beyond its level", () => {
  test("is a warning in the run, once, and a failed check", { timeout: LONG_MS }, async () => {
    const message = "The agent exceeded its permissions: bash succeeded in spite of permissions read-only.";
    expect(await unasked("--permissions", "read-only")).toEqual({ found: [["permissions-exceeded", message]], check: 1 });
  });

  test("or in spite of a rule", { timeout: LONG_MS }, async () => {
    const message = "The agent exceeded its permissions: bash succeeded in spite of deny make *.";
    expect(await unasked("--permissions", "full", "--deny", "make *")).toEqual({ found: [["permissions-exceeded", message]], check: 1 });
  });

  test("and nothing is reported if nothing was forbidden", { timeout: LONG_MS }, async () => {
    expect(await unasked("--permissions", "full")).toEqual({ found: [], check: 0 });
  });
});

describe("X1: what an agent cannot enforce", () => {
  const generic = (...flags: readonly string[]) => warnings(["--agent", "generic", ...flags, "--command", `'${agent("says.mjs")}' Hello`]);

  test("is a warning in the run", { timeout: LONG_MS }, async () => {
    const { found } = await generic("--permissions", "read-only", "--deny", "rm *");
    expect(found).toEqual([
      ["permissions-ignored", "Any command does not support `deny`; it is ignored."],
      ["permissions-ignored", "Any command does not support `permissions`; it is ignored."],
    ]);
  });

  test("but not that nothing is held back at full", { timeout: LONG_MS }, async () => {
    expect((await generic("--permissions", "full")).found).toEqual([]);
  });
});
