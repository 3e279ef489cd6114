import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import type { HarnessEvent, HarnessEventType } from "../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { mcpTools } from "../../../src/work/native/mcp-tools.ts";
import { orchestrator } from "../../../src/work/native/orchestrator.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { accessTo, closed, countedIds, folder, models, scripted } from "./support.ts";

const SCENARIO = `
turns:
  - reasoning: I think.
    text: First I write.
    tools: [{ write: { path: a, content: x } }, { run: echo hello }, { read: missing }, { name: read, input: "{ broken" }]
  - { text: Done., fault: { status: 503, headers: { retry-after-ms: 5 }, times: 1 } }`;

const model = models.anthropic;
const messages = [{ role: "user" as const, content: "Go." }];

async function place(scenario = SCENARIO) {
  const newId = countedIds();
  const harness = providerHarness({ ...accessTo(await scripted(scenario), model), newId });
  const agent = agentHarness({ provider: harness, newId });
  const tools = await workspaceTools({ root: folder() });
  return { harness, agent, tools, params: { model, messages, tools, permissions: { allowlist: ["read", "shell"], deny: ["write"] } } };
}

describe("the examples of specification 002", () => {
  test("a provider's text and reasoning", async () => {
    const { harness, params } = await place();
    let fullText = "";
    let thinking = "";
    for await (const event of harness.invoke(params)) {
      if (event.type === "text") fullText += event.content;
      if (event.type === "reasoning") thinking += event.content;
    }
    expect([fullText, thinking]).toEqual(["First I write.", "I think."]);
  });

  test("an agent's calls, their three kinds of results, and progress", async () => {
    const { agent, params } = await place();
    const said: string[] = [];
    for await (const event of agent.invoke(params)) {
      if (event.type === "tool_call") said.push(`Calling ${event.name} with ${JSON.stringify(event.input).slice(0, 26)}`);
      if (event.type === "tool_progress") said.push(`[${event.name}] ${JSON.stringify(event.content)}`);
      if (event.type !== "tool_result") continue;
      const output = event.output as { error?: string; status?: string; reason?: string; context?: string };
      if (output.error) said.push(`Tool ${event.name} failed: ${output.error.slice(0, 21)}`);
      else if (output.status === "denied") said.push(`Tool ${event.name} was denied: ${output.reason}`);
      else said.push(`Tool ${event.name} result: ${output.context}`);
    }
    expect(said.sort()).toEqual(
      [
        "Tool write was denied: A rule refuses write.",
        'Calling shell with {"command":"echo hello"}',
        '[shell] {"output":"hello\\n"}',
        "Tool shell result: hello",
        'Calling read with {"path":"missing"}',
        "Tool read failed: missing does not exis",
        'Calling read with {"__toolParseError":true,"',
        "Tool read failed: The arguments are not",
      ].sort(),
    );
  });

  test("the graph of an orchestrator's events: every type except a REPL's, each a node", async () => {
    const { agent, params } = await place();
    const crew = orchestrator({ agent });
    crew.spawn({ ...params, permissions: { allowlist: ["read", "shell"] } });
    let graph = createGraph();
    const events: HarnessEvent[] = [];
    for await (const event of crew.events()) {
      events.push(event);
      graph = reduceEvent(graph, event);
      if (event.type === "relay") crew.resolveRelay(event.id, { decision: "allow" });
    }
    closed(events);
    const types = new Set<HarnessEventType>(events.map(({ type }) => type));
    expect([...types].sort()).toEqual(
      [
        "error",
        "harness_end",
        "harness_start",
        "reasoning",
        "relay",
        "text",
        "tool_call",
        "tool_progress",
        "tool_result",
        "usage",
        "user",
      ].sort(),
    );
    for (const event of events) {
      const id =
        event.type === "tool_result"
          ? `${event.id}:result`
          : event.type === "harness_start"
            ? `${event.runId}:start`
            : event.type === "harness_end"
              ? `${event.runId}:end`
              : event.id;
      expect(graph.nodes.has(id ?? ""), `${event.type} ${id}`).toBe(true);
    }
  });
});

test("tools of MCP servers work in the loop", { timeout: 60_000 }, async () => {
  const server = join(import.meta.dirname, "../../../dist/cli/mcp-server.js");
  const servers = await mcpTools([{ name: "demo", command: process.execPath, args: [server], env: {} }]);
  try {
    const { tools } = servers;
    expect(Object.keys(tools)).toContain("demo__echo");
    const { agent } = await place("turns: [{ tools: [{ mcp: { server: demo, tool: echo, input: { text: hi } } }] }, { text: Done. }]");
    const results: unknown[] = [];
    for await (const event of agent.invoke({ model, messages, tools, permissions: { allowlist: ["demo__*"] } }))
      if (event.type === "tool_result") results.push(event.output);
    expect(results).toMatchObject([{ context: expect.stringContaining("hi") }]);
  } finally {
    await servers.close();
  }
  await expect(mcpTools([{ name: "none", command: "/no/such/program", args: [], env: {} }])).rejects.toThrow(
    "The MCP server none cannot be used",
  );
});
