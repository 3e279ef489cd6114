import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { derive } from "../../../src/host/recording/index.ts";
import { createGraph, reduceEvent } from "../../../src/pure/conversation/graph.ts";
import type { Harness, HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { orchestrator } from "../../../src/work/native/orchestrator.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { isAlive } from "../../support/place.ts";
import { accessTo, all, closed, folder, models, only, scripted, textOf } from "./support.ts";

async function crew(scenario: string, options: { readonly maxAgents?: number } = {}) {
  const root = folder();
  const model = models.compatible;
  const agent = agentHarness({ provider: providerHarness(accessTo(await scripted(scenario), model)) });
  const tools = await workspaceTools({ root });
  const task = (content: string, allowlist: readonly string[] = ["*"]) => ({
    model,
    messages: [{ role: "user" as const, content }],
    tools,
    permissions: { allowlist },
  });
  return { root, task, crew: orchestrator({ agent, ...options }) };
}

const of = (events: readonly HarnessEvent[], id: string) => {
  const runs = new Set([id]);
  return events.filter((event) => {
    if (event.type === "harness_start" && event.parentId !== undefined && runs.has(event.parentId)) runs.add(event.runId);
    return runs.has(event.runId);
  });
};

describe("an orchestrator", () => {
  test("many agents in one stream, each complete and in its own order", async () => {
    const { task, crew: many } = await crew("turns: [{ text: I look., tools: [{ list: . }] }, { text: Done. }]");
    const ids = Array.from({ length: 12 }, () => many.spawn(task("Go.")));
    const events = await all(many.events());
    closed(events);
    expect(new Set(ids).size).toBe(12);
    for (const id of ids) {
      const own = of(events, id);
      expect(textOf(own)).toBe("I look.Done.");
      expect(own.at(-1)).toMatchObject({ type: "harness_end", runId: id, reason: "final" });
    }
    const graph = events.reduce(reduceEvent, createGraph());
    for (const id of ids) expect(graph.nodes.has(`${id}:end`)).toBe(true);
  });

  test("a question stops only its agent; the reader of the stream can answer it", async () => {
    const { root, task, crew: many } = await crew("turns: [{ tools: [{ write: { path: asked, content: x } }] }, { text: Done. }]");
    const waits = many.spawn(task("Go.", []));
    const goes = many.spawn(task("Go."));
    const seen: HarnessEvent[] = [];
    let relay: string | undefined;
    for await (const event of many.events()) {
      seen.push(event);
      if (event.type === "relay") relay = event.id;
      if (event.type === "harness_end" && event.runId === goes) expect(many.resolveRelay(relay ?? "", { decision: "deny" })).toBe(true);
    }
    closed(seen);
    expect(seen.at(-1)).toMatchObject({ type: "harness_end", runId: waits, reason: "final" });
    expect(existsSync(join(root, "asked"))).toBe(true);
    expect(many.resolveRelay(relay ?? "", { decision: "allow" })).toBe(false);
  });

  test("one is killed, and the others continue", async () => {
    const { root, task, crew: many } = await crew(`turns: [{ tools: [{ run: "echo $$ > pid; sleep 1000" }] }, { text: Done. }]`);
    const killed = many.spawn(task("Go.", ["shell"]));
    const lives = many.spawn(task("Go.", []));
    const seen: HarnessEvent[] = [];
    for await (const event of many.events()) {
      seen.push(event);
      if (event.type === "relay") {
        await expect
          .poll(() => existsSync(join(root, "pid")) && readFileSync(join(root, "pid"), "utf8") !== "", { timeout: 20_000 })
          .toBe(true);
        expect(many.kill(killed)).toBe(true);
      }
      if (event.type === "harness_end" && event.runId === killed) many.resolveRelay(only(seen, "relay")[0]?.id ?? "", { decision: "deny" });
    }
    closed(seen);
    expect(only(seen, "harness_end").find(({ runId }) => runId === killed)?.reason).toBe("error");
    expect(only(seen, "harness_end").find(({ runId }) => runId === lives)?.reason).toBe("final");
    expect(isAlive(Number(readFileSync(join(root, "pid"), "utf8")))).toBe(false);
    expect(many.kill(killed)).toBe(false);
  });

  const start = { type: "harness_start", runId: "own", depth: 0 } as const;
  /** Does nothing until it is aborted. */
  const obedient: Harness<{ readonly signal: AbortSignal }> = {
    async *invoke({ signal }) {
      yield start;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  };
  const deaf: Harness<object> = {
    async *invoke() {
      yield start;
      await new Promise(() => {});
    },
  };
  test.each([
    ["returns on its signal", obedient],
    ["ignores its signal", deaf],
  ])("a killed harness that %s is canceled, recorded or not", { timeout: 20_000 }, async (_, harness) => {
    const record = { dataDirectory: join(folder(), "data"), environment: {} };
    for (const many of [orchestrator({ record }), orchestrator()]) {
      const id = many.spawn({ harness: harness as Harness<never>, params: {} });
      setTimeout(() => many.kill(id), 100);
      const seen = await all(many.events());
      expect(seen.at(-2)).toMatchObject({ type: "error", runId: id, code: "canceled" });
      expect(seen.at(-1)).toMatchObject({ type: "harness_end", runId: id, reason: "error" });
      for (const { sealed } of many.recordings.values()) expect(await sealed).toMatchObject({ status: "canceled", stopped: "cancel" });
    }
  });

  test("no more in parallel than allowed; more can be spawned during reading", async () => {
    const { task, crew: many } = await crew("turns: [{ text: Done. }]", { maxAgents: 1 });
    many.spawn(task("Go."));
    many.spawn(task("Go."));
    const seen: HarnessEvent[] = [];
    let more = 2;
    for await (const event of many.events()) {
      seen.push(event);
      if (event.type === "harness_end" && more-- > 0) many.spawn(task("Go."));
    }
    closed(seen);
    const mains = seen
      .filter((event) => event.type !== "harness_start" || event.agent !== "provider")
      .filter(({ runId }) => runId.startsWith("agent_"));
    const order = mains.filter(({ type }) => type === "harness_start" || type === "harness_end").map(({ type }) => type);
    expect(order).toEqual(order.map((_, index) => (index % 2 === 0 ? "harness_start" : "harness_end")));
    expect(order).toHaveLength(8);
  });

  test("any agent that can be run works next to those in the process, and its output is recorded", async () => {
    const { task, crew: many } = await crew("turns: [{ text: In the process. }]");
    const data = folder();
    const cwd = folder();
    const first = many.spawn({ agent: "generic", command: "echo from {prompt}", prompt: "outside", cwd, dataDirectory: data });
    const second = many.spawn({ agent: "generic", command: "echo also from {prompt}", prompt: "outside", cwd, dataDirectory: data });
    const inside = many.spawn(task("Go."));
    const events = await all(many.events());
    closed(events);
    expect(textOf(of(events, first)).trim()).toBe("from outside");
    expect(textOf(of(events, second)).trim()).toBe("also from outside");
    expect(textOf(of(events, inside))).toBe("In the process.");
    expect(existsSync(join(data, "runs"))).toBe(true);
  });

  test("a failed start has a beginning and an end too", async () => {
    const many = orchestrator();
    expect(() => many.spawn({ model: "x/y", messages: [] })).toThrow("Tasks without a harness need an agent");
    const id = many.spawn({ agent: "no-such-agent", prompt: "Go." });
    const events = await all(many.events());
    closed(events);
    expect(events).toMatchObject([
      { type: "harness_start", runId: id },
      { type: "error", message: expect.stringContaining("no-such-agent") },
      { type: "harness_end", reason: "error" },
    ]);
  });

  test("a harness that throws immediately is a failed agent; an id belongs to one agent at a time", async () => {
    const many = orchestrator();
    const harness: Harness<never> = {
      invoke() {
        throw new Error("not today");
      },
    };
    const id = many.spawn({ harness, params: {} });
    const events = await all(many.events());
    closed(events);
    expect(events.map(({ type, runId }) => `${type} ${runId}`)).toEqual([`harness_start ${id}`, `error ${id}`, `harness_end ${id}`]);
    many.spawn({ agent: "no-such-agent", prompt: "Go.", runId: "mine" });
    expect(() => many.spawn({ agent: "claude", prompt: "Go.", runId: "mine" })).toThrow("An agent with the id mine is already running");
    await all(many.events());
  });

  test("on request it records everything that is spawned, each as a separate run", async () => {
    const root = folder();
    const harness: Harness<{ readonly runId: string; readonly content: string }> = {
      async *invoke({ runId, content }) {
        yield { type: "harness_start", runId, parentId: "boss" };
        yield { type: "text", runId, id: "1", content };
        if (content === "broken") throw new Error("not today");
        yield { type: "harness_end", runId, reason: "final", iterations: 1, totalUsage: { inputTokens: 1, outputTokens: 1 } };
      },
    };
    const many = orchestrator({ record: { dataDirectory: root, environment: {}, tags: ["crew"] } });
    const spawn = (content: string) =>
      many.spawn({ harness: harness as Harness<never>, params: { content, prompt: "Go.", parentId: "boss" } });
    const ids = [spawn("one"), spawn("two"), spawn("broken")];
    const events = await all(many.events());
    expect([...many.recordings.keys()]).toEqual(ids);
    for (const [i, id] of ids.entries()) {
      const { directory, sealed } = many.recordings.get(id) ?? expect.unreachable();
      expect((await sealed).status).toBe(i === 2 ? "failed" : "completed");
      const manifest = JSON.parse(readFileSync(join(directory, "run.json"), "utf8"));
      expect(manifest).toMatchObject({ tags: ["crew"], origin: { id: "in-process", about: { runId: id, parentId: "boss" } } });
      expect(readFileSync(join(directory, "prompt.txt"), "utf8")).toBe("Go.");
      const said = await all(derive(directory, { view: "conversation" }));
      if (i < 2) expect(said).toEqual(of(events, id));
    }
    expect(orchestrator().recordings.size).toBe(0);
  });
});
