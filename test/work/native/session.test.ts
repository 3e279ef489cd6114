import { tool } from "ai";
import { expect, test } from "vitest";
import { z } from "zod";
import { record } from "../../../src/host/recording/index.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import type { Tools } from "../../../src/work/native/tool.ts";
import { workspaceTools } from "../../../src/work/native/workspace-tools.ts";
import { accessTo, all, closed, countedIds, folder, models, only, scripted, served, textOf } from "./support.ts";

const model = models.anthropic;
const permissions = { allowlist: ["*"] };

async function start(scenario: string, more: Tools = {}) {
  const newId = countedIds();
  const server = await scripted(scenario);
  const agent = agentHarness({ provider: providerHarness({ ...accessTo(server, model), newId }), newId });
  const tools = { ...(await workspaceTools({ root: folder() })), ...more };
  return { agent, server, tools, session: agent.session({ model, tools, permissions }) };
}

const TWO = `
turns:
  - { tools: [{ write: { path: a, content: x } }] }
  - { text: Written. }
  - { text: Yes. }
  - { text: Also yes. }`;

test("K11: a conversation is continued: the model sees what was said and done before", async () => {
  const { session } = await start(TWO);
  const first = await all(session.send("Write a."));
  const second = await all(session.send("Is it there?"));
  closed(first);
  expect([textOf(first), textOf(second)]).toEqual(["Written.", "Yes."]);
  expect(session.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user", "assistant"]);
  const [start1] = only(first, "harness_start");
  expect(only(second, "harness_start")[0]?.parentId).toBe(`${start1?.runId}:end`);
});

test("K11: a fork continues from any node, and the first session does not change", async () => {
  const { session } = await start(TWO);
  const events = await all(session.send("Write a."));
  const call = only(events, "tool_result")[0]?.id ?? "";
  const fork = session.fork(call);
  expect(fork.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  await all(fork.send("Stop. Is it there?"));
  expect(fork.messages).toHaveLength(5);
  expect(session.messages).toHaveLength(4);
  expect(session.fork().messages).toEqual(session.messages);
  expect(() => session.fork("nowhere")).toThrow('The session has no node "nowhere".');
});

test("K11: a recorded session is resumed from its directory", async () => {
  const { session, agent, tools } = await start(TWO);
  const events = record(session.send("Write a."), { agent: "native", dataDir: folder(), model } as never);
  await all(events as AsyncIterable<HarnessEvent>);
  await (events as { sealed?: Promise<unknown> }).sealed;
  const resumed = agent.session({ model, tools, permissions, resume: { directory: (events as { directory: string }).directory } });
  expect(resumed.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(textOf(await all(resumed.send("Is it there?")))).toBe("Yes.");
});

test("a message steers the run that is under way", async () => {
  const { session } = await start(TWO);
  const events: HarnessEvent[] = [];
  for await (const event of session.send("Write a.")) {
    events.push(event);
    if (event.type === "tool_result") session.steer("And be brief.");
  }
  closed(events);
  expect(only(events, "user").map(({ content }) => content)).toEqual(["Write a.", "And be brief."]);
  expect(session.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
});

test("a message that comes with the last answer is answered in the same run", async () => {
  const { session } = await start(TWO);
  const events: HarnessEvent[] = [];
  for await (const event of session.send("Write a.")) {
    events.push(event);
    if (event.type === "text" && event.content.includes("Written")) session.steer("Is it there?");
  }
  closed(events);
  expect(textOf(events)).toBe("Written.Yes.");
});

test("one message at a time; canceling ends the run, and the session continues", async () => {
  const { url } = await served(() => {}); // never answers
  const agent = agentHarness({ provider: providerHarness({ baseUrl: `${url}/v1`, apiKey: "k", environment: {} }) });
  const session = agent.session({ model });
  expect(session.cancel()).toBe(false);
  const events: HarnessEvent[] = [];
  for await (const event of session.send("Go.")) {
    events.push(event);
    if (event.type !== "user") continue;
    await expect(session.send("Again.").next()).rejects.toThrow("The session is still answering");
    expect(session.cancel()).toBe(true);
  }
  closed(events);
  expect(events.at(-1)).toMatchObject({ type: "harness_end", reason: "error" });
  expect(session.messages).toEqual([{ role: "user", content: "Go." }]);
});

test("K12: needsApproval of the AI SDK asks a user, also if a rule allows the tool", async () => {
  const ran: number[] = [];
  const pay = tool({
    inputSchema: z.object({ euros: z.number() }),
    needsApproval: ({ euros }) => euros > 10,
    execute: ({ euros }) => {
      ran.push(euros);
      return "paid";
    },
  });
  const calls = [5, 50, 500, 50].map((euros) => `{ name: pay, input: { euros: ${euros} } }`).join(", ");
  const { session, agent } = await start(
    `turns: [{ tools: [${calls}] }, { tools: [{ name: pay, input: { euros: 50 } }] }, { text: Done. }]`,
    { pay },
  );
  const asked: unknown[] = [];
  for await (const event of session.send("Pay.")) {
    if (event.type !== "relay") continue;
    asked.push(event.params);
    agent.resolveRelay(event.id, (event.params as { euros: number }).euros > 100 ? "deny" : "always");
  }
  expect(asked).toEqual([{ euros: 50 }, { euros: 500 }, { euros: 50 }]);
  expect(ran.toSorted((a, b) => a - b)).toEqual([5, 50, 50, 50]);
});

test("K6: no result takes more than its share of the conversation", async () => {
  const flood = tool({ inputSchema: z.object({}), execute: () => `start ${"x".repeat(3_000_000)} end` });
  const fails = tool({
    inputSchema: z.object({}),
    execute: (): string => {
      throw new Error("y".repeat(3_000_000));
    },
  });
  const scenario = "turns: [{ tools: [{ name: flood, input: {} }, { name: fails, input: {} }] }, { text: Done. }]";
  const { session } = await start(scenario, { flood, fails });
  const events = await all(session.send("Go."));
  expect(JSON.stringify(session.messages).length).toBeLessThan(260_000);
  const [first] = only(events, "tool_result");
  expect((first?.output as { context: string } | undefined)?.context).toMatch(/^start x.*… \(about \d+ characters left out\)\nx+ end$/s);
});
