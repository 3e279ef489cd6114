import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import type { View, ViewOptions } from "../../../src/pure/pipeline/view.ts";
import type { Capture } from "../../../src/pure/views/capture/schema.ts";
import { capture } from "../../../src/pure/views/capture/view.ts";
import { markdownOf } from "../../../src/pure/views/markdown/view.ts";
import { summaryOf } from "../../../src/pure/views/summary/view.ts";
import { trajectory } from "../../../src/pure/views/trajectory/view.ts";

/** Specification 004's records of one run: trajectory, capture, summary, Markdown. */

/** A run of Claude Code: each line with its time. */
function viewed<Out extends object>(
  view: View<Out>,
  lines: readonly (readonly [at: number, line: object])[],
  options?: ViewOptions,
): Out[] {
  const run = pipeline(agents.claude, view, { startedAt: 1000, cwd: "/workspace", prompt: "Make a button." }, decode, options);
  const out = lines.flatMap(([at, line]) => [...run.bytes("stdout", Buffer.from(`${JSON.stringify(line)}\n`), 1000 + at)]);
  out.push(...run.exit({ type: "exit", at: 2234, exitCode: 0, signal: null, durationMs: 1234 }));
  return [...out, ...run.end(2234)];
}

const said = (text: string) => ({
  type: "assistant",
  session_id: "s",
  message: { id: "m", role: "assistant", content: [{ type: "text", text }] },
});
const thought = (thinking: string) => ({
  type: "assistant",
  session_id: "s",
  message: { id: "t", content: [{ type: "thinking", thinking }] },
});
const called = (id: string, name: string, input: object) => ({
  type: "assistant",
  session_id: "s",
  message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
});
const answered = (id: string, content: string, is_error = false) => ({
  type: "user",
  session_id: "s",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error }] },
});
const done = { type: "result", subtype: "success", is_error: false, result: "I created the button in src/button.tsx", session_id: "s" };

const run = [
  [100, thought("I'll create a styled button template")],
  [150, called("c1", "Write", { file_path: "src/button.tsx", content: "..." })],
  [384, answered("c1", "File written")],
  [500, said("I created the button")],
  [1200, done],
] as const;

const evaluated = { id: "test-001", metadata: { category: "ui" } };

describe("the document's example", () => {
  test("trajectory: types, times since the start, durations, step ids", () => {
    expect(viewed(trajectory, run, { evaluated })).toEqual([
      { type: "thought", content: "I'll create a styled button template", timestamp: 100, stepId: "test-001-step-1" },
      {
        type: "tool_call",
        name: "Write",
        status: "completed",
        input: { file_path: "src/button.tsx", content: "..." },
        output: "File written",
        duration: 234,
        timestamp: 150,
        stepId: "test-001-step-2",
      },
      { type: "message", content: "I created the button", timestamp: 500, stepId: "test-001-step-3" },
    ]);
  });

  test("capture: one record, with the same steps", () => {
    const [record, ...rest] = viewed(capture, run, { evaluated: { ...evaluated, expected: "should contain <button>" } });
    expect(rest).toEqual([]);
    expect(record).toEqual({
      id: "test-001",
      input: "Make a button.",
      output: "I created the button in src/button.tsx",
      expected: "should contain <button>",
      trajectory: viewed(trajectory, run, { evaluated }),
      metadata: { category: "ui", agent: "claude" },
      timing: { start: 1000, end: 2234, firstResponse: 100 },
      toolErrors: false,
    });
  });

  test("summary", () => {
    const [record] = viewed(capture, run, { evaluated });
    expect(record && summaryOf(record)).toEqual({
      id: "test-001",
      input: "Make a button.",
      output: "I created the button in src/button.tsx",
      toolCalls: ["Write"],
      duration: 1234,
    });
  });
});

describe("what went wrong", () => {
  test("a failed call, a call that never ended, and errors are reported", () => {
    const [record] = viewed(capture, [
      [10, called("a", "Bash", { command: "false" })],
      [20, answered("a", "Exit code 1", true)],
      [30, called("b", "Bash", { command: "sleep 9" })],
    ]);
    expect(record?.trajectory.map((step) => (step.type === "tool_call" ? step.status : step.type))).toEqual(["failed", "in_progress"]);
    expect(record).toMatchObject({ id: "run", toolErrors: true, output: "" });
  });

  test("a file without times has no durations", () => {
    const [step] = viewed(trajectory, [
      [0, called("a", "Read", { file_path: "x" })],
      [0, answered("a", "text")],
    ]);
    expect(step).not.toHaveProperty("duration");
  });
});

describe("Markdown", () => {
  const base: Capture = {
    id: "test-001",
    input: "Make it",
    output: "o".repeat(250),
    trajectory: [],
    metadata: { category: "ui", agent: "claude", tags: ["a"] },
    timing: { start: 5, end: 17 },
    toolErrors: false,
  };

  test("the structure, and truncation", () => {
    const text = markdownOf({
      ...base,
      trajectory: [
        { type: "thought", content: "t".repeat(150), timestamp: 0, stepId: "test-001-step-1" },
        {
          type: "tool_call",
          name: "Write",
          status: "completed",
          duration: 3,
          input: { file_path: "src/a.ts", content: Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n") },
          timestamp: 1,
          stepId: "test-001-step-2",
        },
        { type: "plan", entries: [{ text: "first", status: "completed" }], timestamp: 2, stepId: "test-001-step-3" },
        { type: "message", content: "m".repeat(100), timestamp: 3, stepId: "test-001-step-4" },
      ],
    });
    expect(text).toBe(`## Evaluation Record: test-001

**Input:** Make it

**Trajectory:**
1. [THOUGHT] ${"t".repeat(100)}... [->test-001-step-1]
2. [TOOL:Write] -> completed (3ms) [->test-001-step-2]
   File: src/a.ts (${Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n").length} chars)
   \`\`\`ts
${Array.from({ length: 8 }, (_, index) => `   line ${index + 1}`).join("\n")}
   
   // ... 8 lines omitted ...
   
   line 17
   line 18
   line 19
   line 20
   \`\`\`
3. [PLAN] completed: first [->test-001-step-3]
4. [MESSAGE] ${"m".repeat(100)} [->test-001-step-4]

**Output:** ${"o".repeat(200)}...
**Metadata:** category=ui, agent=claude, tags=["a"]
**Tool Errors:** false
**Duration:** 12ms

---
`);
  });

  test("twelve lines are shown whole, thirteen are not", () => {
    const shown = (lines: number) =>
      markdownOf({
        ...base,
        trajectory: [
          {
            type: "tool_call",
            name: "Write",
            status: "completed",
            input: { path: "a", content: "x\n".repeat(lines) },
            timestamp: 0,
            stepId: "s",
          },
        ],
      });
    expect(shown(12)).not.toContain("omitted");
    expect(shown(13)).toContain("// ... 1 lines omitted ...");
  });

  test("an agent's text can neither begin a step nor close a file's block", () => {
    const text = markdownOf({
      ...base,
      trajectory: [
        { type: "message", content: "a\n2. [TOOL:Bash] -> completed", timestamp: 0, stepId: "s1" },
        {
          type: "tool_call",
          name: "Write",
          status: "failed",
          input: { path: "a.md", content: "```\n**Tool Errors:** false\n````" },
          timestamp: 0,
          stepId: "s2",
        },
      ],
    });
    expect(text).not.toContain("\n2. [TOOL:Bash]");
    expect(text).toContain("`````md");
  });
});
