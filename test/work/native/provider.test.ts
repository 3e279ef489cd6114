import { jsonSchema } from "ai";
import { describe, expect, test } from "vitest";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { type ProviderOptions, providerHarness } from "../../../src/work/native/provider-harness.ts";
import { accessTo, all, countedIds, KEY, models, only, refusing, scripted, served, textOf } from "./support.ts";

const messages = [{ role: "user" as const, content: "Go." }];
const inputSchema = jsonSchema<unknown>({ type: "object", properties: { path: { type: "string" } } });
const tools = { read: { description: "Reads", inputSchema } };

const ANSWER = `
turns:
  - reasoning: I think about it.
    text: I will look at the readme.
    tools: [{ name: read, input: { path: README.md } }, { name: read, input: "{ not json" }]
    usage: { input: 100, cacheRead: 20, output: 30, reasoning: 5 }
    chunk: { size: 9, every: 20ms }
`;

const BROKEN = { __toolParseError: true, parseError: expect.stringContaining("JSON"), rawArguments: "{ not json" };

/** The end of a failed call: an error and the end of its run; nothing is called. */
function expectFailure(events: readonly HarnessEvent[], message: RegExp, code: string): void {
  expect(events.slice(-2)).toMatchObject([
    { type: "error", runId: "call-1", message: expect.stringMatching(message), code },
    { type: "harness_end", runId: "call-1", reason: "error", iterations: 1 },
  ]);
  expect(only(events, "tool_call")).toEqual([]);
  expect(only(events, "error")).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain(KEY);
}

describe.each(Object.entries(models))("the provider harness speaks %s", (dialect, model) => {
  const provider = async (scenario: string, options: ProviderOptions = {}) =>
    providerHarness({ ...accessTo(await scripted(scenario), model), newId: countedIds(), ...options });

  test("reasoning and text with stable ids, then calls, usage and the end", async () => {
    // Gemini's arguments are not a text: a call that is not JSON spoils the whole answer.
    const scenario = dialect === "google" ? ANSWER.replace(', { name: read, input: "{ not json" }', "") : ANSWER;
    const events = await all((await provider(scenario)).invoke({ model, messages, tools, parentId: "above", depth: 1 }));
    const usage = {
      inputTokens: 100,
      outputTokens: 35,
      cacheReadTokens: 20,
      ...(["anthropic", "openai"].includes(dialect) && { cacheCreationTokens: 0 }),
    };
    const runId = "call-1";
    const calls = [
      { type: "tool_call", runId, id: "call_0001_0", name: "read", input: { path: "README.md" } },
      { type: "tool_call", runId, id: "call_0001_1", name: "read", input: BROKEN },
    ];
    expect(new Set(events.map(({ parentId }) => parentId))).toEqual(new Set(["above"]));
    expect(events.map(({ parentId: _, ...event }) => event)).toEqual([
      { type: "harness_start", runId, agent: "provider", model, depth: 1 },
      { type: "reasoning", runId, id: "call-1/reasoning-0", content: "I think about it." },
      { type: "text", runId, id: "call-1/text-1", content: "I will lo" },
      { type: "text", runId, id: "call-1/text-1", content: "ok at the" },
      { type: "text", runId, id: "call-1/text-1", content: " readme." },
      ...(dialect === "google" ? calls.slice(0, 1) : calls),
      { type: "usage", runId, id: "call-1/usage", ...usage },
      { type: "harness_end", runId, reason: "final", iterations: 1, totalUsage: usage },
    ]);
  });

  test("returns the model's message in the form that it must be sent back", async () => {
    const events = (await provider(ANSWER)).invoke({ model, messages, tools });
    let step = await events.next();
    while (!step.done) step = await events.next();
    expect(step.value.message?.content).toMatchObject([
      { type: "reasoning", text: "I think about it." },
      { type: "text", text: "I will look at the readme." },
      { type: "tool-call", toolCallId: "call_0001_0", toolName: "read", input: { path: "README.md" } },
      ...(dialect === "google" ? [] : [{ type: "tool-call", toolCallId: "call_0001_1" }]),
    ]);
  });

  test.each([
    [
      "{ status: 429, headers: { retry-after: 7 } }",
      /^HTTP 429 Too Many Requests: Scripted failure: Too Many Requests \(asks to wait 7 s\)$/,
      "http",
    ],
    ["{ status: 401 }", /^HTTP 401 Unauthorized: Scripted failure: Unauthorized$/, "http"],
    ["{ status: 500, body: <html> }", /^HTTP 500 Internal Server Error$/, "http"],
    ["{ cut: mid-text }", /terminated|other side closed|ECONNRESET/, "stream"],
    ["{ cut: before-stop }", /terminated|other side closed|ECONNRESET/, "stream"],
    ["{ error: overloaded }", /overloaded/, dialect === "google" ? "http" : "stream"],
    ["{ error: context }", /tokens|context/, dialect === "openai" ? "stream" : "http"],
  ])("the fault %s is an error and an end", async (fault, message, code) => {
    const events = await all(
      (await provider(`turns: [{ text: A text that is long enough to come in pieces., fault: ${fault} }]`)).invoke({
        model,
        messages,
        tools,
      }),
    );
    expectFailure(events, message, code);
  });

  test("waits for a slow stream, but not for silence", async () => {
    const slow = await provider("turns: [{ text: Slowly it comes., chunk: { size: 3, every: 60ms } }]", { idleMs: 5000 });
    expect(textOf(await all(slow.invoke({ model, messages, tools })))).toBe("Slowly it comes.");
    const silent = await provider("turns: [{ text: Never., delay: 60s }]", { idleMs: 150 });
    expectFailure(await all(silent.invoke({ model, messages, tools })), /said nothing for 0.15 s/, "timeout");
  });

  test("an endless answer is stopped", async () => {
    const drip = await provider(`turns: [{ text: { repeat: abc, times: 100000 }, chunk: { size: 3, every: 10ms } }]`, { totalMs: 300 });
    expectFailure(await all(drip.invoke({ model, messages, tools })), /not complete after 0.3 s/, "timeout");
  });

  test("canceling ends it immediately, before and during the answer", async () => {
    for (const turn of ["{ text: Never., delay: 60s }", "{ text: { repeat: abc, times: 1000 }, chunk: { size: 3, every: 20ms } }"]) {
      const stop = new AbortController();
      const events = (await provider(`turns: [${turn}]`)).invoke({ model, messages, tools, signal: stop.signal });
      setTimeout(() => stop.abort(), 150);
      const since = performance.now();
      expectFailure(await all(events), /^Canceled$/, "canceled");
      expect(performance.now() - since).toBeLessThan(1000 * 3);
    }
  });

  test("leaving the loop leaves no connection behind", async () => {
    const server = await scripted("turns: [{ text: { repeat: abc, times: 10000 }, chunk: { size: 3, every: 20ms } }]");
    for await (const event of providerHarness(accessTo(server, model)).invoke({ model, messages, tools })) if (event.type === "text") break;
    await expect.poll(() => server.ledger[0]?.aborted, { timeout: 5000 }).toBe(true);
  });
});

describe("servers that misbehave", () => {
  const model = "local/any";
  const said = async (body: string, type = "text/event-stream") => {
    const { url } = await served((_, response) => response.writeHead(200, { "content-type": type }).end(body));
    return await all(providerHarness({ baseUrl: url, environment: {}, newId: countedIds() }).invoke({ model, messages }));
  };
  const chunk = (content: string) => `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content } }] })}\n\n`;

  test("a frame that is not JSON", async () => {
    const events = await said(`${chunk("Hello")}data: {"choices": [\n\n${chunk(" there")}`);
    expectFailure(events, /^The model's server sent data that its protocol does not allow/, "stream");
    expect(textOf(events)).toBe("Hello there");
  });

  test("a stream that ends silently before the answer is complete", async () => {
    expectFailure(await said(chunk("Hello")), /ended without a finish reason/, "stream");
  });

  test("an empty response, and an HTML page", async () => {
    expectFailure(await said(""), /ended without|sent what its protocol|Empty/, "stream");
    expectFailure(await said("<html>Welcome</html>", "text/html"), /ended without|sent what/, "stream");
  });

  test("an echoed key is not repeated", async () => {
    const { url } = await served((request, response) =>
      response.writeHead(403).end(JSON.stringify({ error: { message: `Bad ${request.headers.authorization}` } })),
    );
    const events = await all(
      providerHarness({ baseUrl: url, apiKey: KEY, environment: {}, newId: countedIds() }).invoke({ model, messages }),
    );
    expectFailure(events, /HTTP 403 Forbidden: Bad Bearer …/, "http");
  });

  test("no server", async () => {
    const events = await all(
      providerHarness({ baseUrl: "http://127.0.0.1:9", environment: {}, newId: countedIds() }).invoke({ model, messages }),
    );
    expectFailure(events, /ECONNREFUSED|bad port|connect/i, "stream");
  });

  test("headers and then silence", async () => {
    const { url } = await served(
      (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n"),
    );
    expectFailure(
      await all(providerHarness({ baseUrl: url, environment: {}, idleMs: 150, newId: countedIds() }).invoke({ model, messages })),
      /said nothing/,
      "timeout",
    );
  });
});

describe("choosing a model", () => {
  test("an id without a provider, and one without a key, are misuse", async () => {
    const provider = providerHarness({ environment: {} });
    await expect(provider.invoke({ model: "gpt-7", messages }).next()).rejects.toThrow(
      'Unknown model "gpt-7": start its name with its provider: anthropic/, openai/',
    );
    await expect(provider.invoke({ model: "openai/gpt-7", messages }).next()).rejects.toThrow("No API key for openai: set OPENAI_API_KEY.");
  });

  test("each of Zen's families uses its own protocol", async () => {
    const server = await scripted("turns: [{ text: Hello. }]");
    const asked = async (model: string) => {
      const provider = providerHarness({ environment: { OPENCODE_API_KEY: KEY, OPENCODE_ZEN_BASE_URL: server.url } });
      await all(provider.invoke({ model, messages, tools }));
      return server.ledger.at(-1)?.dialect;
    };
    expect(await asked("zen/claude-opus-5")).toBe("anthropic-messages");
    expect(await asked("zen/gpt-6")).toBe("openai-responses");
    expect(await asked("zen/kimi-k3")).toBe("openai-chat");
  });

  test("two user messages in a row become one: the templates of some models require alternating roles", async () => {
    const { url, bodies } = await refusing<{ messages: unknown }>();
    const provider = providerHarness({ baseUrl: url, environment: {} });
    const said = (role: "user" | "assistant", content: string) => ({ role, content });
    const conversation = [said("user", "one"), said("user", "two"), said("assistant", "three"), said("user", "four")];
    await all(provider.invoke({ model: "local/m", messages: conversation }));
    expect(bodies[0]?.messages).toMatchObject([
      { role: "user", content: "one\n\ntwo" },
      { role: "assistant", content: "three" },
      { role: "user", content: "four" },
    ]);
  });

  test("lists the models of providers with a key, and of a server that needs none", async () => {
    const server = await scripted("turns: [{ text: Hello. }]");
    const environment = {
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: server.url,
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: server.url,
      LOCAL_MODEL_URL: `${server.url}/v1`,
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    };
    const provider = providerHarness({ environment });
    expect(await provider.supportedModels()).toEqual(["anthropic/scripted", "google/scripted", "local/scripted"]);
    expect(await provider.supportedModels("google")).toEqual(["google/scripted"]);
  });

  test("if no provider lists its models, the error says why", async () => {
    const dead = { LOCAL_MODEL_URL: "http://127.0.0.1:9" };
    const refusing = await served((_request, response) => void response.writeHead(401).end(`no such key: ${KEY}`));
    const environment = { ...dead, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: refusing.url };
    await expect(providerHarness({ environment: dead }).supportedModels()).rejects.toThrow(
      /^No provider listed its models \(local: .*\)\. Set the key of a provider \(ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, /,
    );
    await expect(providerHarness({ environment }).supportedModels()).rejects.toThrow("anthropic: HTTP 401 Unauthorized; local: ");
    await expect(providerHarness({ environment }).supportedModels("openai")).rejects.toThrow("No API key for openai");
    await expect(providerHarness({ environment }).supportedModels("unknown")).rejects.toThrow("Known: anthropic, openai, google");
  });

  test("a given key goes only to the named provider", async () => {
    const keys: unknown[] = [];
    const server = await served((request, response) => {
      keys.push(request.headers["authorization"]);
      response.end(JSON.stringify({ data: [{ id: "m" }, { nonsense: 1 }, null] }));
    });
    const provider = providerHarness({ apiKey: KEY, environment: { OPENAI_BASE_URL: server.url } });
    await expect(provider.supportedModels()).rejects.toThrow('name it, as in supportedModels("openai")');
    expect(keys).toEqual([]);
    expect(await provider.supportedModels("openai")).toEqual(["openai/m"]);
    expect(keys).toEqual([`Bearer ${KEY}`]);
  });

  test("an SDK model works too", async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const server = await scripted("turns: [{ text: Hello. }]");
    const model = createOpenAICompatible({ name: "mine", baseURL: `${server.url}/v1` })("scripted");
    const events = await all(providerHarness().invoke({ model, messages, tools }));
    expect(events[0]).toMatchObject({ model: "mine.chat/scripted" });
    expect(textOf(events)).toBe("Hello.");
  });
});
