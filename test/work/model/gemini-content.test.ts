import { describe, expect, test } from "vitest";
import { dialects, geminiParts, type Json, post, serve, whole } from "./support.ts";

const { path, body } = dialects.gemini;

const FULL = `
turns:
  - reasoning: Let me think.
    text: I will look.
    tools:
      - name: read_file
        input: { file_path: a.txt }
      - name: run_shell_command
        input: '{"command": '
    usage: { input: 100, cacheRead: 20, cacheWrite: 3, output: 30, reasoning: 5 }
`;

const PARTS = [
  { text: "Let me think.", thought: true },
  { text: "I will look." },
  { functionCall: { id: "call_0001_0", name: "read_file", args: { file_path: "a.txt" } }, thoughtSignature: expect.any(String) },
];

/** Tokens written to a cache count as input here. */
const USAGE = {
  promptTokenCount: 123,
  cachedContentTokenCount: 20,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 5,
  totalTokenCount: 158,
};

describe("Gemini", () => {
  test("a streamed answer: thoughts, text, calls, usage with the last chunk", async () => {
    const server = await serve([FULL]);
    const { status, events, text } = await post(server, `${path}?alt=sse`, body(["go"]));
    expect(status).toBe(200);
    expect(text).not.toMatch(/event:|DONE/);
    expect(events.flatMap(({ data }) => geminiParts(data))).toEqual([...PARTS, { text: "" }]);
    // A call with invalid JSON cannot be sent: the real model reports that instead of a stop.
    expect(events.at(-1)?.data).toMatchObject({ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }], usageMetadata: USAGE });
    for (const { data } of events) expect(data).toMatchObject({ modelVersion: "scripted-g", responseId: "resp_0001" });
    expect(server.ledger[0]).toMatchObject({
      dialect: "gemini-content",
      path,
      model: "scripted-g",
      stream: true,
      tools: ["run_shell_command"],
      usage: { input: 103, cacheRead: 20, cacheWrite: 0, output: 30, reasoning: 5 },
    });
  });

  test("the same answer without streaming", async () => {
    const server = await serve([FULL.replace(`'{"command": '`, "{ command: ls }")]);
    const { text } = await post(server, ...whole(path, body(["go"])));
    const call = { functionCall: { id: "call_0001_1", name: "run_shell_command", args: { command: "ls" } } };
    expect(JSON.parse(text)).toMatchObject({
      candidates: [{ content: { role: "model", parts: [...PARTS, call] }, finishReason: "STOP", index: 0 }],
      usageMetadata: USAGE,
    });
    expect(server.ledger[0]).toMatchObject({ stream: false });
  });

  test.each([
    ["bare", { contents: [{ role: "user", parts: [{ text: "hello" }] }] }],
    ["with the request inside", { generateContentRequest: { contents: [{ role: "user", parts: [{ text: "hello" }] }] } }],
  ])("counts tokens, %s", async (_what, request) => {
    const server = await serve([FULL]);
    const { status, text } = await post(server, "/v1beta/models/scripted-g:countTokens", request);
    expect(status).toBe(200);
    expect((JSON.parse(text) as Json)["totalTokens"]).toBeGreaterThan(5);
    expect(server.ledger[0]).toMatchObject({ kind: "other", usage: null });
  });

  test("a request with only Google's own tools is outside the conversation", async () => {
    const server = await serve([`${FULL}\nside: { text: Found it. }`]);
    const reply = await post(server, path, { ...body(["go"]), tools: [{ googleSearch: {} }] });
    expect(dialects.gemini.textOf(reply)).toBe("Found it.");
    expect(server.ledger[0]?.kind).toBe("side");
  });

  test("escapes line separators, as Google does", async () => {
    const server = await serve(['turns: [{ text: "a\\u2028b\\u2029c" }]']);
    const reply = await post(server, path, body(["go"]));
    expect(reply.text).not.toMatch(/[\u2028\u2029]/);
    expect(dialects.gemini.textOf(reply)).toBe("a\u2028b\u2029c");
  });

  test.each([
    [400, "INVALID_ARGUMENT"],
    [401, "UNAUTHENTICATED"],
    [429, "RESOURCE_EXHAUSTED"],
    [500, "INTERNAL"],
    [529, "UNAVAILABLE"],
  ])("HTTP %i is %s", async (code, status) => {
    const server = await serve([`turns: [{ fault: { status: ${code}, message: Too bad } }]`]);
    const reply = await post(server, path, body(["go"]));
    expect(reply.status).toBe(code);
    expect(JSON.parse(reply.text)).toEqual({ error: { code, message: "Too bad", status } });
  });

  test.each([
    "/v1beta/models/x:embedContent",
    "/v1beta/models/:generateContent",
    "/v1beta/models/a/b:generateContent",
    "/v2/models/x:generateContent",
  ])("%s: 404", async (other) => {
    const server = await serve([FULL]);
    expect((await post(server, other, body(["go"]))).status).toBe(404);
  });
});
