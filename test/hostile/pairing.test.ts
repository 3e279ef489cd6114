import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agents } from "../../src/agents/index.ts";
import { activity } from "../../src/views/activity.ts";
import { log } from "../../src/views/log.ts";
import { feed } from "../support/fixtures.ts";

/** Case 32: ends before starts, doubled ids, calls that never end. Every call is told once, whatever its lines do. */

const ids = fc.constantFrom("a", "b", "__proto__");
const claudeLine = fc.oneof(
  ids.map((id) => ({
    type: "assistant",
    message: { id: "m", content: [{ type: "tool_use", id, name: "Bash", input: { command: "make" } }] },
  })),
  ids.map((id) => ({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: "CANARY" }] } })),
);
const codexLine = fc.tuple(ids, fc.constantFrom("item.started", "item.updated", "item.completed")).map(([id, type]) => ({
  type,
  item: { id, type: "command_execution", command: "make", aggregated_output: "CANARY", exit_code: type === "item.completed" ? 0 : null },
}));

describe.each([
  ["claude", claudeLine],
  ["codex", codexLine],
] as const)("%s", (id, line) => {
  test("every start has an end, every end a start, and no contents get out", () => {
    fc.assert(
      fc.property(fc.array<unknown>(line, { maxLength: 12 }), (lines) => {
        const input = Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
        const open = new Set<string>();
        for (const event of feed(agents[id], log, [input])) {
          if (event.type === "tool-start") open.add(event.callId);
          if (event.type !== "tool-end") continue;
          expect(open.delete(event.callId)).toBe(true);
        }
        expect([...open]).toEqual([]);
        expect(JSON.stringify(feed(agents[id], activity, [input]))).not.toContain("CANARY");
      }),
      { numRuns: 2_000 },
    );
  });

  test("a call that never ended is told without a verdict", () => {
    const started = {
      claude: {
        type: "assistant",
        message: { id: "m", content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: "make" } }] },
      },
      codex: { type: "item.started", item: { id: "t", type: "command_execution", command: "make", status: "in_progress" } },
    }[id];
    const [event] = feed(agents[id], activity, [Buffer.from(`${JSON.stringify(started)}\n`)]);
    expect(event).toMatchObject({ type: "command", command: "make" });
    expect(event).not.toHaveProperty("isSuccess");
  });
});
