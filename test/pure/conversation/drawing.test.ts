import { describe, expect, test } from "vitest";
import { collapse } from "../../../src/pure/conversation/collapse.ts";
import { graphDot } from "../../../src/pure/conversation/drawing/graph-dot.ts";
import { graphMermaid } from "../../../src/pure/conversation/drawing/graph-mermaid.ts";
import { graphSvg } from "../../../src/pure/conversation/drawing/graph-svg.ts";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import { layout } from "../../../src/pure/conversation/layout.ts";
import { outline } from "../../../src/pure/conversation/outline.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";

const end = { inputTokens: 1, outputTokens: 1 };

function stepsOf(events: readonly HarnessEvent[]) {
  return outline(events.reduce(reduceEvent, createGraph()));
}

describe("a drawing", () => {
  test("shows a call and its result as one step, and a subagent as a branch that returns", () => {
    const steps = stepsOf([
      { type: "harness_start", runId: "a", agent: "native" },
      { type: "harness_start", runId: "m", parentId: "a", agent: "provider" },
      { type: "text", runId: "m", id: "t1", content: "First." },
      { type: "text", runId: "m", id: "t2", content: "Second." },
      { type: "harness_end", runId: "m", reason: "final", iterations: 1, totalUsage: end },
      { type: "tool_call", runId: "a", id: "c1", name: "shell", input: { command: "false" } },
      { type: "tool_result", runId: "a", id: "c1", name: "shell", output: { context: "no", result: { exitCode: 1 } } },
      { type: "tool_call", runId: "a", id: "c2", name: "task", input: { prompt: "Look." } },
      { type: "harness_start", runId: "b", parentId: "c2", agent: "helper" },
      { type: "harness_end", runId: "b", reason: "final", iterations: 1, totalUsage: end },
      { type: "tool_result", runId: "a", id: "c2", name: "task", output: { context: "seen", result: null } },
      { type: "harness_end", runId: "a", reason: "final", iterations: 2, totalUsage: end },
    ]);
    expect(
      steps.map(({ id, kind, state, count, from }) => [id, kind, state, count, from.map((link) => `${link.kind} ${link.id}`).join()]),
    ).toEqual([
      ["a:start", "start", undefined, 1, ""],
      ["t1", "text", undefined, 2, "next a:start"],
      ["c1", "call", "failed", 1, "next t1"],
      ["c2", "call", "ok", 1, "next c1"],
      ["b:start", "start", undefined, 1, "branch c2"],
      ["b:end", "end", "ok", 1, "next b:start"],
      ["c2:result", "result", "ok", 1, "next c2,return b:end"],
      ["a:end", "end", "ok", 1, "next c2:result"],
    ]);
    const { places, rows, lanes } = layout(steps);
    expect({ rows, lanes }).toEqual({ rows: 8, lanes: 2 });
    expect(places.map(({ row, lane }) => `${row}/${lane}`)).toEqual(["0/0", "1/0", "2/0", "3/0", "4/1", "5/1", "6/0", "7/0"]);
  });

  test("shows a program's queries to models as calls, each with its answer, even if many run in parallel", () => {
    const query = (run: string, question: string): HarnessEvent[] => [
      { type: "harness_start", runId: run, parentId: "p", agent: "provider" },
      { type: "user", runId: run, id: `${run}/user-0`, content: question },
    ];
    const steps = stepsOf([
      { type: "harness_start", runId: "a", agent: "rlm" },
      { type: "repl_input", runId: "a", id: "p", code: "llm_query([1, 2])" },
      ...query("q1", "one?"),
      ...query("q2", "two?"),
      { type: "text", runId: "q2", id: "t2", content: "second" },
      { type: "text", runId: "q1", id: "t1", content: "fir" },
      { type: "text", runId: "q1", id: "t1", content: "st" },
      { type: "harness_end", runId: "q1", reason: "final", iterations: 1, totalUsage: end },
      { type: "harness_end", runId: "q2", reason: "error", iterations: 1, totalUsage: end },
      { type: "repl_output", runId: "a", id: "p", stdout: "", done: true },
    ]);
    expect(steps.map(({ kind, title, detail, outcome, state, run }) => [kind, title, detail, outcome, state, run])).toEqual([
      ["start", "rlm", "", "", undefined, "a"],
      ["code", "code", "llm_query([1, 2])", "", "ok", "a"],
      ["call", "llm_query", "one?", "first", "ok", "a"],
      ["call", "llm_query", "two?", "second", "failed", "a"],
    ]);
  });

  test("shows a program once, a denied call with its request, and a patch by its files", () => {
    const patchText = "*** Begin Patch\n*** Update File: src/a.js\n*** Move to: src/b.js\n@@\n+x\n*** Delete File: c\n*** End Patch";
    const steps = stepsOf([
      { type: "harness_start", runId: "a", agent: "rlm" },
      { type: "text", runId: "a", id: "t1", content: "I count.\n```js\nprint(1)\n```" },
      { type: "repl_input", runId: "a", id: "p1", code: "print(1)\n" },
      { type: "repl_output", runId: "a", id: "p1", stdout: "1", done: false },
      { type: "text", runId: "a", id: "t2", content: "```js\nprint(2)" },
      { type: "repl_input", runId: "a", id: "p2", code: "print(2)" },
      { type: "repl_output", runId: "a", id: "p2", stdout: "", error: "no", done: false },
      {
        type: "tool_result",
        runId: "a",
        id: "c1",
        name: "shell",
        output: { status: "denied", reason: "Never." },
        input: { command: "rm x" },
      },
      { type: "tool_call", runId: "a", id: "c2", name: "apply_patch", input: { patchText } },
    ]);
    expect(steps.map(({ kind, title, detail, state }) => [kind, title, detail, state])).toEqual([
      ["start", "rlm", "", undefined],
      ["text", "text", "I count.", undefined],
      ["code", "code", "print(1)", "ok"],
      ["code", "code", "print(2)", "failed"],
      ["call", "shell", "rm x · Never.", "denied"],
      ["call", "apply_patch", "src/a.js, src/b.js, c", "open"],
    ]);
  });

  test("merges long rows of successful calls, and stays finite", () => {
    const calls = (count: number, name: (at: number) => string): HarnessEvent[] =>
      Array.from({ length: count }, (_, at): HarnessEvent[] => [
        { type: "tool_call", runId: "a", id: `c${at}`, name: name(at), input: { path: `f${at}` } },
        {
          type: "tool_result",
          runId: "a",
          id: `c${at}`,
          name: name(at),
          output: at === 7 ? { error: "no" } : { context: "", result: null },
        },
      ]).flat();
    const alike = collapse(stepsOf(calls(12, () => "read")));
    expect(alike.map(({ title, count, state }) => [title, count, state])).toEqual([
      ["read", 7, "ok"],
      ["read", 1, "failed"],
      ["read", 4, "ok"],
    ]);
    expect(alike.map(({ from }) => from.map(({ id }) => id))).toEqual([[], ["c0"], ["c7"]]);
    const long: HarnessEvent[] = Array.from({ length: 9000 }, (_, at) => ({
      type: at % 2 === 0 ? "text" : "reasoning",
      runId: "a",
      id: `t${at}`,
      content: "x",
    }));
    const drawn = collapse(stepsOf(long));
    expect(drawn.length).toBe(1501);
    expect(drawn.find(({ title }) => title === "left out")?.detail).toBe("7500 steps");
    expect(layout(drawn).rows).toBe(1501);
  });

  test("has its colors as attributes, for programs without CSS variables", () => {
    const svg = graphSvg(stepsOf([{ type: "error", runId: "a", message: "no", code: "x" }]), "title");
    expect(svg).not.toContain("var(");
    const shapes = [...svg.matchAll(/<(?:rect|path|text)[^>]*>/g)].map(([shape]) => shape);
    expect(shapes.length).toBeGreaterThan(5);
    for (const shape of shapes) expect(shape).toMatch(/ fill="(?:#[0-9a-f]{6}|none)"/);
  });

  test("escapes everything that an agent printed", () => {
    const hostile = `</text><script>alert(1)</script>"]\nend %% ${"\u001b[2J\u202e\u0000\ud800\ufffe"} \\" ' & ]]> #quot; click n0 "javascript:x"`;
    const steps = stepsOf([
      { type: "harness_start", runId: hostile, agent: hostile, model: hostile },
      { type: "tool_call", runId: hostile, id: hostile, name: hostile, input: { command: hostile } },
      { type: "error", runId: hostile, message: hostile, code: hostile },
      { type: "user", runId: hostile, content: "宽".repeat(5000) },
    ]);
    const svg = graphSvg(steps, hostile);
    expect(svg).not.toMatch(/<script|javascript:x"/);
    expect(svg).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e\ufffe\ud800]/);
    expect(balanced(svg)).toBe(true);
    expect(svg.length).toBeLessThan(20_000);
    const mermaid = graphMermaid(steps, hostile);
    expect(mermaid.split("\n").filter((line) => line.trim() === "end").length).toBe(1);
    expect(mermaid).not.toContain("<script");
    const dot = graphDot(steps, hostile);
    expect(dot.replace(/"(?:[^"\\\n]|\\.)*"/g, "").includes('"')).toBe(false);
  });
});

/** Whether every opened element is closed in order, as an XML parser requires. */
function balanced(svg: string): boolean {
  const open: string[] = [];
  for (const [, close, name = "", self] of svg.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/gi)) {
    if (close) {
      if (open.pop() !== name) return false;
    } else if (!self) open.push(name);
  }
  return open.length === 0 && !/<(?![/a-z])/i.test(svg) && !/&(?!#\d+;)/.test(svg);
}
