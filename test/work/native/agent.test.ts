import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonSchema, tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import type { AgentCall } from "../../../src/work/native/agent-call.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import type { Tools } from "../../../src/work/native/tool.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { accessTo, all, closed, countedIds, folder, models, only, scripted, textOf } from "./support.ts";

const messages = [{ role: "user" as const, content: "Go." }];
const everything = { allowlist: ["*"] };

async function agentOn(scenario: string, { model = models.anthropic as string, more = {} as Tools, options = {} } = {}) {
  const newId = countedIds();
  const root = folder();
  const server = await scripted(scenario);
  const agent = agentHarness({ provider: providerHarness({ ...accessTo(server, model), newId }), newId, ...options });
  const tools = { ...(await workspaceTools({ root })), ...more };
  const invoke = (call: Partial<AgentCall> = {}) => agent.invoke({ model, messages, tools, permissions: everything, ...call });
  return { agent, root, server, invoke };
}

const outputs = (events: readonly HarnessEvent[]) => only(events, "tool_result").map(({ output }) => output);

describe.each(Object.entries(models))("an agent over %s", (_, model) => {
  test("writes, runs, reads, edits, and is done", async () => {
    const { root, invoke } = await agentOn(
      `turns:
  - { text: First., tools: [{ write: { path: a/b.txt, content: hello } }, { run: "echo hi; exit 3" }] }
  - { tools: [{ read: a/b.txt }, { search: { query: hel, path: . } }, { list: a }] }
  - { tools: [{ edit: { path: a/b.txt, old: hello, new: bye } }] }
  - { text: Done. }`,
      { model },
    );
    const events = await all(invoke());
    closed(events);
    expect(readFileSync(join(root, "a/b.txt"), "utf8")).toBe("bye");
    expect(outputs(events).map((output) => (output as { context: string }).context)).toEqual([
      "Created a/b.txt (5 bytes).",
      "hi\nIt ended with exit code 3.",
      "hello",
      "a/b.txt:1: hello",
      "b.txt",
      "Replaced it at line 1 of a/b.txt.",
    ]);
    expect(events.at(-1)).toMatchObject({
      type: "harness_end",
      reason: "final",
      iterations: 4,
      totalUsage: { inputTokens: 400, outputTokens: 40 },
    });
  });
});

describe("the loop", () => {
  test("complete: the provider's events in their own run, calls in the agent's, each with its parent", async () => {
    const { invoke } = await agentOn("turns: [{ text: I look., tools: [{ list: . }] }, { text: Empty. }]");
    const call = { agent: "native", model: models.anthropic, depth: 0, maxIterations: 50 };
    const inner = { agent: "provider", model: models.anthropic, depth: 1, parentId: "agent-1" };
    const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheCreationTokens: 0 };
    const id = "agent-1/call_0001_0";
    expect(await all(invoke())).toEqual([
      { type: "harness_start", runId: "agent-1", ...call },
      { type: "user", runId: "agent-1", id: "agent-1/user-0", content: "Go." },
      { type: "harness_start", runId: "call-2", ...inner },
      { type: "text", runId: "call-2", parentId: "agent-1", id: "call-2/text-0", content: "I look." },
      { type: "usage", runId: "call-2", parentId: "agent-1", id: "call-2/usage", ...usage },
      { type: "harness_end", runId: "call-2", parentId: "agent-1", reason: "final", iterations: 1, totalUsage: usage },
      { type: "tool_call", runId: "agent-1", parentId: "call-2", id, name: "list", input: { path: "." } },
      {
        type: "tool_result",
        runId: "agent-1",
        parentId: id,
        id,
        name: "list",
        output: { context: "(the directory is empty)", result: { path: ".", entries: 0, truncated: false } },
      },
      { type: "harness_start", runId: "call-3", ...inner },
      { type: "text", runId: "call-3", parentId: "agent-1", id: "call-3/text-0", content: "Empty." },
      { type: "usage", runId: "call-3", parentId: "agent-1", id: "call-3/usage", ...usage },
      { type: "harness_end", runId: "call-3", parentId: "agent-1", reason: "final", iterations: 1, totalUsage: usage },
      {
        type: "harness_end",
        runId: "agent-1",
        reason: "final",
        iterations: 2,
        totalUsage: { inputTokens: 200, outputTokens: 20, cacheReadTokens: 0, cacheCreationTokens: 0 },
      },
    ]);
  });

  test("the model sees malformed arguments, wrong ones and an unknown tool, and continues", async () => {
    const { invoke, server } = await agentOn(`
watch: [not valid JSON, Unknown tool nothing, do not fit read]
turns:
  - { tools: [{ name: read, input: "{ broken" }, { name: nothing }, { name: read, input: { path: 7 } }] }
  - { text: I see. }`);
    const events = await all(invoke());
    closed(events);
    expect(only(events, "tool_call")[0]?.input).toMatchObject({ __toolParseError: true, rawArguments: "{ broken" });
    expect(outputs(events)).toMatchObject(
      [{ error: /not valid JSON/ }, { error: /Unknown tool nothing/ }, { error: /do not fit read/ }].map(({ error }) => ({
        error: expect.stringMatching(error),
      })),
    );
    expect(server.ledger[1]?.seen).toEqual(["not valid JSON", "Unknown tool nothing", "do not fit read"]);
    expect(textOf(events)).toBe("I see.");
  });

  test("at the limit it writes a summary and calls nothing more", async () => {
    const { invoke, server } = await agentOn(
      "turns: [{ tools: [{ list: . }] }, { tools: [{ list: . }] }, { text: I listed it twice., tools: [{ list: . }] }]",
    );
    const events = await all(invoke({ maxIterations: 2 }));
    closed(events);
    expect(only(events, "user").at(-1)?.content).toMatch(/Say briefly what is done/);
    expect(textOf(events)).toBe("I listed it twice.");
    expect(only(events, "tool_call")).toHaveLength(2);
    expect(server.ledger).toHaveLength(3);
    expect(events.at(-1)).toMatchObject({ reason: "max_iterations", iterations: 2 });
  });

  test("canceled during its summary, it ends as canceled", async () => {
    const { invoke } = await agentOn("turns: [{ tools: [{ list: . }] }, { text: It takes long., delay: 100s }]");
    const stop = new AbortController();
    const events: HarnessEvent[] = [];
    for await (const event of invoke({ maxIterations: 1, signal: stop.signal })) {
      events.push(event);
      if (event.type === "user" && event.content !== "Go.") setTimeout(() => stop.abort(), 200);
    }
    closed(events);
    expect(events.at(-1)).toMatchObject({ reason: "error", iterations: 1 });
    expect(only(events, "error")).toMatchObject([{ code: "canceled" }]);
  });

  test("a temporary model failure is retried; the failed call is a separate run", async () => {
    const { invoke } = await agentOn("turns: [{ text: Fine., fault: { status: 529, headers: { retry-after-ms: 10 }, times: 2 } }]");
    const events = await all(invoke());
    closed(events);
    expect(only(events, "error").map(({ code }) => code)).toEqual(["http", "retry", "http", "retry"]);
    expect(events.at(-1)).toMatchObject({ reason: "final" });
  });

  test("a permanent model failure ends the run", async () => {
    for (const fault of ["{ status: 401 }", "{ status: 429, headers: { retry-after: 9999 } }"]) {
      const { invoke, server } = await agentOn(`turns: [{ fault: ${fault} }]`);
      const events = await all(invoke());
      closed(events);
      expect(server.ledger).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ reason: "error", iterations: 0 });
    }
  });

  test("a provider that throws, and one that reports the bare minimum", async () => {
    const thrown = agentHarness({
      provider: {
        invoke: () => {
          throw new Error("Boom");
        },
      },
    });
    expect((await all(thrown.invoke({ model: "x", messages }))).slice(-2)).toMatchObject([
      { type: "error", message: "Boom" },
      { type: "harness_end", reason: "error" },
    ]);
    const late = agentHarness({
      provider: {
        async *invoke({ parentId = "" }) {
          yield { type: "harness_start" as const, runId: "p", parentId, agent: "provider" };
          throw new Error("Later");
        },
      },
    });
    const events = await all(late.invoke({ model: "x", messages, runId: "a" }));
    closed(events);
    expect(only(events, "error").map(({ runId, message }) => `${runId} ${message}`)).toEqual(["p Later", "a Later"]);
    const least = agentHarness({
      provider: {
        async *invoke() {
          yield { type: "text" as const, runId: "p", id: "t", content: "Hello" };
        },
      },
    });
    expect((await all(least.invoke({ model: "x", messages }))).at(-1)).toMatchObject({ reason: "final", iterations: 1 });
  });

  test("calls run in parallel, results come in order, and repeated ids are distinguished", async () => {
    const order: string[] = [];
    const wait = tool({
      inputSchema: z.object({ name: z.string(), ms: z.number() }),
      execute: async ({ name, ms }) => {
        order.push(`+${name}`);
        await new Promise((resolve) => setTimeout(resolve, ms));
        order.push(`-${name}`);
        return name;
      },
    });
    let asked = 0;
    const provider = {
      async *invoke() {
        const runId = `p${++asked}`;
        yield { type: "harness_start" as const, runId, agent: "provider" };
        if (asked <= 2) {
          for (const [id, ms] of [
            ["a", 300],
            ["b", 10],
          ] as const)
            yield { type: "tool_call" as const, runId, id, name: "wait", input: { name: id, ms } };
        }
        yield {
          type: "harness_end" as const,
          runId,
          reason: "final" as const,
          iterations: 1,
          totalUsage: { inputTokens: null, outputTokens: null },
        };
      },
    };
    const events = await all(
      agentHarness({ provider }).invoke({
        model: "x",
        messages,
        runId: "r",
        tools: { wait },
        parallelTools: ["wait"],
        permissions: everything,
      }),
    );
    closed(events);
    expect(order.slice(0, 4)).toEqual(["+a", "+b", "-b", "-a"]);
    expect(only(events, "tool_result").map(({ id }) => id)).toEqual(["r/a", "r/b", "r/a~2", "r/b~2"]);
    order.length = 0;
    asked = 1;
    await all(agentHarness({ provider, concurrency: 1 }).invoke({ model: "x", messages, tools: { wait }, permissions: everything }));
    expect(order).toEqual(["+a", "-a", "+b", "-b"]);
  });

  test("a tool that yields reports progress; one that throws is an error; foreign output is used verbatim", async () => {
    const steps = tool({
      inputSchema: jsonSchema<object>({ type: "object" }),
      async *execute() {
        yield { done: 1 };
        yield { done: 2 };
      },
      toModelOutput: ({ output }) => ({ type: "text", value: `all ${(output as { done: number }).done}` }),
    });
    const throws = tool({ inputSchema: z.object({}), execute: (): Promise<string> => Promise.reject(new Error("No luck")) });
    const { invoke } = await agentOn("turns: [{ tools: [{ name: steps }, { name: throws }] }, { text: So. }]", { more: { steps, throws } });
    const events = await all(invoke());
    closed(events);
    expect(only(events, "tool_progress")).toMatchObject(
      [1, 2].map((done) => ({ toolCallId: "agent-1/call_0001_0", name: "steps", content: { done } })),
    );
    expect(outputs(events)).toEqual([{ context: "all 2", result: { done: 2 } }, { error: "No luck" }]);
  });

  test("a subagent's run belongs to its call, and its text is the result", async () => {
    const { invoke } = await agentOn(`
turns: [{ tools: [{ agent: "Count. [[scenario/sub]]" }] }, { text: Done. }]
subagents: { sub: { turns: [{ text: I count., tools: [{ list: . }] }, { text: None. }] } }`);
    const events = await all(invoke());
    closed(events);
    const [main, sub] = only(events, "harness_start").filter(({ agent }) => agent === "native");
    const [call] = only(events, "tool_call");
    expect(sub).toMatchObject({ parentId: call?.id, depth: 1 });
    expect(main).toMatchObject({ depth: 0 });
    expect(outputs(events).at(-1)).toEqual({ context: "None.", result: { runId: sub?.runId, reason: "final" } });
  });
});
