import { describe, expect, test } from "vitest";
import { agentHarness } from "../../../src/work/native/agent-harness.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { thinkTags } from "../../../src/work/native/think-tags.ts";
import type { Tools } from "../../../src/work/native/tool.ts";
import { accessTo, all, models, only, refusing, served, textOf } from "./support.ts";

type Body = Record<string, never> & {
  readonly messages: readonly Record<string, unknown>[];
  readonly system?: readonly { readonly cache_control?: unknown }[];
  readonly prompt_cache_key?: string;
  readonly cache_control?: unknown;
};

/** Answers each request with the frames of Chat Completions, and keeps the requests. */
async function chat(answers: readonly (readonly object[])[]) {
  const bodies: Body[] = [];
  const { url } = await served((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      bodies.push(JSON.parse(text));
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const frame of answers[bodies.length - 1] ?? [])
        response.write(`data: ${JSON.stringify({ id: "c", created: 1, model: "x", ...frame })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
  });
  return { url, bodies };
}

const said = (delta: object, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
const DONE = [said({ content: "Fine." }), said({}, "stop")];

function agentAt(url: string, model: string) {
  const agent = agentHarness({ provider: providerHarness({ baseUrl: `${url}/v1`, apiKey: "k", environment: {} }), retries: 0 });
  const look = {
    inputSchema: { [Symbol.for("vercel.ai.schema")]: true, jsonSchema: { type: "object", properties: {} } },
    execute: () => "seen",
  };
  const tools: Tools = { look: look as never };
  return all(agent.invoke({ model, system: "S", messages: [{ role: "user", content: "Go." }], tools, permissions: { allowlist: ["*"] } }));
}

const CALL = said({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "look", arguments: "{}" } }] }, "tool_calls");

describe("K13: what a provider wants back", () => {
  test("OpenRouter's reasoning_details are joined, and sent back with their signature", async () => {
    const piece = (detail: object) => said({ reasoning_details: [{ index: 0, type: "reasoning.text", ...detail }] });
    const server = await chat([
      [piece({ text: "I should " }), piece({ text: "look." }), piece({ signature: "SIGNED", format: "anthropic" }), CALL],
      DONE,
    ]);
    const events = await agentAt(server.url, models.compatible);
    expect(textOf(events)).toBe("Fine.");
    expect(server.bodies[1]?.messages.find(({ role }) => role === "assistant")).toMatchObject({
      reasoning_details: [{ index: 0, type: "reasoning.text", text: "I should look.", signature: "SIGNED", format: "anthropic" }],
      tool_calls: [{ id: "c1" }],
    });
  });

  test("Anthropic's prompt has two cache marks: after the system prompt, and at its end", async () => {
    const { url, bodies } = await refusing<Body>();
    await agentAt(url, models.anthropic);
    const mark = { type: "ephemeral" };
    expect(bodies[0]?.system?.at(-1)?.cache_control).toEqual(mark);
    expect(bodies[0]?.messages.at(-1)).toMatchObject({ content: [{ type: "text", text: "Go.", cache_control: mark }] });
    expect(JSON.stringify(bodies[0]).match(/cache_control/g)).toHaveLength(2);
    await agentAt(url, models.openai);
    expect(bodies[1]?.prompt_cache_key).toMatch(/^agent/);
    await agentAt(url, "openrouter/anthropic/claude-sonnet-5");
    expect(bodies[2]?.cache_control).toEqual(mark);
    await agentAt(url, models.compatible);
    expect(JSON.stringify(bodies[3])).not.toContain("cache");
  });
});

describe("K19: usage as it was reported", () => {
  test("a cache that the provider does not mention is unknown, not zero; the price is read", async () => {
    const usage = (more: object) => ({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, ...more } });
    const plain = await chat([[...DONE, usage({})]]);
    const [without] = only(await agentAt(plain.url, models.compatible), "usage");
    expect(without).toMatchObject({ inputTokens: 10, outputTokens: 2 });
    expect(without).not.toHaveProperty("cacheReadTokens");
    const rich = await chat([[...DONE, usage({ prompt_tokens_details: { cached_tokens: 0 }, cost: 0.25 })]]);
    expect(only(await agentAt(rich.url, models.compatible), "usage")[0]).toMatchObject({ cacheReadTokens: 0, costUsd: 0.25 });
  });

  test("a sum that lacks an answer is marked as incomplete", async () => {
    const usage = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } };
    const server = await chat([[CALL, usage], DONE]);
    expect((await agentAt(server.url, models.compatible)).at(-1)).toMatchObject({ totalUsage: { inputTokens: 10, incomplete: true } });
  });
});

describe("K24: <think> in an answer", () => {
  test("is reasoning, at the beginning only, however it is cut into pieces", async () => {
    for (const whole of [
      "<think>\nA < b.</think>\n\nThe answer </think>.",
      "\n<think>x</think>y",
      "<think>",
      "<thin",
      "no <think>x</think>",
      "<think>never ends </thi",
    ]) {
      const once = split([whole]);
      for (let size = 1; size < 9; size++) expect(split(whole.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [])).toEqual(once);
    }
    expect(split(["<think>\nA < b.</think>\n\nThe answer </think>."])).toEqual({ reasoning: "\nA < b.", text: "The answer </think>." });
    expect(split(["no <think>x</think>"])).toEqual({ reasoning: "", text: "no <think>x</think>" });
    expect(split(["<think>never ends </thi"])).toEqual({ reasoning: "never ends </thi", text: "" });
  });

  test("from a local model", async () => {
    const pieces = ["<th", "ink>Hm", ".</think", ">\n\n", "Fine", "."];
    const server = await chat([[...pieces.map((content) => said({ content })), said({}, "stop")]]);
    const provider = providerHarness(accessTo(server, "local/x"));
    const events = await all(provider.invoke({ model: "local/x", messages: [{ role: "user", content: "Go." }] }));
    expect(textOf(events)).toBe("Fine.");
    expect(
      only(events, "reasoning")
        .map(({ content }) => content)
        .join(""),
    ).toBe("Hm.");
  });
});

function split(pieces: readonly string[]): { readonly text: string; readonly reasoning: string } {
  const tags = thinkTags();
  const out = { text: "", reasoning: "" };
  for (const { type, text } of [...pieces.flatMap((piece) => tags.push(piece)), tags.end()]) out[type] += text;
  return out;
}
