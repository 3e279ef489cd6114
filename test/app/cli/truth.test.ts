import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanUp, directory, harness, hasTerminal, terminal } from "../../support/harness.ts";
import { LONG_MS } from "../../support/place.ts";

afterAll(cleanUp);

/** Observes a program that prints this answer in Claude Code's format and does nothing. */
async function observed(answer: string, ...options: readonly string[]) {
  const folder = directory();
  const program = join(folder, "agent.mjs");
  const line = JSON.stringify({ type: "result", subtype: "success", is_error: false, result: answer, session_id: "s" });
  writeFileSync(program, `console.log(${JSON.stringify(line)});\n`);
  const env = { XDG_DATA_HOME: join(folder, "data") };
  const who = ["--command", `${process.execPath} ${program}`, "--like", "claude", "--prompt", "Go.", "--wrap", "npm,git"];
  return { env, ...(await harness(["observe", ...who, "--out", join(folder, "out"), ...options], { env })) };
}

const LIE = "All tests pass.";

describe("T1", () => {
  test("observe --fail-on contradiction exits with 1 if the report is contradicted", { timeout: LONG_MS }, async () => {
    const { code, stderr } = await observed(LIE, "--fail-on", "contradiction,check");
    expect(code, stderr).toBe(1);
    expect(stderr).toContain("The agent's report is contradicted");
    expect((await observed("The sum is wrong.", "--fail-on", "contradiction,check")).code).toBe(0);
  });

  test("without it only a failed check counts, and with it alone no check does", { timeout: LONG_MS }, async () => {
    expect((await observed(LIE)).code).toBe(0);
    expect((await observed(LIE, "--checks", "truth.consistent")).code).toBe(1);
    expect((await observed("🎉", "--checks", "style.no_emojis", "--fail-on", "contradiction")).code).toBe(0);
  });

  test.each(["nonsense", "", "check,other"])("--fail-on %j is rejected in one sentence", async (kinds) => {
    const { code, stderr } = await observed(LIE, "--fail-on", kinds);
    expect(code).toBe(2);
    expect(stderr).toContain("Pass check, contradiction, or both, separated by a comma.");
  });

  test.skipIf(!hasTerminal)("--view truth is readable in a terminal, and JSON in a pipe or with --json", { timeout: LONG_MS }, async () => {
    const { env } = await observed(LIE);
    const { text } = await terminal(["derive", "last", "--view", "truth"], env);
    expect(text).toContain("contradicted");
    expect(text).toContain("no test run");
    expect(text).not.toContain('"verdict"');
    const json = (await terminal(["derive", "last", "--view", "truth", "--json"], env)).text;
    expect(JSON.parse(json.trim())).toMatchObject({ verdict: "contradicted", total: 1 });
    const piped = await harness(["derive", "last", "--view", "truth"], { env });
    expect(JSON.parse(piped.stdout)).toMatchObject({ verdict: "contradicted" });
  });
});
