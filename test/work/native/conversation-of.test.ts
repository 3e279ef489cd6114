import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import { nodeIdsOf } from "../../../src/pure/conversation/node-ids.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { conversationOf } from "../../../src/work/native/conversation-of.ts";
import type { ModelMessage } from "../../../src/work/native/model-message.ts";
import { FIXTURES, loadFixtures } from "../../support/fixtures.ts";

const recordings = loadFixtures().flatMap(({ name, agent }) => (["native", "rlm"].includes(agent.id) ? name : []));

function eventsOf(name: string): readonly HarnessEvent[] {
  const lines = readFileSync(join(FIXTURES, name, "raw.jsonl"), "utf8").split("\n");
  return lines.flatMap((line) => (line.startsWith('{"type":"harness_session"') || line === "" ? [] : [JSON.parse(line) as HarnessEvent]));
}

/** What a provider requires: the user begins, and each call is followed by its result. */
function wellFormed(messages: readonly ModelMessage[]): void {
  expect(messages[0]?.role ?? "user").toBe("user");
  for (const [at, { role, content }] of messages.entries()) {
    if (role !== "assistant" || typeof content === "string") continue;
    const called = content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
    const next = messages[at + 1];
    const answered = next?.role === "tool" ? next.content.flatMap((part) => (part.type === "tool-result" ? [part.toolCallId] : [])) : [];
    expect(answered).toEqual(called);
  }
}

describe.each(recordings)("a conversation can continue from every node of %s", (name) => {
  const events = eventsOf(name);
  const graph = events.reduce(reduceEvent, createGraph());

  test("has messages in the form that models accept", () => {
    expect(new Set(nodeIdsOf(events))).toEqual(new Set(graph.nodes.keys()));
    let most = 0;
    for (const id of graph.nodes.keys()) {
      const found = conversationOf(events, id);
      expect(found, id).toBeDefined();
      wellFormed(found?.messages ?? []);
      most = Math.max(most, found?.messages.length ?? 0);
    }
    expect(conversationOf(events)?.messages.length).toBe(most);
    expect(conversationOf(events, "nowhere")).toBeUndefined();
  });
});

test("for a model that writes programs: its question, its programs and their output, but not the programs' own questions", () => {
  const events = eventsOf("rlm/programs");
  const [start] = events;
  const { messages = [] } = conversationOf(events) ?? {};
  const texts = messages.map(({ role, content }) => {
    const text = typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : part.type)).join("");
    return `${role}: ${text.trim().replaceAll("\n", " ").slice(0, 40)}`;
  });
  expect(start).toMatchObject({ type: "harness_start", agent: "rlm" });
  expect(texts).toEqual([
    "user: Do what the script says. [[programs]]",
    "assistant: I look at it first.  ```js const lines =",
    "user: It printed: 3 lines",
    "assistant: ```js print(nowhere); ```",
    "user: It printed nothing. It failed: Reference",
    'assistant: ```js const [kind, color] = llm_query(["',
    "user: It printed: apples red counted 3",
    'assistant: ```js try { exec("touch denied.txt") } c',
    "user: It printed: exec is not permitted: --den",
    'assistant: ```js FINAL_VAR("answer"); ```',
    "user: It printed nothing.",
    "user: Your answer was: 3 red apples",
  ]);
});
