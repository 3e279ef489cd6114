import { describe, expect, test } from "vitest";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import type { Event, EventBody } from "../../../src/pure/events/event.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { conversation } from "../../../src/pure/views/conversation/view.ts";
import type { StreamRecord } from "../../../src/pure/views/stream/schema.ts";
import { stream } from "../../../src/pure/views/stream/view.ts";
import { loadFixtures, replay } from "../../support/fixtures.ts";

const fixtures = loadFixtures();

describe("conversation", () => {
  test.for(fixtures)("$name: runs begin and end, calls have results, parents come first", (fixture) => {
    const events = replay<HarnessEvent>(fixture, conversation);
    const started = new Set<string>();
    const ended = new Set<string>();
    const calls = new Set<string>();
    const known = new Set<string>();
    for (const event of events) {
      if (event.type === "harness_start") {
        expect(started.has(event.runId)).toBe(false);
        started.add(event.runId);
      }
      expect(started, JSON.stringify(event)).toContain(event.runId);
      if (event.parentId !== undefined) expect(known.has(event.parentId) || started.has(event.parentId), event.parentId).toBe(true);
      if (event.type === "harness_end") ended.add(event.runId);
      if (event.type === "tool_call") calls.add(event.id);
      if (event.type === "tool_result") calls.delete(event.id);
      if ("id" in event && event.id !== undefined) known.add(event.id);
    }
    expect([...ended].sort()).toEqual([...started].sort());
    expect(events.at(-1)?.type).toBe("harness_end");
    expect([...calls]).toEqual([]);
  });

  test("W4: every event of a subagent names the call or run it works for", () => {
    let seen = 0;
    for (const fixture of fixtures) {
      if (/^(native|rlm)\//.test(fixture.name)) continue; // recorded events pass unchanged
      const parents = new Map<string, string | undefined>();
      for (const event of replay<HarnessEvent>(fixture, conversation)) {
        if (event.type === "harness_start") parents.set(event.runId, event.parentId);
        const expected = parents.get(event.runId);
        if (expected === undefined) continue;
        expect(event.parentId, `${fixture.name} ${event.type}`).toBeDefined();
        if (!event.type.startsWith("tool_") && event.type !== "relay") expect(event.parentId).toBe(expected);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(200);
  });

  test.for(fixtures)("$name: the main thread's texts are the messages of the stream", (fixture) => {
    const events = replay<HarnessEvent>(fixture, conversation);
    const main = events[0]?.runId;
    const own = new Set([main]); // including the runs of its model calls
    const texts = new Map<string, string>();
    for (const event of events) {
      if (event.type === "harness_start" && event.agent === "provider" && event.parentId === main) own.add(event.runId);
      if (event.type === "text" && own.has(event.runId)) texts.set(event.id, (texts.get(event.id) ?? "") + event.content);
    }
    const messages = replay<StreamRecord>(fixture, stream).flatMap((record) =>
      record.type === "Message" && record.role === "assistant" && record.subagent_id === undefined ? [record.text] : [],
    );
    expect([...texts.values()].join("")).toEqual(messages.join(""));
  });

  test("edges of every fixture lead from earlier nodes to later ones, and reach every node", () => {
    let nodes = 0;
    for (const fixture of fixtures) {
      const graph = replay<HarnessEvent>(fixture, conversation).reduce(reduceEvent, createGraph());
      const order = new Map([...graph.nodes.keys()].map((id, at) => [id, at]));
      const reached = new Set<string>();
      for (const [source, targets] of graph.edges) {
        for (const target of targets) {
          expect(order.get(source)).toBeLessThan(order.get(target) ?? -1);
          reached.add(target);
        }
      }
      expect(reached.size, fixture.name).toBe(graph.nodes.size - 1); // all except the first
      nodes += graph.nodes.size;
    }
    expect(nodes).toBeGreaterThan(5000);
  });

  test("the events of an in-process agent pass unchanged, and nothing is added", () => {
    const said: HarnessEvent[] = [
      { type: "harness_start", runId: "r", depth: 0, maxIterations: 3 },
      { type: "text", runId: "r", id: "t", content: "Hello" },
      { type: "harness_end", runId: "r", reason: "final", iterations: 1, totalUsage: { inputTokens: 1, outputTokens: null } },
    ];
    const bodies: EventBody[] = [
      { type: "run-start", agent: "native", prompt: "Go." },
      { type: "notice", kind: "harness_start", said: said[0] },
      { type: "text-delta", text: "Hello", said: said[1] },
      { type: "message", role: "assistant", text: "Hello" },
      { type: "result", outcome: "completed", said: said[2] },
      { type: "run-end", status: "completed", reason: "final", exitCode: 0, signal: null, durationMs: 1 },
    ] as EventBody[];
    const view = conversation.open();
    const events = bodies.map((body, i): Event => ({ seq: i + 1, at: i, from: [], provenance: "declared", body }));
    expect(events.flatMap((event) => view.push(event))).toEqual(said);
  });
});
