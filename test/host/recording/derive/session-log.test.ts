import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { derive } from "../../../../src/host/recording/derive/derive.ts";
import type { Capture } from "../../../../src/pure/views/capture/schema.ts";
import { capture } from "../../../../src/pure/views/capture/view.ts";
import { conversation } from "../../../../src/pure/views/conversation/view.ts";
import { result } from "../../../../src/pure/views/result/view.ts";
import type { StreamRecord } from "../../../../src/pure/views/stream/schema.ts";
import { stream } from "../../../../src/pure/views/stream/view.ts";
import type { ViewId } from "../../../../src/pure/views/views.ts";
import { loadFixtures, replay } from "../../../support/fixtures.ts";

/** Specification 001: `replay` and `derive` accept a session log alone, in both spellings, and reject by name what it cannot support. */

const here = mkdtempSync(join(tmpdir(), "session-log-"));
afterAll(() => rmSync(here, { recursive: true }));

function logOf(records: readonly object[], name = "run.ndjson"): string {
  const path = join(here, name);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

async function derived(path: string, view?: ViewId, options = {}): Promise<Record<string, unknown>[]> {
  const out: Record<string, unknown>[] = [];
  for await (const record of derive(path, { ...(view === undefined ? {} : { view }), ...options })) out.push({ ...record });
  return out;
}

const fixtures = loadFixtures().filter(({ name }) => !/^(native|rlm)\//.test(name));

describe("a session log alone", () => {
  test.for(fixtures)("$name: gives the same stream, in both spellings", async (fixture) => {
    const records = replay<StreamRecord>(fixture, stream);
    expect(await derived(logOf(records))).toEqual(records);
    const snake = await derived(logOf(records), "stream", { case: "snake" });
    expect(snake.map(({ type }) => type)).not.toContain("SessionStart");
    expect(await derived(logOf(snake))).toEqual(records);
  });

  test("has the steps, answer and status of its run, at the recorded times", async () => {
    for (const name of ["claude/full", "codex/full", "gemini/full"]) {
      const fixture = fixtures.find((each) => each.name === name);
      if (fixture === undefined) throw new Error(name);
      const path = logOf(replay<StreamRecord>(fixture, stream));
      const [whole] = replay(fixture, capture);
      const [read] = (await derived(path, "capture")) as unknown as Capture[];
      expect(read?.output).toBe(whole?.output);
      const calls = (steps: Capture | undefined) => steps?.trajectory.filter(({ type }) => type === "tool_call");
      expect(calls(read)).toHaveLength(calls(whole)?.length ?? -1);
      expect((await derived(path, "result"))[0]).toMatchObject({ status: replay(fixture, result)[0]?.status });
      expect((await derived(path, "conversation")).at(-1)?.["type"]).toBe(replay(fixture, conversation).at(-1)?.type);
    }
  });

  const START = { type: "SessionStart", timestamp_ms: 1_700_000_000_000, session_id: "abc-123", agent: "claude", model: "m", cwd: "/p" };

  test("by another tool, with the document's records only", async () => {
    const path = logOf([
      START,
      { type: "TextDelta", timestamp_ms: 1_700_000_000_100, text: "I found " },
      { type: "TextDelta", timestamp_ms: 1_700_000_000_150, text: "it." },
      { type: "Message", timestamp_ms: 1_700_000_000_200, role: "assistant", text: "I found it." },
      { type: "ToolStart", timestamp_ms: 1_700_000_000_300, call_id: "c", tool_name: "read_file", input: '{"path": "src/main.rs"}' },
      { type: "ToolEnd", timestamp_ms: 1_700_000_000_400, call_id: "c", success: true, output: "fn main() {}" },
      { type: "Result", timestamp_ms: 1_700_000_005_000, success: true, text: "Done.", duration_ms: 5000, total_cost_usd: 0.05 },
    ]);
    expect(await derived(path, "trajectory")).toEqual([
      { type: "message", content: "I found it.", timestamp: 100, stepId: "run-step-1" },
      {
        type: "tool_call",
        name: "read_file",
        status: "completed",
        input: { path: "src/main.rs" },
        output: "fn main() {}",
        duration: 100,
        timestamp: 300,
        stepId: "run-step-2",
      },
    ]);
    expect(await derived(path, "result")).toMatchObject([{ status: "completed", durationMs: 5000 }]);
  });

  test.for(["activity", "decision", "truth"] as const)("does not support %s", (view) => {
    expect(() => derive(logOf([START]), { view })).toThrow(`A session log does not support the view ${view}: it does not record`);
  });

  test("an unreadable record is unknown, a torn one ends the run without a result", async () => {
    const path = logOf([START, { type: "Later", timestamp_ms: 1_700_000_000_001 }, { type: "TextDelta" }]);
    writeFileSync(path, '{"type":"Mess', { flag: "a" });
    const events = await derived(path, "log");
    expect(events.filter(({ type }) => type === "unknown")).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ type: "run-end", status: null });
  });

  test("another file is rejected, and an agent's output of that name is read with its agent", async () => {
    const path = logOf([{ type: "system", subtype: "init" }], "other.ndjson");
    await expect(derived(path)).rejects.toThrow("is not a session log: its first line is not a SessionStart record.");
    await expect(derived(logOf([], "empty.ndjson"))).rejects.toThrow("is not a session log");
    expect((await derived(path, "log", { agent: "claude" })).length).toBeGreaterThan(0);
  });
});
