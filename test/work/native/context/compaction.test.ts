import { tool } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { record } from "../../../../src/host/recording/index.ts";
import type { HarnessEvent } from "../../../../src/pure/events/harness-event.ts";
import type { AgentCall } from "../../../../src/work/native/agent-call.ts";
import { type AgentHarness, type AgentOptions, agentHarness } from "../../../../src/work/native/agent-harness.ts";
import { providerHarness } from "../../../../src/work/native/provider-harness.ts";
import { all, closed, countedIds, folder, only, served, textOf } from "../support.ts";

const model = "anthropic/scripted";
const permissions = { allowlist: ["*"] };

interface Request {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
}

/**
 * A server that counts a token per four characters, rejects what does not fit into its window as Anthropic does, and calls a tool until it
 * has answered `turns` times. A request without tools asks for a summary.
 */
async function smallModel({ window, turns, summary = "SUMMARY" }: { window: number; turns: number; summary?: string | null }) {
  const sizes: number[] = [];
  let [answers, rejections, summaries] = [0, 0, 0];
  const { url } = await served((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const tokens = Math.ceil(text.length / 4);
      const body = JSON.parse(text) as Request;
      const fail = (status: number, message: string) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
      const isSummary = body.tools === undefined;
      if (tokens > window) {
        rejections++;
        return fail(400, `prompt is too long: ${tokens} tokens > ${window} maximum`);
      }
      sizes.push(tokens);
      if (isSummary && summary === null) return fail(400, "no summary today");
      if (isSummary) summaries++;
      else answers++;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const isDone = isSummary || answers >= turns;
      const frames = [
        {
          type: "message_start",
          message: {
            id: "m",
            type: "message",
            role: "assistant",
            model: "x",
            content: [],
            usage: { input_tokens: tokens, output_tokens: 1 },
          },
        },
        isDone
          ? { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }
          : { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: `t${answers}`, name: "work", input: {} } },
        isDone
          ? { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: isSummary ? `${summary} ${summaries}` : "Done." } }
          : { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: `{"step":${answers}}` } },
        { type: "content_block_stop", index: 0 },
        {
          type: "message_delta",
          delta: { stop_reason: isDone ? "end_turn" : "tool_use", stop_sequence: null },
          usage: { output_tokens: 5 },
        },
        { type: "message_stop" },
      ];
      for (const frame of frames) response.write(`event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`);
      response.end();
    });
  });
  return {
    url,
    sizes,
    counts: () => ({ answers, rejections, summaries }),
  };
}

function agentOn(server: { readonly url: string }, options: Partial<AgentOptions> = {}): AgentHarness {
  const newId = countedIds();
  return agentHarness({
    provider: providerHarness({ baseUrl: `${server.url}/v1`, apiKey: "k", environment: {}, newId }),
    newId,
    ...options,
  });
}

/** A tool with long results. */
function work(characters: number) {
  return {
    work: tool({ inputSchema: z.object({ step: z.number() }), execute: ({ step }) => `result ${step} ${"x ".repeat(characters / 2)}` }),
  };
}

function call(more: Partial<AgentCall>): AgentCall {
  return { model, messages: [{ role: "user", content: "Do the whole TASK." }], permissions, maxIterations: 1000, ...more };
}

describe("K6: a conversation that is too long for the model", () => {
  test("is summarized before it is full, if the window is known", async () => {
    const server = await smallModel({ window: 20_000, turns: 30 });
    const events = await all(agentOn(server).invoke(call({ tools: work(8000), context: { window: 20_000 } })));
    closed(events);
    expect(events.at(-1)).toMatchObject({ type: "harness_end", reason: "final", iterations: 30 });
    expect(textOf(events)).toBe("Done.");
    const { rejections, summaries } = server.counts();
    expect(rejections).toBe(0);
    expect(summaries).toBeGreaterThan(2);
    const compactions = only(events, "compaction");
    expect(compactions).toHaveLength(summaries);
    expect(compactions[0]).toMatchObject({ content: "SUMMARY 1", trigger: "size", id: "agent-1/compaction-1" });
    expect(compactions[0]?.kept).toBeGreaterThan(0);
  });

  test("is summarized after the provider's error, if the window is unknown, and then before it is full", async () => {
    const server = await smallModel({ window: 20_000, turns: 60 });
    const events = await all(agentOn(server).invoke(call({ tools: work(8000) })));
    closed(events);
    expect(events.at(-1)).toMatchObject({ reason: "final", iterations: 60 });
    const triggers = only(events, "compaction").map(({ trigger }) => trigger);
    expect(triggers[0]).toBe("overflow");
    expect(triggers).toContain("size");
    expect(server.counts().rejections).toBeLessThan(4);
  });

  test("one result that alone does not fit is shortened", async () => {
    const server = await smallModel({ window: 8000, turns: 4 });
    const events = await all(agentOn(server).invoke(call({ tools: work(100_000) })));
    expect(events.at(-1)).toMatchObject({ reason: "final", iterations: 4 });
  });

  test("without a summary from the model, an excerpt replaces the beginning", async () => {
    const server = await smallModel({ window: 20_000, turns: 30, summary: null });
    const events = await all(agentOn(server, { retries: 0 }).invoke(call({ tools: work(8000), context: { window: 20_000 } })));
    closed(events);
    expect(events.at(-1)).toMatchObject({ reason: "final" });
    expect(only(events, "compaction")[0]?.content).toMatch(/^\(No model could summarize it.*Do the whole TASK.*calls work \{"step":1\}/s);
  });

  test("a prompt that cannot be shortened enough ends with the provider's error, without retries", async () => {
    const server = await smallModel({ window: 500, turns: 1 });
    const events = await all(agentOn(server).invoke(call({ system: "s".repeat(10_000) })));
    closed(events);
    expect(events.at(-1)).toMatchObject({ reason: "error" });
    expect(only(events, "error").some(({ code }) => code === "retry")).toBe(false);
    expect(server.counts().rejections).toBeLessThan(8);
  });

  test("a session of 500 turns stays within the window and in memory", { timeout: 120_000 }, async () => {
    const server = await smallModel({ window: 16_000, turns: 500 });
    const session = agentOn(server).session({ model, tools: work(4000), permissions, maxIterations: 1000, context: { window: 16_000 } });
    let [count, most] = [0, 0];
    for await (const event of session.send("Do the whole TASK.")) {
      count++;
      if (event.type === "tool_result") most = Math.max(most, JSON.stringify(session.messages).length);
    }
    expect(count).toBeGreaterThan(2000);
    expect(server.counts()).toMatchObject({ answers: 500, rejections: 0 });
    expect(Math.max(...server.sizes)).toBeLessThan(16_000);
    expect(JSON.stringify(session.messages).length).toBeLessThan(64_000);
    expect(textOf(await all(session.send("And now?")))).toBe("Done.");
  });

  test("a recorded run is resumed with its summary and the messages it kept", async () => {
    const server = await smallModel({ window: 20_000, turns: 30 });
    const agent = agentOn(server);
    const options = { model, tools: work(8000), permissions, maxIterations: 1000, context: { window: 20_000 } };
    const session = agent.session(options);
    const events = record(session.send("Do the whole TASK."), { agent: "native", dataDir: folder(), model } as never);
    await all(events as AsyncIterable<HarnessEvent>);
    const resumed = agent.session({ ...options, resume: { directory: (events as { directory: string }).directory } });
    expect(resumed.messages.map(({ role }) => role)).toEqual(session.messages.map(({ role }) => role));
    expect(resumed.messages[0]).toEqual(session.messages[0]);
    expect(JSON.stringify(resumed.messages)).not.toContain("result 2 ");
  });

  test("a fork works since the last compaction; older nodes are in the recording", async () => {
    const server = await smallModel({ window: 20_000, turns: 30 });
    const session = agentOn(server).session({ model, tools: work(8000), permissions, maxIterations: 1000, context: { window: 20_000 } });
    const events = await all(session.send("Do the whole TASK."));
    const last = only(events, "tool_result").at(-1)?.id ?? "";
    expect(session.fork(last).messages[0]).toMatchObject({ content: expect.stringContaining("SUMMARY") });
    await all(session.send("More."));
  });
});

describe("budgets", () => {
  test("of tokens, shared with subagents", async () => {
    const server = await smallModel({ window: 1_000_000, turns: 100 });
    const events = await all(agentOn(server).invoke(call({ tools: work(400), budget: { tokens: 5000 } })));
    closed(events);
    expect(events.at(-1)).toMatchObject({ reason: "error" });
    expect(only(events, "error").at(-1)).toMatchObject({
      code: "budget",
      message: expect.stringMatching(/^The budget of 5,000 tokens is used up: \d,\d{3} were used$/),
    });
  });

  test("of money, by your prices; an unknown price is not zero", async () => {
    const server = await smallModel({ window: 1_000_000, turns: 100 });
    const events = await all(agentOn(server).invoke(call({ tools: work(400), budget: { usd: 0.05, price: () => 0.02 } })));
    expect(only(events, "error").at(-1)).toMatchObject({ code: "budget", message: "The budget of $0.0500 is used up: $0.0600 were spent" });
    const unknown = await all(agentOn(server).invoke(call({ tools: work(400), budget: { usd: 0.05 } })));
    expect(only(unknown, "error").at(-1)).toMatchObject({
      message: "The budget of $0.0500 cannot be kept: the price of 1 answer is unknown",
    });
  });

  test("of time: it ends what is running", async () => {
    const { url } = await served(() => {}); // never answers
    const events = await all(agentOn({ url }).invoke(call({ budget: { ms: 50 } })));
    closed(events);
    expect(only(events, "error").at(-1)).toMatchObject({ code: "budget", message: "The time budget of 0.05 s is used up" });
  });
});
