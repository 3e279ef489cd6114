import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import type { View } from "../../../src/pure/pipeline/view.ts";
import type { Capture } from "../../../src/pure/views/capture/schema.ts";
import { capture } from "../../../src/pure/views/capture/view.ts";
import { conversation } from "../../../src/pure/views/conversation/view.ts";
import { markdownOf } from "../../../src/pure/views/markdown/view.ts";
import { stream } from "../../../src/pure/views/stream/view.ts";
import { summaryOf } from "../../../src/pure/views/summary/view.ts";
import { sideFold } from "../../../src/work/evaluate/compare/read-sides.ts";
import { capturesOf } from "../../../src/work/evaluate/results/captures-of.ts";
import { mergeTurns } from "../../../src/work/evaluate/running/merge-turns.ts";

/** Specification 004 to the letter, for agents that speak the Agent Client Protocol. */

const NAMED = { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, agentInfo: { name: "my-agent", version: "3" } } };
const OPENED = { jsonrpc: "2.0", id: 1, result: { sessionId: "s" } };
const DONE = { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } };
const update = (update: object) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
const call = (fields: object) => update({ sessionUpdate: "tool_call", toolCallId: "c", ...fields });
const more = (fields: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "c", ...fields });

function viewed<Out extends object>(view: View<Out>, lines: readonly (readonly [at: number, line: object])[]): Out[] {
  const run = pipeline(agents.acp, view, { startedAt: 1000, cwd: "/workspace", prompt: "Go." }, decode);
  const all = [[0, NAMED] as const, [1, OPENED] as const, ...lines, [900, DONE] as const];
  const out = all.flatMap(([at, line]) => [...run.bytes("stdout", Buffer.from(`${JSON.stringify(line)}\n`), 1000 + at)]);
  out.push(...run.exit({ type: "exit", at: 2000, exitCode: 0, signal: null, durationMs: 1000 }));
  return [...out, ...run.end(2000)];
}

function captured(...lines: readonly (readonly [at: number, line: object])[]): Capture {
  const [only] = viewed(capture, lines);
  if (only === undefined) throw new Error("no capture");
  return only;
}

describe("W1: a call over the Agent Client Protocol", () => {
  test("W1: its name is the title", () => {
    const { trajectory } = captured(
      [10, call({ title: "My Tool", kind: "other", status: "in_progress" })],
      [30, more({ status: "completed" })],
    );
    expect(trajectory).toEqual([
      { type: "tool_call", name: "My Tool", status: "completed", duration: 20, timestamp: 10, stepId: "run-step-1" },
    ]);
  });

  test("W1: the tool's own name stands next to the title, and the summary counts tools", () => {
    const meta = { _meta: { claudeCode: { toolName: "Read" } } };
    const record = captured(
      [10, call({ title: "Read a.txt", kind: "read", status: "pending", rawInput: { file_path: "a.txt" }, ...meta })],
      [30, more({ status: "completed", rawOutput: "text" })],
      [40, call({ toolCallId: "d", title: "My Tool", kind: "other", status: "completed" })],
    );
    expect(record.trajectory).toMatchObject([
      { name: "Read a.txt", tool: "Read", input: { file_path: "a.txt" }, output: "text" },
      { name: "My Tool" },
    ]);
    expect(record.trajectory[1]).not.toHaveProperty("tool");
    expect(summaryOf(record).toolCalls).toEqual(["Read", "My Tool"]);
  });

  test.for([[{ stdout: "x", code: 0 }], [{ output: "x", metadata: { lines: 1 } }], [[{ type: "text", text: "x" }]], [{}], ["x"]])(
    "W1: its raw output %j is kept verbatim",
    ([rawOutput]) => {
      const lines = [[10, call({ title: "T", status: "in_progress" })] as const, [30, more({ status: "completed", rawOutput })] as const];
      expect(captured(...lines).trajectory).toMatchObject([{ output: rawOutput }]);
      expect(viewed(stream, lines).find(({ type }) => type === "ToolEnd")).toMatchObject({ success: true });
    },
  );

  test("W1: without a raw output, the displayed text is the output", () => {
    const content = [{ type: "content", content: { type: "text", text: "shown" } }];
    const { trajectory } = captured([10, call({ title: "T", status: "in_progress" })], [30, more({ status: "completed", content })]);
    expect(trajectory).toMatchObject([{ output: "shown" }]);
  });

  test("W1: no input is invented, in any view", () => {
    const lines = [
      [10, call({ title: "Editing files", kind: "edit", status: "in_progress", locations: [{ path: "/workspace/a" }] })] as const,
      [30, more({ status: "completed" })] as const,
    ];
    expect(captured(...lines).trajectory[0]).not.toHaveProperty("input");
    expect(viewed(conversation, lines).find(({ type }) => type === "tool_call")).toMatchObject({ name: "edit", input: null });
    expect(viewed(stream, lines).find(({ type }) => type === "ToolStart")).toMatchObject({ input: "null" });
  });

  test("W1: its duration runs from its first mention, also without an input", () => {
    const { trajectory } = captured(
      [10, call({ title: "Slow", kind: "other", status: "pending" })],
      [60, more({ status: "in_progress" })],
      [250, more({ status: "completed" })],
    );
    expect(trajectory).toMatchObject([{ name: "Slow", timestamp: 10, duration: 240 }]);
  });

  test("W1: plan entries are kept verbatim", () => {
    const entries = [
      { content: "Read", priority: "high", status: "completed" },
      { content: "Write", priority: "low", status: "pending", _meta: { a: 1 } },
    ];
    const record = captured([10, update({ sessionUpdate: "plan", entries })]);
    expect(record.trajectory).toMatchObject([{ type: "plan", entries }]);
    expect(markdownOf(record)).toContain("1. [PLAN] completed: Read; pending: Write [->run-step-1]");
  });

  test("W1: metadata.agent is the agent's own name", () => {
    expect(captured().metadata).toEqual({ agent: "my-agent" });
    const side = sideFold("results.jsonl");
    const line = { id: "a", agent: "acp", metadata: { agent: "my-agent" }, output: "" };
    side.add(line);
    expect(side.sides().map(({ label }) => label)).toEqual(["my-agent"]);
    side.add({ id: "b", agent: "acp", metadata: { agent: "acp" }, output: "" }); // it crashed before it said its name
    expect(side.sides()).toMatchObject([{ label: "my-agent", trials: 2 }]);
    side.add({ ...line, metadata: { agent: "other" } });
    expect(side.sides().map(({ label }) => label)).toEqual(["acp"]);
  });
});

describe("W2: results of earlier tools", () => {
  const LINE = {
    id: "test-001",
    input: "Create a button",
    output: "Done",
    trajectory: [
      { type: "thought", content: "Hm", timestamp: 1 },
      { type: "plan", entries: [{ content: "Read", priority: "high", status: "completed" }, "Write", { odd: 1 }, null], timestamp: 2 },
      { type: "plan", entries: [{ text: "Old", status: "pending" }, { step: "No status" }], timestamp: 3 },
      { type: "tool_call", name: "Write\nfile", status: "completed", timestamp: 4 },
    ],
    metadata: {},
    timing: { start: 0, end: 10 },
    toolErrors: false,
  };

  test("W2: Markdown has the step ids that the specification defines, and no undefined", () => {
    const [record] = capturesOf(LINE);
    const page = record === undefined ? "" : markdownOf(record);
    expect(page).not.toContain("undefined");
    expect(page.split("\n").slice(5, 9)).toEqual([
      "1. [THOUGHT] Hm [->test-001-step-1]",
      '2. [PLAN] completed: Read; Write; {"odd":1}; null [->test-001-step-2]',
      "3. [PLAN] pending: Old; No status [->test-001-step-3]",
      "4. [TOOL:Write file] -> completed [->test-001-step-4]",
    ]);
  });

  test.for([
    [
      {
        ...LINE,
        trajectory: [{ type: "plan", timestamp: 1 }, { type: "message", timestamp: 1 }, { type: "tool_call" }, { type: "new" }, null],
      },
    ],
    [{ id: "test-001", trajectory: "none" }],
  ])("W2: a damaged trajectory is summarized as far as it goes (%#)", ([line]) => {
    for (const record of capturesOf(line as typeof LINE)) {
      expect(markdownOf(record)).not.toContain("undefined");
      expect(summaryOf(record).toolCalls.every((name) => typeof name === "string")).toBe(true);
    }
  });
});

test("O3: a call whose request is complete only later stands where it began, with that time", () => {
  const say = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  const { trajectory } = captured(
    [10, call({ title: "Slow Tool", kind: "other", status: "pending" })],
    [20, say("Meanwhile.")],
    [30, update({ sessionUpdate: "plan", entries: [] })],
    [40, more({ status: "in_progress", rawInput: { a: 1 } })],
    [50, more({ status: "completed" })],
  );
  expect(trajectory).toMatchObject([
    { type: "tool_call", timestamp: 10, duration: 40, stepId: "run-step-1" },
    { type: "message", timestamp: 20, stepId: "run-step-2" },
    { type: "plan", timestamp: 30, stepId: "run-step-3" },
  ]);
});

describe("O3: a conversation of several turns", () => {
  const turn = (start: number, ...times: readonly number[]): Capture => ({
    id: "c",
    input: "Go.",
    output: `${start}`,
    trajectory: times.map((timestamp, i) => ({ type: "message", content: `${i}`, timestamp, stepId: `c-step-${i + 1}` })),
    metadata: {},
    timing: { start, end: start + 100, ...(times[0] === undefined ? {} : { firstResponse: times[0] }) },
    toolErrors: false,
  });

  test("O3: steps are in the order of their beginnings, with times since the first start", () => {
    const merged = mergeTurns([turn(1000, 10, 50), turn(1200, 5, 5, 70)], "c");
    expect(merged?.trajectory.map(({ timestamp }) => timestamp)).toEqual([10, 50, 205, 205, 270]);
    expect(merged?.trajectory.map(({ stepId }) => stepId)).toEqual([1, 2, 3, 4, 5].map((n) => `c-step-${n}`));
    expect(merged).toMatchObject({ output: "1200", timing: { start: 1000, end: 1300, firstResponse: 10 } });
  });

  test("O3: a clock that was set back does not turn the order around", () => {
    const merged = mergeTurns([turn(1000, 10, 50), turn(400, 5, 70)], "c");
    expect(merged?.trajectory.map(({ timestamp }) => timestamp)).toEqual([10, 50, 50, 50]);
    expect(merged?.timing).toEqual({ start: 1000, end: 1050, firstResponse: 10 });
  });

  test("O8: the first response may come in a later turn", () => {
    expect(mergeTurns([turn(1000), turn(1200, 5)], "c")?.timing).toMatchObject({ firstResponse: 205 });
  });
});
