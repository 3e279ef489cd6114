import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { EPOCH, linesOf, loadFixtures, replay } from "../../support/fixtures.ts";

/**
 * Exit codes that lie: how real CLIs end in the same situation, and the resulting status. The table is that of docs/explanation/status.md:
 * every cell is a recording with its real exit code. test/pure/pipeline/truth-table.test.ts tests the rules one by one.
 */

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/explanation/status.md"), "utf8");
const [, section = ""] = page.split("## Seen in recordings\n");
const cells = section
  .split("\n")
  .filter((line) => line.includes("| `"))
  .flatMap((row) => {
    const [, situation = "", recordings = "", status = ""] = row.split("|").map((cell) => cell.trim());
    return [...recordings.matchAll(/`([^`]+)` (\w+)/g)].map(
      ([, name = "", exit = ""]) => [situation, name, exit, status.slice(1, -1)] as const,
    );
  });

const fixtures = new Map(loadFixtures().map((fixture) => [fixture.name, fixture]));

describe("exit codes that lie", () => {
  test("the table is read, with every agent that has its own format", () => {
    expect(cells.length).toBeGreaterThan(120);
    const ids = new Set(cells.map(([, name]) => name.split("/")[0]));
    expect(ids).toEqual(new Set(["claude", "cline", "codex", "gemini", "goose", "kilo", "opencode", "pi"]));
  });

  test.each(cells)("%s: %s exits with %s and is %s", (_, name, exit, status) => {
    const fixture = fixtures.get(name);
    if (fixture === undefined) throw new Error(`There is no fixture ${name}.`);
    expect(String(fixture.signal ?? fixture.exitCode)).toBe(exit);
    const [verdict] = replay(fixture, result, { exit: true, stderr: true });
    expect(verdict).toMatchObject({ status });
  });

  /** OpenCode, Kilo and Gemini retry silently after HTTP 500, so we end them. */
  test.each(["opencode", "kilo", "gemini"] as const)("%s, silent until we end it, is not completed", (id) => {
    for (const stopped of ["timeout", "idle"] as const) {
      const line = pipeline(agents[id], result, { startedAt: EPOCH }, decode);
      line.exit({ type: "exit", at: EPOCH, exitCode: 0, signal: null, durationMs: 1, stopped });
      expect(line.end(EPOCH)).toMatchObject([{ status: stopped === "timeout" ? "timed_out" : "hung" }]);
    }
  });

  /** A stream that ends before its terminal record is not a success, whatever the exit code. */
  const terminal = [...fixtures.values()].filter(({ agent, raw }) => agent.terminal === true && raw.length > 0);
  test.each(terminal)("$name without its terminal record is not completed", (fixture) => {
    const claims = replay(fixture, log).filter((event) => event.type === "result");
    const [{ record } = { record: undefined }] = claims[0]?.from ?? [];
    if (claims.length !== 1 || record === undefined) return;
    const shorter = { ...fixture, raw: Buffer.concat(linesOf(fixture.raw).slice(0, record - 1)), exitCode: 0, signal: null };
    expect(replay(shorter, result)).not.toMatchObject([{ status: "completed" }]);
  });
});
