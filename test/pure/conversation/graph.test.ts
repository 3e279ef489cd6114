import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createGraph, type Graph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { type NaiveGraph, naiveReduce, noGraph } from "./naive-graph.ts";

const start: HarnessEvent = { type: "harness_start", runId: "a", depth: 0, maxIterations: 5 };
const text = (content: string, id = "t", runId = "a"): HarnessEvent => ({ type: "text", runId, id, content });
const call: HarnessEvent = { type: "tool_call", runId: "a", id: "a/c1", name: "task", input: { prompt: "Look." } };
const result: HarnessEvent = { type: "tool_result", runId: "a", id: "a/c1", name: "task", output: { context: "Seen.", result: null } };
const usage = { inputTokens: 10, outputTokens: 2 };
const end: HarnessEvent = { type: "harness_end", runId: "a", reason: "final", iterations: 2, totalUsage: usage };

function reduced(events: readonly HarnessEvent[], from: Graph = createGraph()): Graph {
  return events.reduce(reduceEvent, from);
}

function plain(graph: Graph): unknown {
  return { nodes: [...graph.nodes], edges: [...graph.edges] };
}

describe("every type of event is a node under its id", () => {
  const repl = { runId: "a", id: "x" };
  const cases: readonly (readonly [string, HarnessEvent])[] = [
    ["a:start", start],
    ["a:end", end],
    ["t", text("Hi")],
    ["r", { type: "reasoning", runId: "a", id: "r", content: "Hm." }],
    ["a/c1", call],
    ["a/c1:result", result],
    ["p1", { type: "tool_progress", runId: "a", id: "p1", toolCallId: "a/c1", name: "task", content: { percent: 10 } }],
    ["x", { type: "repl_input", ...repl, code: "print(1)", iteration: 0 }],
    ["x", { type: "repl_progress", ...repl, chunk: "1\n", stream: "stdout" }],
    ["x", { type: "repl_output", ...repl, stdout: "1\n", done: false, iteration: 0, durationMs: 3, truncated: false }],
    ["q", { type: "relay", runId: "a", kind: "permission", id: "q", toolCallId: "a/c1", tool: "task", params: {} }],
    ["a:usage:1", { type: "usage", runId: "a", ...usage }],
    ["u7", { type: "usage", runId: "a", id: "u7", ...usage, cacheReadTokens: 3, cacheCreationTokens: 4 }],
    ["a:error:1", { type: "error", runId: "a", message: "It broke." }],
    ["a:user:1", { type: "user", runId: "a", content: "Go." }],
  ];
  test.for(cases)("%s", ([id, event]) => {
    const graph = reduceEvent(createGraph(), event);
    expect([...graph.nodes]).toEqual([[id, { ...event, id }]]);
    expect(graph.nodes.size).toBe(1);
    expect([...graph.edges]).toEqual([]);
    expect(Object.isFrozen(graph.nodes.get(id))).toBe(true);
  });
});

describe("nodes", () => {
  test("chunks with one id form one node, which adds no edge", () => {
    const graph = reduced([start, text("Hel"), text("lo"), text(", world")]);
    expect(graph.nodes.get("t")).toEqual({ ...text("Hello, world") });
    expect([...graph.edges]).toEqual([["a:start", ["t"]]]);
  });

  test("the first chunks of interleaved texts keep their position", () => {
    const graph = reduced([text("1", "x"), text("2", "y"), text("3", "x"), text("4", "z")]);
    expect([...graph.nodes.keys()]).toEqual(["x", "y", "z"]);
    expect(graph.edges.get("y")).toEqual(["z"]);
  });

  test("progress that is not text shows the newest; a REPL's output and result are nodes next to its code", () => {
    const progress = (content: unknown): HarnessEvent => ({
      type: "tool_progress",
      runId: "a",
      id: "p",
      toolCallId: "c",
      name: "n",
      content,
    });
    expect(reduced([progress({ done: 1 }), progress({ done: 2 })]).nodes.get("p")).toMatchObject({ content: { done: 2 } });
    expect(reduced([progress("a"), progress("b")]).nodes.get("p")).toMatchObject({ content: "ab" });
    expect(reduced([progress("a"), progress({ done: 1 }), progress("b"), progress("c")]).nodes.get("p")).toMatchObject({ content: "bc" });
    const repl = { runId: "a", id: "x" };
    const graph = reduced([
      { type: "repl_input", ...repl, code: "…" },
      { type: "repl_progress", ...repl, chunk: "1", stream: "stdout" },
      { type: "repl_progress", ...repl, chunk: "!", stream: "stderr" },
      { type: "repl_progress", ...repl, chunk: "2", stream: "stdout" },
      { type: "repl_output", ...repl, stdout: "12", done: true },
    ]);
    expect([...graph.nodes].map(([id, node]) => [id, node.type === "repl_progress" ? node.chunk : node.type])).toEqual([
      ["x", "repl_input"],
      ["x:progress", "12"],
      ["x:progress:2", "!"],
      ["x:result", "repl_output"],
    ]);
  });

  test("nothing is lost if an id is used twice", () => {
    const graph = reduced([call, result, call, result, text("other run", "t", "b"), text("this run"), text(" again", "t", "b"), text("!")]);
    expect([...graph.nodes.keys()]).toEqual(["a/c1", "a/c1:result", "a/c1:2", "a/c1:result:2", "t", "t:2"]);
    expect(graph.nodes.get("t")).toMatchObject({ runId: "b", content: "other run again" });
    expect(graph.nodes.get("t:2")).toMatchObject({ runId: "a", content: "this run!" });
  });

  test("ids such as __proto__ work like any other", () => {
    const graph = reduced([text("a", "__proto__"), text("b", "constructor"), { type: "user", runId: "toString", content: "c" }]);
    expect([...graph.nodes.keys()]).toEqual(["__proto__", "constructor", "toString:user:1"]);
    expect(createGraph().nodes.get("constructor")).toBe(undefined);
    expect(createGraph().edges.has("__proto__")).toBe(false);
  });
});

describe("edges", () => {
  const child: HarnessEvent = { type: "harness_start", runId: "b", parentId: "a/c1", depth: 1 };
  const childEnd: HarnessEvent = { type: "harness_end", runId: "b", reason: "final", iterations: 1, totalUsage: usage };

  test("lead from the run's previous node, and from the parent", () => {
    const graph = reduced([start, call, child, text("Looking.", "t", "b"), childEnd, result, end]);
    expect([...graph.edges]).toEqual([
      ["a:start", ["a/c1"]],
      ["a/c1", ["b:start", "a/c1:result"]],
      ["b:start", ["t"]],
      ["t", ["b:end"]],
      ["a/c1:result", ["a:end"]],
    ]);
  });

  test("a parent run means its last node; an unknown parent is ignored; no edge is doubled", () => {
    const graph = reduced([
      start,
      call,
      { ...child, parentId: "a" },
      { ...text("x", "t1", "c"), parentId: "missing" },
      { ...text("y", "t2"), parentId: "a" },
    ]);
    expect([...graph.edges]).toEqual([
      ["a:start", ["a/c1"]],
      ["a/c1", ["b:start", "t2"]],
    ]);
  });
});

const event: fc.Arbitrary<HarnessEvent> = fc
  .record({
    kind: fc.constantFrom(
      "text",
      "text",
      "text",
      "reasoning",
      "tool_call",
      "tool_result",
      "usage",
      "tool_progress",
      "repl_progress",
      "user",
    ),
    runId: fc.constantFrom("a", "b", "c"),
    id: fc.constantFrom("1", "2", "3", "a:start", "1:result"),
    parentId: fc.option(fc.constantFrom("a", "b", "1", "2:result", "missing"), { nil: undefined }),
    words: fc.string({ maxLength: 3 }),
    object: fc.boolean(),
  })
  .map(({ kind, runId, id, parentId, words, object }) => {
    const place = { runId, ...(parentId === undefined ? {} : { parentId }) };
    switch (kind) {
      case "tool_call":
        return { type: kind, ...place, id, name: words, input: {} };
      case "tool_result":
        return { type: kind, ...place, id, name: words, output: {} };
      case "usage":
        return { type: kind, ...place, inputTokens: words.length, outputTokens: null };
      case "tool_progress":
        return { type: kind, ...place, id, toolCallId: "1", name: "n", content: object ? { words } : words };
      case "repl_progress":
        return { type: kind, ...place, id, chunk: words, stream: object ? "stdout" : "stderr" };
      case "user":
        return { type: kind, ...place, content: words };
      case "reasoning":
        return { type: kind, ...place, id, content: words };
      default:
        return { type: "text", ...place, id, content: words };
    }
  });

describe("a graph never changes", () => {
  test("equals one that is copied for every event, whichever version is extended and whenever it is read", () => {
    const step = fc.record({ from: fc.nat(), event, isRead: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const graphs: [Graph, NaiveGraph][] = [[createGraph(), noGraph]];
        for (const { from, event, isRead } of steps) {
          const at = from % 3 === 0 ? from % graphs.length : graphs.length - 1; // mostly the newest
          const [graph, naive] = graphs[at] ?? [createGraph(), noGraph];
          graphs.push([reduceEvent(graph, event), naiveReduce(naive, event)]);
          if (isRead) for (const [one, same] of graphs) expect(plain(one)).toEqual(plainNaive(same));
        }
        for (const [one, same] of graphs) {
          expect(plain(one)).toEqual(plainNaive(same));
          expect([one.nodes.size, one.edges.size]).toEqual([same.nodes.size, same.edges.size]);
          for (const [id, node] of same.nodes) expect(one.nodes.get(id)).toEqual(node);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("the chunks of an id concatenate, however they are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 5 }), { minLength: 1 }), (chunks) => {
        const graph = reduced([start, ...chunks.map((chunk) => text(chunk)), end]);
        expect(graph.nodes.get("t")).toMatchObject({ content: chunks.join("") });
      }),
    );
  });

  test("even while it is being read", () => {
    let graph = reduced([start, text("a")]);
    const seen: string[] = [];
    const shown = graph;
    for (const [id] of shown.nodes) {
      seen.push(id);
      graph = reduceEvent(graph, text("more", `t${seen.length}`));
    }
    expect(seen).toEqual(["a:start", "t"]);
    expect(graph.nodes.size).toBe(4);
  });

  test("it cannot be written to", () => {
    const graph = reduced([start, text("a"), text("b")]);
    expect(() => Object.assign(graph.nodes.get("t") as object, { content: "c" })).toThrow(TypeError);
    expect(() => (graph.edges.get("a:start") as string[]).push("x")).toThrow(TypeError);
    expect("set" in graph.nodes || "delete" in graph.edges).toBe(false);
    expect(graph.nodes.get("t")).toBe(graph.nodes.get("t"));
  });
});

function plainNaive({ nodes, edges }: NaiveGraph): unknown {
  return { nodes: [...nodes], edges: [...edges] };
}
