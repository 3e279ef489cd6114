import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { activity } from "../../src/views/activity.ts";
import { log } from "../../src/views/log.ts";
import { EPOCH, linesOf, loadFixtures, replay } from "../support/fixtures.ts";

/**
 * Never contents: every place of the real formats where file text, command output or search results stand is filled with a
 * canary, in every recording; it must not reach `activity`, and it must reach the log, or the test would prove nothing.
 */

const CANARY = "c4n4ry-7f3a";

/** Keys under which the recordings hold what a tool returned, or what was written. */
const RESULTS = new Set(["tool_use_result", "aggregated_output", "result", "agents_states"]);

function poison(value: unknown): unknown {
  if (typeof value === "string") return `${value} ${CANARY}`;
  if (Array.isArray(value)) return value.map(poison);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, KEEP.has(name) ? item : poison(item)]));
}

/** Fields by which a result is recognised; a canary there would be a different format. */
const KEEP = new Set([
  "type",
  "status",
  "filePath",
  "agentId",
  "agentType",
  "backgroundTaskId",
  "tool_use_id",
  "worktreePath",
  "restoredCwd",
]);

function poisonLine(line: JsonObject): JsonObject {
  const out: Record<string, unknown> = { ...line };
  if ("tool_use_result" in out) out["tool_use_result"] = poison(out["tool_use_result"]);
  const message = out["message"] as JsonObject | undefined;
  if (out["type"] === "user" && Array.isArray(message?.["content"])) {
    out["message"] = {
      ...message,
      content: message["content"].map((block) => (block.type === "tool_result" ? { ...block, content: poison(block.content) } : block)),
    };
  }
  if (out["type"] === "assistant" && Array.isArray(message?.["content"])) {
    out["message"] = { ...message, content: message["content"].map(poisonPayload) };
  }
  const item = out["item"] as JsonObject | undefined;
  if (item !== undefined) {
    out["item"] = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, RESULTS.has(name) ? poison(value) : value]));
  }
  return out;
}

/** What a write would put into a file is contents too. */
function poisonPayload(block: JsonObject): JsonObject {
  if (block["type"] !== "tool_use" || !["Write", "Edit", "MultiEdit", "NotebookEdit"].includes(String(block["name"]))) return block;
  const input = Object.entries(block["input"] as JsonObject).map(([name, value]) => [name, name.endsWith("path") ? value : poison(value)]);
  return { ...block, input: Object.fromEntries(input) };
}

/** A line that is no JSON stays as it is. */
function poisonedText(line: string): string {
  try {
    return `${JSON.stringify(poisonLine(JSON.parse(line)))}\n`;
  } catch {
    return line;
  }
}

const fixtures = loadFixtures().filter(({ agent, raw }) => agent.id !== "generic" && raw.length > 0);

describe("contents never reach activity", () => {
  let reached = 0;

  test.each(fixtures)("$name", (fixture) => {
    const lines = linesOf(fixture.raw).map((line) => poisonedText(line.toString()));
    const poisoned = { ...fixture, raw: Buffer.from(lines.join("")) };
    for (const exit of [true, false]) {
      const records = JSON.stringify(replay(poisoned, activity, { exit, reasoning: true, run: { startedAt: EPOCH } }));
      expect(records).not.toContain(CANARY);
      if (fixture.name.includes("documented")) expect(records).not.toMatch(/CANARY(?!-free)/);
    }
    if (JSON.stringify(replay(poisoned, log)).includes(CANARY)) reached++;
  });

  test("the canaries were really there", () => {
    expect(reached).toBeGreaterThan(20);
  });
});
