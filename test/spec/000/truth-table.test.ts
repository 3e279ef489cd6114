import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { EPOCH, linesOf, loadFixtures, replay } from "../../support/fixtures.ts";

/**
 * Exit codes that lie: how real CLIs end in the same situation, and the resulting status. Every cell is a recording with its real exit
 * code. docs/explanation/status.md has the rules; test/pure/pipeline/truth-table.test.ts tests them one by one.
 */

type Cell = readonly [fixture: string, exit: number | string, status: string];

const table: Readonly<Record<string, readonly Cell[]>> = {
  success: [
    ["claude/full", 0, "completed"],
    ["codex/full", 0, "completed"],
    ["pi/full", 0, "completed"],
    ["pi/full-new", 0, "completed"],
    ["opencode/full", 0, "completed"],
    ["kilo/full-rg", 0, "completed"],
    ["cline/hello", 0, "completed"],
    ["gemini/full", 0, "completed"],
    ["goose/full", 0, "completed"],
  ],
  "HTTP 401": [
    ["claude/err-401", 1, "infrastructure"],
    ["codex/err-401", 1, "infrastructure"],
    ["pi/err-401", 0, "infrastructure"],
    ["pi/err-401-new", 0, "infrastructure"],
    ["opencode/err401", 1, "infrastructure"],
    ["kilo/err401", 1, "infrastructure"],
    ["cline/err401", 1, "infrastructure"],
    ["gemini/err401", 145, "infrastructure"],
    ["goose/err-401", 1, "infrastructure"],
  ],
  "HTTP 400": [
    ["claude/err-400", 1, "failed"],
    ["codex/err-400", 1, "failed"],
    ["pi/err-400", 0, "failed"],
    ["opencode/err-400", 1, "failed"],
    ["kilo/err-400", 1, "failed"],
    ["cline/err400", 1, "failed"],
    ["goose/err-400", 0, "failed"],
  ],
  "the context is too long": [
    ["claude/context-overflow", 1, "failed"],
    ["codex/context-exceeded", 1, "failed"],
    ["pi/context-exceeded", 0, "failed"],
    ["pi/context-exceeded-new", 0, "failed"],
    ["opencode/err400-context", "SIGKILL", "failed"], // it would have compacted forever
    ["cline/err400-context", 1, "failed"],
    ["gemini/err400-context", 144, "failed"],
    ["goose/context-limit", 0, "failed"],
  ],
  "the context was too long, was shortened, and the process still exits with 1": [
    ["opencode/overflow-recovered", 1, "failed"],
    ["kilo/overflow-recovered", 1, "failed"],
    ["pi/overflow-recovered-new", 0, "completed"], // this one exits with 0, and means it
  ],
  "HTTP 500 for ever": [
    ["claude/err-500", 1, "infrastructure"],
    ["codex/err-500", 1, "infrastructure"],
    ["pi/err-500", 0, "infrastructure"],
    ["pi/err-500-recover-new", 0, "infrastructure"],
    ["cline/err500", 1, "infrastructure"],
    ["gemini/always-500", 244, "infrastructure"],
    ["goose/err-500", 0, "infrastructure"],
  ],
  "HTTP 429 or 529 for ever": [
    ["claude/always-429", 1, "infrastructure"],
    ["codex/err-429", 1, "infrastructure"],
    ["pi/err-529-new", 0, "infrastructure"],
    ["cline/err429-always", 1, "infrastructure"],
    ["gemini/err429-quota", 173, "infrastructure"],
    ["goose/err-429", 0, "infrastructure"],
  ],
  "the stream is cut, and stays cut": [
    ["claude/stream-cut-always", 1, "infrastructure"],
    ["codex/stream-cut-always", 1, "infrastructure"],
    ["pi/cut-mid-text", 0, "infrastructure"],
    ["pi/cut-mid-text-new", 0, "infrastructure"],
    ["kilo/cut-text", 1, "infrastructure"],
    ["cline/cut-text", 1, "infrastructure"],
    ["gemini/cut-text", 1, "infrastructure"],
    ["goose/cut-text", 0, "infrastructure"],
  ],
  "the stream is cut once, and asked for again": [
    ["claude/cut-mid-text", 0, "completed"],
    ["codex/cut-then-recover", 0, "completed"],
    ["pi/cut-then-recover", 0, "completed"],
    ["opencode/cut-text", 0, "completed"],
  ],
  "an error frame in the stream": [
    ["codex/overloaded", 1, "infrastructure"],
    ["goose/error-frame", 0, "infrastructure"],
    ["cline/error-in-stream", 1, "failed"],
  ],
  "the answer is empty": [
    ["opencode/empty", 0, "failed"],
    ["kilo/empty", 1, "failed"],
    ["cline/empty-answer", 1, "failed"],
    ["gemini/empty", 0, "completed"], // empty once: it asks again
    ["gemini/empty-always", 0, "failed"],
    ["goose/empty", 0, "failed"],
  ],
  "the model refuses, or its provider does": [
    ["claude/refusal", 1, "failed"],
    ["codex/refusal", 1, "failed"],
    ["pi/refusal", 0, "failed"],
    ["opencode/content-filter", 1, "failed"],
    ["gemini/answer-blocked", 0, "failed"],
    ["goose/refusal", 0, "failed"],
  ],
  "a call that is not JSON ends the turn": [["gemini/invalid-json", 0, "failed"]],
  "the output limit": [
    ["claude/output-limit", 0, "completed"], // it asks for the rest
    ["codex/output-limit", 1, "failed"],
    ["pi/max-tokens", 0, "completed"],
    ["pi/max-tokens-new", 0, "completed"],
    ["opencode/length", 0, "completed"],
    ["cline/length", 0, "completed"],
    ["gemini/length", 0, "completed"],
    ["goose/length", 0, "completed"],
  ],
  "a permission is denied, and no user is there": [
    ["claude/permission-denied", 0, "blocked"],
    ["opencode/deny", 0, "blocked"],
    ["kilo/no-auto", 1, "blocked"],
    ["cline/no-approve", 0, "blocked"],
    ["gemini/tools-withheld", 0, "blocked"],
    ["goose/approval-required", 1, "blocked"],
    ["pi/blocked", 0, "blocked"], // by an extension: it has no permission system
    ["pi/blocked-new", 0, "blocked"],
  ],
  // X3: the tools are withheld, or the denial is only on stderr. Cline and the agents over ACP report it as a permission.
  "writing is denied by read-only permissions, and the agent answers": [
    ["claude/read-only", 0, "blocked"],
    ["codex/read-only", 0, "blocked"],
    ["goose/read-only", 0, "blocked"],
    ["kilo/read-only", 0, "blocked"],
    ["opencode/read-only", 0, "blocked"],
    ["pi/read-only", 0, "blocked"],
    ["gemini/tools-withheld", 0, "blocked"],
    ["cline/no-approve", 0, "blocked"],
  ],
  "an unknown model": [
    ["claude/bad-model", 1, "failed"],
    ["codex/full-unknown-model", 0, "completed"], // an advisory error; the run continues
    ["pi/bad-model", 0, "completed"],
    ["opencode/bad-model", 1, "failed"],
    ["kilo/bad-model", 1, "failed"],
    ["gemini/err404-model", 1, "failed"],
  ],
  "an unknown provider, a bad configuration": [
    ["codex/bad-config", 1, "failed"],
    ["pi/no-models", 1, "failed"],
    ["cline/bad-provider", 1, "failed"],
    ["goose/unknown-provider", 1, "failed"],
  ],
  "no credentials": [
    ["claude/no-key", 1, "infrastructure"],
    ["codex/no-key", 1, "infrastructure"],
    ["gemini/no-auth", 41, "infrastructure"],
  ],
  SIGTERM: [
    ["claude/sigterm", 143, "canceled"],
    ["codex/sigterm", "SIGTERM", "canceled"],
    ["pi/sigterm", 143, "canceled"],
    ["pi/sigterm-new", 143, "canceled"],
    ["opencode/sigterm-stream", "SIGTERM", "canceled"],
    ["kilo/sigterm-stream", "SIGTERM", "canceled"],
    ["cline/sigterm-stream", "SIGKILL", "crashed"], // it ignored the first signal; nothing here says that the second was requested
    ["cline/sigterm-tool", 0, "canceled"],
    ["gemini/sigterm-group", 0, "failed"], // exit 0 without a result
    ["goose/sigterm-stream", "SIGTERM", "canceled"],
  ],
  SIGINT: [
    ["claude/sigint", 0, "canceled"],
    ["opencode/sigint", "SIGINT", "canceled"],
    ["kilo/sigint", "SIGINT", "canceled"],
    ["cline/sigint-stream", 0, "failed"],
    ["gemini/sigint-tool", 0, "failed"],
    ["goose/sigint-stream", 1, "canceled"],
  ],
  "its output is lost at the end": [["gemini/big-output", 0, "failed"]],
};

const fixtures = new Map(loadFixtures().map((fixture) => [fixture.name, fixture]));
const cells = Object.entries(table).flatMap(([situation, row]) => row.map((cell) => [situation, ...cell] as const));

describe("exit codes that lie", () => {
  test.each(cells)("%s: %s exits with %s and is %s", (_, name, exit, status) => {
    const fixture = fixtures.get(name);
    if (fixture === undefined) throw new Error(`There is no fixture ${name}.`);
    expect(fixture.signal ?? fixture.exitCode).toBe(exit);
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
