import { hasToolCall, stepCountIs, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { AgentCall } from "../../../src/work/native/agent-call.ts";
import { type AgentOptions, agentHarness } from "../../../src/work/native/agent-harness.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import type { SessionEnd } from "../../../src/work/native/session.ts";
import { accessTo, closed, countedIds, models, only, scripted, served } from "./support.ts";

const ran: unknown[] = [];
const tools = {
  look: tool({ inputSchema: z.object({ at: z.string() }), execute: ({ at }) => `saw ${at}` }),
  act: tool({
    inputSchema: z.object({ n: z.number() }),
    execute: ({ n }) => {
      ran.push(n);
      return `did ${n}`;
    },
  }),
};

async function agentOn(scenario: string, model: string = models.anthropic, options: Partial<AgentOptions> = {}) {
  const newId = countedIds();
  const server = await scripted(scenario);
  const agent = agentHarness({ provider: providerHarness({ ...accessTo(server, model), newId }), newId, ...options });
  const run = async (call: Partial<AgentCall> = {}) => {
    const events = [];
    const iterator = agent.invoke({
      model,
      messages: [{ role: "user", content: "Go." }],
      tools,
      permissions: { allowlist: ["*"] },
      ...call,
    });
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) {
        closed(events);
        return { events, end: value as SessionEnd };
      }
      events.push(value);
    }
  };
  return { run, server };
}

const LOOP = `
turns:
  - { tools: [{ name: look, input: { at: a } }] }
  - { tools: [{ name: act, input: { n: 1 } }] }
  - { tools: [{ name: act, input: { n: 2 } }] }
  - { text: Done. }`;

describe("stopWhen and prepareStep", () => {
  test("the AI SDK's conditions end a run after a step", async () => {
    const { run } = await agentOn(LOOP);
    expect(only((await run({ stopWhen: stepCountIs(2) as never })).events, "tool_result")).toHaveLength(2);
    const { events, end } = await (await agentOn(LOOP)).run({ stopWhen: [stepCountIs(9), hasToolCall("act")] as never });
    expect(only(events, "tool_call").map(({ name }) => name)).toEqual(["look", "act"]);
    expect(end.reason).toBe("final");
  });

  test("prepareStep changes one call: tools, system prompt, messages", async () => {
    const { run, server } = await agentOn(`watch: [BRIEFLY, EXTRA]\n${LOOP.trimStart()}`);
    const seen: number[] = [];
    await run({
      prepareStep: ({ stepNumber, steps, messages }) => {
        seen.push(steps.length);
        if (stepNumber === 0) return { activeTools: ["look"], system: "Answer BRIEFLY." };
        return stepNumber === 1 ? { messages: [...messages, { role: "user", content: "EXTRA" }] } : undefined;
      },
    });
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(server.ledger.map(({ seen: found }) => found)).toEqual([["BRIEFLY"], ["EXTRA"], [], []]);
    expect(server.ledger.map(({ tools: offered }) => offered?.length)).toEqual([1, 2, 2, 2]);
  });
});

describe("hooks around tools", () => {
  test("before: denies a call or changes its arguments; after: changes what the model sees", async () => {
    ran.length = 0;
    const { run, server } = await agentOn(`watch: [HIDDEN, saw a]\n${LOOP.trimStart()}`);
    const { events } = await run({
      hooks: {
        before: ({ tool: name, input }) => {
          if (name !== "act") return undefined;
          const { n } = input as { n: number };
          return n === 1 ? { deny: "Not the first." } : { input: { n: n * 10 } };
        },
        after: ({ tool: name, output }) => (name === "look" ? ({ ...output, context: "HIDDEN" } as never) : undefined),
      },
    });
    expect(ran).toEqual([20]);
    expect(only(events, "tool_result").map(({ output }) => output)).toMatchObject([
      { context: "HIDDEN" },
      { status: "denied", reason: "Not the first." },
      { context: "did 20" },
    ]);
    expect(only(events, "tool_call").at(-1)?.input).toEqual({ n: 20 });
    expect(server.ledger.at(-1)?.seen).toEqual(["HIDDEN"]);
  });

  test("a hook that throws denies the call, or hides its result; permissions judge changed arguments", async () => {
    ran.length = 0;
    const fail = () => {
      throw new Error("broken");
    };
    const denied = await (await agentOn(LOOP)).run({ hooks: { before: fail } });
    expect(only(denied.events, "tool_call")).toEqual([]);
    const hidden = await (await agentOn(LOOP)).run({ hooks: { after: fail } });
    expect(only(hidden.events, "tool_result")[0]?.output).toEqual({ error: "The hook after the call failed: broken" });
    ran.length = 0;
    const deny = [{ tool: "act", params: { n: "7" } }];
    const { events } = await (await agentOn(LOOP)).run({
      permissions: { allowlist: ["*"], deny },
      hooks: { before: () => ({ input: { n: 7 } }) },
    });
    expect(ran).toEqual([]);
    expect(only(events, "tool_result").every(({ output }) => !("context" in (output as object)))).toBe(true);
  });
});

const report = z.object({ passed: z.number(), failed: z.number() });

describe("structured output", () => {
  test.each(Object.values(models))("%s gives the answer by calling final_answer, which no rule must allow", async (model) => {
    const { run } = await agentOn("turns: [{ tools: [{ name: final_answer, input: { passed: 3, failed: 0 } }] }, { text: Never. }]", model);
    const { end, events } = await run({ output: report, permissions: {} });
    expect(end).toMatchObject({ reason: "final", output: { passed: 3, failed: 0 } });
    expect(only(events, "relay")).toEqual([]);
  });

  test("an answer that does not fit goes back to the model; prose is followed by a request to call it", async () => {
    const { run } = await agentOn(`
turns:
  - { tools: [{ name: final_answer, input: { passed: many } }] }
  - { text: Three passed. }
  - { tools: [{ name: final_answer, input: { passed: 3, failed: 0 } }] }`);
    const { end, events } = await run({ output: report });
    expect(end.output).toEqual({ passed: 3, failed: 0 });
    expect(only(events, "tool_result")[0]?.output).toMatchObject({ error: expect.stringContaining("do not fit final_answer") });
    expect(only(events, "user").map(({ content }) => content)).toEqual(["Go.", "Give your answer by calling final_answer."]);
  });

  test("a model that never calls it ends the run with an error", async () => {
    const { run } = await agentOn("turns: [{ text: No. }, { text: No. }, { text: No. }, { text: No. }]");
    const { end, events } = await run({ output: report });
    expect(end.reason).toBe("error");
    expect(end).not.toHaveProperty("output");
    expect(only(events, "error").at(-1)).toMatchObject({ code: "output" });
  });
});

describe("K9: a provider that is overloaded", () => {
  test("is asked again as long as patience lasts, and each wait is an event", async () => {
    let requests = 0;
    const { url } = await served((_, response) => {
      requests++;
      response
        .writeHead(429, { "content-type": "application/json" })
        .end('{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}');
    });
    const provider = providerHarness({ baseUrl: `${url}/v1`, apiKey: "k", environment: {} });
    const agent = agentHarness({ provider, firstWaitMs: 1, patienceMs: 200 });
    const events = [];
    for await (const event of agent.invoke({ model: models.anthropic, messages: [{ role: "user", content: "Go." }] })) events.push(event);
    expect(requests).toBeGreaterThan(5);
    const waits = only(events, "error").filter(({ code }) => code === "retry");
    expect(waits).toHaveLength(requests - 1);
    expect(waits[0]?.message).toMatch(/^Asking again in 0\.\d+ s \(retry 1\): HTTP 429 Too Many Requests: slow down$/);
  });

  test("the provider's hint counts, and a hint beyond the patience ends it", async () => {
    const { run, server } = await agentOn("turns: [{ text: Fine., fault: { status: 503, headers: { retry-after-ms: 5 }, times: 8 } }]");
    expect((await run()).end.reason).toBe("final");
    expect(server.ledger).toHaveLength(9);
    const late = await agentOn("turns: [{ text: Fine., fault: { status: 503, headers: { retry-after: 301 }, times: 1 } }]");
    expect((await late.run()).end.reason).toBe("error");
    expect(late.server.ledger).toHaveLength(1);
  });
});
