import { describe, expect, test } from "vitest";
import { dialects, type Json, post, serve } from "./support.ts";

const { path, body } = dialects.anthropic;

const FULL = `
turns:
  - reasoning: Let me think.
    text: I will look.
    tools:
      - read: a.txt
      - { name: Bash, input: { command: ls } }
      - { name: Bash, input: '{"command": "broken' }
    usage: { input: 100, cacheRead: 20, cacheWrite: 3, output: 30, reasoning: 5 }
`;

describe("Anthropic Messages", () => {
  test("a streamed answer: thinking, text, calls, usage, and frames in the order a client needs", async () => {
    const server = await serve([FULL]);
    const { status, events } = await post(server, path, body(["go [[a]]"]));
    expect(status).toBe(200);
    expect(events[0]?.data).toEqual({
      type: "message_start",
      message: {
        id: "msg_0001",
        type: "message",
        role: "assistant",
        model: "scripted-a",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 100, cache_read_input_tokens: 20, cache_creation_input_tokens: 3, output_tokens: 1 },
      },
    });
    const blocks = events.filter(({ event }) => event === "content_block_start").map(({ data }) => data["content_block"]);
    expect(blocks).toEqual([
      { type: "thinking", thinking: "", signature: "" },
      { type: "text", text: "" },
      { type: "tool_use", id: "call_0001_0", name: "Read", input: {} },
      { type: "tool_use", id: "call_0001_1", name: "Bash", input: {} },
      { type: "tool_use", id: "call_0001_2", name: "Bash", input: {} },
    ]);
    const inputs = events.map(({ data }) => (data["delta"] as Json | undefined)?.["partial_json"]).filter((json) => json !== undefined);
    expect(inputs).toEqual(['{"file_path":"a.txt"}', '{"command":"ls"}', '{"command": "broken']);
    expect(events.map(({ event }) => event).slice(-2)).toEqual(["message_delta", "message_stop"]);
    expect(events.at(-2)?.data).toEqual({
      type: "message_delta",
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 100, cache_read_input_tokens: 20, cache_creation_input_tokens: 3, output_tokens: 35 },
    });
  });

  test("every block starts, fills and stops under one index", async () => {
    const server = await serve([FULL]);
    const { events } = await post(server, path, body(["go"]));
    const open = new Set<unknown>();
    for (const { event, data } of events) {
      if (event === "content_block_start") open.add(data["index"]);
      if (event === "content_block_delta") expect(open.has(data["index"])).toBe(true);
      if (event === "content_block_stop") expect(open.delete(data["index"])).toBe(true);
    }
    expect(open.size).toBe(0);
  });

  test("the same answer without streaming", async () => {
    const server = await serve([FULL]);
    const { text } = await post(server, path, body(["go"], { stream: false }));
    const message = JSON.parse(text) as Json;
    expect(message["content"]).toEqual([
      { type: "thinking", thinking: "Let me think.", signature: expect.any(String) },
      { type: "text", text: "I will look." },
      { type: "tool_use", id: "call_0001_0", name: "Read", input: { file_path: "a.txt" } },
      { type: "tool_use", id: "call_0001_1", name: "Bash", input: { command: "ls" } },
      { type: "tool_use", id: "call_0001_2", name: "Bash", input: {} },
    ]);
    expect(message).toMatchObject({ stop_reason: "tool_use", usage: { output_tokens: 35 } });
    expect(server.ledger[0]).toMatchObject({ stream: false, usage: { output: 30, reasoning: 5 } });
  });

  test("counting tokens takes no turn", async () => {
    const server = await serve([FULL]);
    const { text } = await post(server, `${path}/count_tokens`, body(["go [[a]]"]));
    expect(JSON.parse(text)).toEqual({ input_tokens: expect.any(Number) });
    expect(server.ledger[0]).toMatchObject({ kind: "other", usage: null, status: 200 });
  });

  test.each([
    [401, "authentication_error"],
    [418, "invalid_request_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("HTTP %i is a %s", async (status, type) => {
    const server = await serve([`turns: [{ fault: { status: ${status}, message: Too bad, headers: { Retry-After: 7 } } }]`]);
    const response = await fetch(`${server.url}${path}?beta=true`, { method: "POST", body: JSON.stringify(body(["go"])) });
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toEqual({ type: "error", error: { type, message: "Too bad" } });
  });
});
