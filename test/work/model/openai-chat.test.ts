import { describe, expect, test } from "vitest";
import { dialects, type Json, post, serve } from "./support.ts";

const { path, body } = dialects.chat;

const FULL = `
turns:
  - reasoning: Let me think.
    text: I will look.
    tools:
      - name: read
        input: { path: a.txt }
      - name: broken
        input: '{"path": '
    usage: { input: 100, cacheRead: 20, cacheWrite: 3, output: 30, reasoning: 5 }
`;

const ENVELOPE = { id: "chatcmpl-0001", created: expect.any(Number), model: "scripted-c" };

/** Tokens written to a cache count as input here. */
const USAGE = {
  prompt_tokens: 123,
  completion_tokens: 35,
  total_tokens: 158,
  prompt_tokens_details: { cached_tokens: 20 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

describe("OpenAI Chat Completions", () => {
  test("a streamed answer: reasoning, text, calls, gross usage in its own chunk, and the end", async () => {
    const server = await serve([FULL]);
    const { status, events, text } = await post(server, path, body(["go"]));
    expect(status).toBe(200);
    expect(text).not.toContain("event:");
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    const chunks = events.slice(0, -1).map(({ data }) => data);
    for (const chunk of chunks) expect(chunk).toMatchObject({ ...ENVELOPE, object: "chat.completion.chunk" });
    expect(chunks.flatMap((chunk) => chunk["choices"] as Json[])).toEqual(
      [
        { role: "assistant", content: "" },
        { reasoning_content: "Let me think." },
        { content: "I will look." },
        { tool_calls: [{ index: 0, id: "call_0001_0", type: "function", function: { name: "read", arguments: "" } }] },
        { tool_calls: [{ index: 0, function: { arguments: '{"path":"a.txt"}' } }] },
        { tool_calls: [{ index: 1, id: "call_0001_1", type: "function", function: { name: "broken", arguments: "" } }] },
        { tool_calls: [{ index: 1, function: { arguments: '{"path": ' } }] },
        {},
      ].map((delta, index, all) => ({ index: 0, delta, finish_reason: index === all.length - 1 ? "tool_calls" : null })),
    );
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: USAGE });
    expect(server.ledger[0]).toMatchObject({
      dialect: "openai-chat",
      model: "scripted-c",
      tools: ["bash", "read"],
      usage: { input: 103, cacheRead: 20, cacheWrite: 0, output: 30, reasoning: 5 },
    });
  });

  test("the same answer without streaming", async () => {
    const server = await serve([FULL]);
    const { text } = await post(server, path, body(["go"], { stream: false }));
    expect(JSON.parse(text)).toEqual({
      ...ENVELOPE,
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "I will look.",
            reasoning_content: "Let me think.",
            tool_calls: [
              { id: "call_0001_0", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } },
              { id: "call_0001_1", type: "function", function: { name: "broken", arguments: '{"path": ' } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
      usage: USAGE,
    });
    expect(server.ledger[0]?.usage?.input).toBe(103);
  });

  test("text only: no reasoning, no calls, a plain stop", async () => {
    const server = await serve(["turns: [{ text: Hi. }]"]);
    const { text } = await post(server, path, body(["go"], { stream: false }));
    expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }] });
    expect(text).not.toMatch(/tool_calls|reasoning_content/);
  });

  test("system and developer messages are not the conversation", async () => {
    const server = await serve(["turns: [{ text: A. }]", "turns: [{ text: B. }]"]);
    const messages = [
      { role: "system", content: "[[b]]" },
      { role: "developer", content: "[[b]]" },
      { role: "user", content: [{ type: "text", text: "go [[a]]" }, { type: "image_url" }] },
    ];
    expect(dialects.chat.textOf(await post(server, path, { ...body([]), messages }))).toBe("A.");
  });

  test("calls of one turn that return one by one, each with its result, are one turn", async () => {
    const server = await serve(["turns: [{ tools: [{ run: a }, { run: b }] }, { text: Second. }, { text: Third. }]"]);
    const call = (id: string) => [
      { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: "bash", arguments: "{}" } }] },
      { role: "tool", tool_call_id: id, content: "done" },
    ];
    const first = [{ role: "user", content: "go" }, ...call("call_0001_0"), ...call("call_0001_1")];
    const ask = async (messages: unknown) => dialects.chat.textOf(await post(server, path, { ...body([]), messages }));
    expect(await ask(first)).toBe("Second.");
    expect(await ask([...first, ...call("call_0002_0")])).toBe("Third.");
    expect(await ask([...first, { role: "assistant", content: "Second." }, { role: "user", content: "and" }])).toBe("Third.");
  });

  test.each([
    [400, "invalid_request_error", null],
    [401, "invalid_request_error", "invalid_api_key"],
    [429, "rate_limit_error", "rate_limit_exceeded"],
    [500, "server_error", null],
    [529, "server_error", null],
  ])("HTTP %i is a %s", async (status, type, code) => {
    const server = await serve([`turns: [{ fault: { status: ${status}, message: Too bad } }]`]);
    const reply = await post(server, path, body(["go"]));
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toEqual({ error: { message: "Too bad", type, code, param: null } });
  });

  test("a request that is too long has a code", async () => {
    const server = await serve(["turns: [{ fault: { error: context } }]"]);
    const { text } = await post(server, path, body(["go"]));
    expect(JSON.parse(text)).toMatchObject({ error: { type: "invalid_request_error", code: "context_length_exceeded" } });
  });
});
