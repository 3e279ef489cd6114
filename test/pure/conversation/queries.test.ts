import { expect, test } from "vitest";
import { diffGraphs } from "../../../src/pure/conversation/diff-graphs.ts";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import { ancestorsOf, childrenOf, runsOf, threadOf } from "../../../src/pure/conversation/queries.ts";
import { totalsOf, usageOf } from "../../../src/pure/conversation/usage-of.ts";
import type { HarnessEvent, Usage } from "../../../src/pure/events/harness-event.ts";

const used = (inputTokens: number, costUsd?: number): Usage => ({
  inputTokens,
  outputTokens: null,
  ...(costUsd === undefined ? {} : { costUsd }),
});

/** An agent that starts a subagent, which starts another one. `prefix` starts all ids. */
function conversation(prefix: string, answer = "Found."): HarnessEvent[] {
  const [a, b, c] = ["a", "b", "c"].map((name) => prefix + name) as [string, string, string];
  const end = { type: "harness_end", reason: "final", iterations: 1, totalUsage: used(0) } as const;
  return [
    { type: "harness_start", runId: a, agent: "native" },
    { type: "user", runId: a, id: `${a}/u`, content: "Look for it." },
    { type: "usage", runId: a, ...used(100, 0.5) },
    { type: "tool_call", runId: a, id: `${a}/1`, name: "task", input: { prompt: "Look there." } },
    { type: "harness_start", runId: b, parentId: `${a}/1`, agent: "helper" },
    { type: "usage", runId: b, ...used(20, 0.25) },
    { type: "tool_call", runId: b, id: `${b}/1`, name: "task", input: {} },
    { type: "harness_start", runId: c, parentId: `${b}/1`, agent: "helper" },
    { type: "usage", runId: c, ...used(3) },
    { ...end, runId: c },
    { type: "tool_result", runId: b, id: `${b}/1`, name: "task", output: { context: answer, result: null } },
    { ...end, runId: b },
    { type: "tool_result", runId: a, id: `${a}/1`, name: "task", output: { context: answer, result: null } },
    { type: "text", runId: a, id: `${a}/t`, content: answer },
    { ...end, runId: a },
  ];
}

const events = conversation("");
const graph = events.reduce(reduceEvent, createGraph());

test("the thread of a run, also in an earlier version", () => {
  expect(threadOf(graph, "b").map(({ id }) => id)).toEqual(["b:start", "b:usage:1", "b/1", "b/1:result", "b:end"]);
  expect(threadOf(graph, "missing")).toEqual([]);
  let growing = createGraph();
  const before = events.slice(0, 7).reduce(reduceEvent, growing);
  growing = events.slice(7).reduce(reduceEvent, before);
  expect(threadOf(before, "b").map(({ id }) => id)).toEqual(["b:start", "b:usage:1", "b/1"]);
  expect(threadOf(growing, "b")).toEqual(threadOf(graph, "b"));
  expect(runsOf(before).map(({ runId }) => runId)).toEqual(["a", "b"]);
});

test("children, ancestors and the position of each run", () => {
  expect(childrenOf(graph, "a/1").map(({ id }) => id)).toEqual(["b:start", "a/1:result"]);
  expect(ancestorsOf(graph, "c:start").map(({ id }) => id)).toEqual(["a:start", "a/u", "a:usage:1", "a/1", "b:start", "b:usage:1", "b/1"]);
  expect([childrenOf(graph, "missing"), ancestorsOf(graph, "missing"), ancestorsOf(graph, "a:start")]).toEqual([[], [], []]);
  expect(runsOf(graph)).toEqual([
    { runId: "a" },
    { runId: "b", parent: "a/1", parentRun: "a" },
    { runId: "c", parent: "b/1", parentRun: "b" },
  ]);
});

test("usage and cost add up along the runs; what was not reported stays unknown", () => {
  expect(usageOf(graph, "a")).toEqual({ own: used(100, 0.5), total: used(123, 0.75), runs: 2 });
  expect(usageOf(graph, "b")).toEqual({ own: used(20, 0.25), total: used(23, 0.25), runs: 1 });
  expect(usageOf(graph, "a/1")).toEqual({ own: { inputTokens: null, outputTokens: null }, total: used(23, 0.25), runs: 2 });
  expect(usageOf(graph, "c:usage:1")).toEqual({ own: used(3), total: used(3), runs: 0 });
  expect(usageOf(graph, "missing")).toEqual({
    own: { inputTokens: null, outputTokens: null },
    total: { inputTokens: null, outputTokens: null },
    runs: 0,
  });
});

test("the totals of all runs together equal those of each", () => {
  const totals = totalsOf(graph);
  expect([...totals]).toEqual(runsOf(graph).map(({ runId }) => [runId, usageOf(graph, runId).total]));
});

test("two conversations are compared by their contents, not by ids", () => {
  const same = conversation("other-").reduce(reduceEvent, createGraph());
  expect(diffGraphs(graph, same).map(({ same, a, b }) => [same, a.length, b.length])).toEqual([[true, 12, 12]]);
  const other = conversation("x-", "Lost.").reduce(reduceEvent, createGraph());
  const differences = diffGraphs(graph, other).filter((difference) => !difference.same);
  expect(differences.map(({ a, b }) => [a.map(({ type }) => type), b.map(({ type }) => type)])).toEqual([
    [["tool_result"], ["tool_result"]],
    [
      ["tool_result", "text"],
      ["tool_result", "text"],
    ],
  ]);
  expect(diffGraphs(createGraph(), createGraph())).toEqual([]);
});
