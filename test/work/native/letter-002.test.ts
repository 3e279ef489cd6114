import { describe, expect, test } from "vitest";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import type { Harness, HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { INVALID_ANSWER, type RelayAnswer } from "../../../src/pure/events/relay-answer.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { orchestrator } from "../../../src/work/native/orchestrator.ts";
import type { AgentPermissions } from "../../../src/work/native/permissions.ts";
import { type ProviderCall, providerHarness } from "../../../src/work/native/provider-harness.ts";
import { replHarness } from "../../../src/work/native/repl/index.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { accessTo, all, closed, countedIds, folder, models, only, scripted } from "./support.ts";

const model = models.anthropic;
const messages = [{ role: "user" as const, content: "Go." }];

async function place(scenario: string) {
  const newId = countedIds();
  const provider = providerHarness({ ...accessTo(await scripted(scenario), model), newId });
  const root = folder();
  return { provider, agent: agentHarness({ provider, newId }), tools: await workspaceTools({ root }), root };
}

const WRITES = `
turns:
  - { tools: [{ write: { path: a, content: x } }] }
  - { tools: [{ write: { path: a, content: x } }] }
  - { tools: [{ write: { path: b, content: x } }] }
  - { text: Done. }`;

describe("W4: every event carries parentId", () => {
  const TASK = `
turns:
  - { tools: [{ name: task, input: { prompt: Look. } }] }
  - { reasoning: Hm., text: Seen. }
  - { text: Done. }`;

  test("W4: of a model call, of a subagent and of an agent that works for another one", async () => {
    const { agent, tools } = await place(TASK);
    const events = await all(agent.invoke({ model, messages, tools, permissions: { allowlist: ["*"] }, parentId: "above" }));
    const parents = new Map(only(events, "harness_start").map(({ runId, parentId }) => [runId, parentId]));
    expect([...parents.values()]).not.toContain(undefined);
    const own = new Set(["tool_call", "tool_result", "tool_progress", "relay"]); // they name their own parent: the model call, or the call
    for (const event of events) {
      expect(event.parentId, JSON.stringify(event)).toBeDefined();
      if (!own.has(event.type)) expect(event.parentId).toBe(parents.get(event.runId));
    }
    const [call] = only(events, "tool_call");
    const inner = only(events, "harness_start").find(({ parentId }) => parentId === call?.id);
    const types = events.filter(({ runId }) => runId === inner?.runId).map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(["harness_start", "user", "harness_end"]));
  });

  test("W4: a run without a parent has none, and its model calls name it", async () => {
    const { agent, tools } = await place("turns: [{ text: Done. }]");
    const events = await all(agent.invoke({ model, messages, tools }));
    closed(events);
    expect(new Set(events.map(({ runId, parentId }) => `${runId} ${parentId}`))).toEqual(new Set(["agent-1 undefined", "call-2 agent-1"]));
  });

  test("W4: of a REPL, of a provider that throws, and of an orchestrator that ends a run", async () => {
    const throws: Harness<ProviderCall> = {
      async *invoke({ parentId = "" }) {
        yield { type: "harness_start", runId: "p", parentId, agent: "provider" };
        throw new Error("No.");
      },
    };
    for (const harness of [agentHarness({ provider: throws, retries: 0 }), replHarness({ provider: throws })]) {
      const events: HarnessEvent[] = [];
      const call = { model, messages, prompt: "Go.", parentId: "above", runId: "r" };
      for await (const event of harness.invoke(call as never) as AsyncIterable<HarnessEvent>) events.push(event);
      expect(new Set(events.map(({ runId, parentId }) => `${runId} ${parentId}`))).toEqual(new Set(["r above", "p r"]));
    }
    const crew = orchestrator();
    const silent: Harness<object> = { async *invoke() {} };
    crew.spawn({ harness: silent as Harness<never>, params: { parentId: "above" } });
    expect((await all(crew.events())).map(({ type, parentId }) => [type, parentId])).toEqual([
      ["harness_start", "above"],
      ["error", "above"],
      ["harness_end", "above"],
    ]);
  });

  test("W4: the graph still has the call as the parent of the subagent's run", async () => {
    const { agent, tools } = await place(TASK);
    const events = await all(agent.invoke({ model, messages, tools, permissions: { allowlist: ["*"] } }));
    const graph = events.reduce(reduceEvent, createGraph());
    const [call] = only(events, "tool_call");
    const inner = only(events, "harness_start").find(({ parentId }) => parentId === call?.id)?.runId;
    expect(graph.edges.get(call?.id ?? "")).toContain(`${inner}:start`);
  });
});

describe("W4: an agent lists the models of its provider", () => {
  test("W4: supportedModels() of an agent and of a REPL", async () => {
    const provider = { async *invoke(): AsyncGenerator<HarnessEvent> {}, supportedModels: async (of?: string) => [`${of ?? "any"}/one`] };
    expect(await agentHarness({ provider }).supportedModels()).toEqual(["any/one"]);
    expect(await replHarness({ provider }).supportedModels("local")).toEqual(["local/one"]);
    await expect(agentHarness({ provider: { invoke: () => provider.invoke() } }).supportedModels()).rejects.toThrow(
      "This provider does not list its models.",
    );
  });
});

describe("W4: respond() and always", () => {
  async function answered(answer: (asked: number) => unknown, permissions: AgentPermissions = {}) {
    const { agent, tools } = await place(WRITES);
    const events: HarnessEvent[] = [];
    const told: unknown[] = [];
    let asked = 0;
    for await (const event of agent.invoke({ model, messages, tools, permissions })) {
      events.push(event);
      if (event.type === "relay") told.push(event.respond?.(answer(asked++) as RelayAnswer), event.respond?.({ approved: true }));
    }
    closed(events);
    const results = only(events, "tool_result").map(({ output }) => (output as { status?: string; reason?: string }).reason ?? "ran");
    return { events, told, asked, results };
  }

  test("W4: a relay has respond(); the second answer is not needed", async () => {
    const { events, told, results } = await answered((asked) => ({ approved: asked > 0, reason: "Not yet." }));
    expect(told).toEqual([true, false, true, false, true, false]);
    expect(results).toEqual(["Not yet.", "ran", "ran"]);
    expect(JSON.stringify(events)).not.toContain("respond");
    expect(structuredClone(events)).toEqual(events);
  });

  test("W4: always allows the same call again, and no other", async () => {
    const { asked, results } = await answered(() => ({ approved: true, always: true }));
    expect([asked, results]).toEqual([2, ["ran", "ran", "ran"]]);
    const ours = await answered((n) => (n === 0 ? { decision: "allow", always: true } : { decision: "deny" }));
    expect([ours.asked, ours.results]).toEqual([2, ["ran", "ran", "It was not permitted."]]);
  });

  test("W4: always with a rule allows what it matches; a deny rule still wins", async () => {
    const rule = { approved: true, always: { tool: "write" } };
    expect((await answered(() => rule)).asked).toBe(1);
    const { asked, results } = await answered(() => rule, { deny: [{ tool: "write", params: { path: "b" }, reason: "Never b." }] });
    expect([asked, results]).toEqual([1, ["ran", "ran", "Never b."]]);
  });

  test.for([
    [{ approved: false, always: true }],
    [{ approved: "true" }],
    [{ decision: "Allow" }],
    [{ decision: "Deny" }],
    [{ decision: "allow", approved: false }],
    [{ decision: "deny", approved: true }],
    [{ decision: "once", always: true }],
    [{ decision: "once", extra: 1 }],
    [{ decision: "always", rule: { tool: "write", path: "a" } }],
    [{ approved: true, always: "yes" }],
    [{}],
    [undefined],
    ["yes"],
    [true],
  ])("W5: %j is not a permission", async ([answer]) => {
    const { results } = await answered(() => answer);
    expect(results).toEqual(Array(3).fill(INVALID_ANSWER));
  });

  test("W4: the question shows the rule that always creates, and the call the answer that allowed it", async () => {
    const rule = { tool: "write", params: { path: "[ab]" } };
    const answers: readonly RelayAnswer[] = ["once", { decision: "always" }, { decision: "always", rule }];
    const { events } = await answered((n) => answers[n]);
    const shown = only(events, "relay").map(({ always }) => always);
    expect(shown).toEqual(["a", "a", "b"].map((path) => `write {"path":"${path}","content":"x"}`));
    expect(only(events, "tool_call").map(({ permission }) => permission)).toEqual([
      "once",
      "always, this call",
      'always write {"path":"[ab]"}',
    ]);
  });

  test.for<[RelayAnswer | object, boolean]>([
    ["once", true],
    [{ decision: "always" }, true],
    [{ approved: true }, true],
    ["deny", false],
    [{ decision: "deny", reason: "No." }, false],
    [{ approved: false }, false],
    [{ decision: "ALWAYS" }, false],
    [{ decision: "once", approved: true }, false],
  ])("W5: %j means the same to a REPL", async ([answer, permits]) => {
    const provider: Harness<ProviderCall> = {
      async *invoke({ parentId = "" }) {
        yield { type: "harness_start", runId: "m", parentId, agent: "provider" };
        yield { type: "text", runId: "m", id: "m/t", content: "```js\nFINAL(exec('echo ran').output)\n```" };
        yield { type: "harness_end", runId: "m", reason: "final", iterations: 1, totalUsage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const repl = replHarness({ provider });
    const events: HarnessEvent[] = [];
    for await (const event of repl.invoke({ model: "local/x", prompt: "?", workspace: folder(), maxIterations: 1 })) {
      events.push(event);
      if (event.type === "relay") expect(event.respond?.(answer as RelayAnswer)).toBe(true);
    }
    expect(only(events, "tool_call").length).toBe(permits ? 1 : 0);
  });

  test("W4: an orchestrator's relay can be answered either way", async () => {
    const { agent, tools } = await place(WRITES);
    const crew = orchestrator({ agent });
    crew.spawn({ model, messages, tools });
    let asked = 0;
    const results: unknown[] = [];
    for await (const event of crew.events()) {
      if (event.type === "relay" && asked++ === 0) expect(crew.resolveRelay(event.id, { approved: true, always: true })).toBe(true);
      else if (event.type === "relay") expect(event.respond?.({ approved: false })).toBe(true);
      if (event.type === "tool_result") results.push("status" in (event.output as object));
    }
    expect([asked, results]).toEqual([2, [false, false, true]]);
  });
});

test("W4: a tool without execute says so, and the run continues", async () => {
  const { agent, tools } = await place("turns: [{ tools: [{ name: greet, input: {} }, { name: nope, input: {} }] }, { text: Done. }]");
  const greet = { description: "Greets.", inputSchema: tools["read"]?.inputSchema };
  const events = await all(agent.invoke({ model, messages, tools: { greet }, permissions: { allowlist: ["*"] } }));
  closed(events);
  expect(only(events, "tool_result").map(({ output }) => output)).toEqual([
    { error: "The tool greet cannot run here: it has no execute function." },
    { error: "Unknown tool nope. Available tools: greet." },
  ]);
  expect(only(events, "harness_end").at(-1)).toMatchObject({ reason: "final" });
});
