import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Harness, HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { type ProviderCall, providerHarness } from "../../../src/work/native/provider-harness.ts";
import { replHarness } from "../../../src/work/native/repl/repl-harness.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { isAlive } from "../../support/place.ts";
import { accessTo, all, closed, folder, models, scripted } from "./support.ts";

const SCENARIO = `
turns:
  - reasoning: I think.
    text: I start several calls together.
    tools: [{ run: "echo $$ > pid; sleep 1000 & echo $! > child; wait" }, { list: . }, { agent: "Work. [[scenario/sub]]" }, { write: { path: x, content: y } }]
    chunk: { size: 6, every: 5ms }
  - { text: Done. }
subagents: { sub: { turns: [{ text: I work on it too., tools: [{ run: "echo $$ > other; sleep 1000" }] }, { text: So. }] } }
`;

async function start() {
  const root = folder();
  const model = models.anthropic;
  const agent = agentHarness({ provider: providerHarness(accessTo(await scripted(SCENARIO), model)) });
  const stop = new AbortController();
  const permissions = { allowlist: ["shell", "list", "task"] };
  const events = agent.invoke({
    model,
    messages: [{ role: "user", content: "Go." }],
    tools: await workspaceTools({ root }),
    permissions,
    signal: stop.signal,
  });
  const pid = (name: string) => Number(existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : "0");
  return { root, events, stop, pids: () => ["pid", "child", "other"].map(pid).filter((each) => each > 0) };
}

describe("canceling", () => {
  /** Cancels right after this many events, before an agent waits for its shells and for a user's decision. */
  test.each([1, 3, 4, 6, 9, 13, 15, 18, 21, 24])(
    "after event %d everything is closed within a second, and nothing is left running",
    async (count) => {
      const { events, stop, pids } = await start();
      const seen: HarnessEvent[] = [];
      let since = 0;
      const cancel = () => {
        since = performance.now();
        stop.abort();
      };
      const late = setTimeout(cancel, 3000); // in case it waits after fewer events
      for await (const event of events) if (seen.push(event) === count) cancel();
      clearTimeout(late);
      const took = performance.now() - since;
      closed(seen);
      expect(seen.at(-1)).toMatchObject({ type: "harness_end", reason: "error" });
      expect(took).toBeLessThan(1000 * 5);
      await expect.poll(() => pids().filter(isAlive), { timeout: 10_000 }).toEqual([]);
    },
  );

  test("leaving the loop leaves nothing running", async () => {
    const { events, pids } = await start();
    for await (const event of events) {
      if (event.type !== "tool_call" || event.name !== "shell") continue;
      await expect.poll(() => pids().length, { timeout: 20_000 }).toBeGreaterThan(1);
      break;
    }
    await expect.poll(() => pids().filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  test("before it starts", async () => {
    const { events, stop } = await start();
    stop.abort();
    const seen = await all(events);
    closed(seen);
    expect(seen.at(-1)).toMatchObject({ type: "harness_end", reason: "error", iterations: 0 });
  });

  test("does not wait for a tool that ignores the signal", async () => {
    const stop = new AbortController();
    const deaf = {
      inputSchema: { [Symbol.for("vercel.ai.schema")]: true, jsonSchema: { type: "object" }, validate: undefined } as never,
      execute: () => new Promise<never>(() => {}),
    };
    const model = models.anthropic;
    const agent = agentHarness({ provider: providerHarness(accessTo(await scripted("turns: [{ tools: [{ name: deaf }] }]"), model)) });
    const events = agent.invoke({
      model,
      messages: [{ role: "user", content: "Go." }],
      tools: { deaf },
      permissions: { allowlist: ["*"] },
      signal: stop.signal,
    });
    const seen: HarnessEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      if (event.type === "tool_call") stop.abort();
    }
    closed(seen);
    expect(seen.find(({ type }) => type === "tool_result")).toMatchObject({ output: { error: "Canceled before it had ended." } });
  });

  test.each(["is silent", "never stops"])("does not wait for a custom provider that ignores the signal and %s", async (how) => {
    const provider: Harness<ProviderCall> = {
      async *invoke({ parentId = "" }) {
        yield { type: "harness_start", runId: "p", parentId, agent: "provider" };
        if (how === "is silent") await new Promise(() => {});
        for (;;) {
          yield { type: "text", runId: "p", id: "p/t", content: "x" };
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      },
    };
    for (const harness of [agentHarness({ provider }), replHarness({ provider })]) {
      const stop = new AbortController();
      const call = { model: "local/x", messages: [{ role: "user" as const, content: "Go." }], prompt: "Go.", signal: stop.signal };
      const seen: HarnessEvent[] = [];
      setTimeout(() => stop.abort(), 200);
      for await (const event of harness.invoke(call)) seen.push(event);
      closed(seen);
      expect(seen.at(-1)).toMatchObject({ type: "harness_end", reason: "error" });
      expect(seen.find(({ type }) => type === "error")).toMatchObject({ runId: "p", code: "canceled" });
    }
  });
});
