import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { HarnessError } from "../../../src/pure/base/errors.ts";
import type { ModelServer } from "../../../src/work/model/serve-model.ts";
import { serveModel } from "../../../src/work/model/serve-model.ts";
import { dialects, post, serve } from "./support.ts";

const SCRIPT = "turns: [{ text: Fine. }]";
const { anthropic, openai, chat, gemini } = dialects;

async function answers(server: ModelServer): Promise<boolean> {
  return anthropic.textOf(await post(server, anthropic.path, anthropic.body(["hi"]))) === "Fine.";
}

describe("malformed requests", () => {
  test.each([
    ["not JSON", "POST", "{x", 400],
    ["nothing", "POST", "", 400],
    ["an array", "POST", "[]", 400],
    ["null", "POST", "null", 400],
    ["no conversation", "POST", "{}", 400],
    ["an invalid conversation", "POST", '{"messages":7,"input":7,"contents":7}', 400],
    ["a wrong method", "PUT", "{}", 405],
    ["bytes that are not text", "POST", "\u0000\ufffd", 400],
  ])("%s: an error of the dialect", async (_what, method, body, status) => {
    const server = await serve([SCRIPT]);
    for (const [name, { path }] of Object.entries(dialects)) {
      const response = await fetch(`${server.url}${path}`, { method, body });
      expect(response.status).toBe(status);
      const error = name === "gemini" ? { code: status, status: "INVALID_ARGUMENT" } : { type: "invalid_request_error" };
      expect(await response.json()).toMatchObject({ error: { ...error, message: expect.any(String) } });
    }
    expect(server.ledger.map((entry) => [entry.status, entry.kind, entry.usage])).toEqual(
      Object.keys(dialects).map(() => [status, "other", null]),
    );
    expect(await answers(server)).toBe(true);
  });

  test.each([
    [
      "messages of every wrong kind",
      { messages: [null, 7, "x", [], { role: 7 }, { role: "user" }, { role: "user", content: [null, { type: "text" }] }] },
    ],
    [
      "parts of every wrong kind",
      { messages: [{ parts: 7 }, { parts: [null, 7, {}, { functionResponse: 7 }, { functionResponse: {} }] }] },
    ],
    [
      "tools of every wrong kind",
      {
        messages: [],
        tools: [null, 7, {}, { name: "" }, { name: 7 }, { function: 7 }, { function: {} }, { functionDeclarations: [null, 7] }],
      },
    ],
    ["a deep body", { messages: [], deep: JSON.parse("[".repeat(400) + "]".repeat(400)) as unknown }],
  ])("%s: answered", async (_what, body) => {
    const server = await serve([SCRIPT]);
    const text = JSON.stringify({ stream: true, tools: [{ name: "Bash" }], ...body });
    expect((await post(server, anthropic.path, text)).status).toBe(200);
    expect((await post(server, chat.path, text)).status).toBe(200);
    expect((await post(server, openai.path, text.replace('"messages"', '"input"'))).status).toBe(200);
    expect((await post(server, gemini.path, text.replace('"messages"', '"contents"'))).status).toBe(200);
  });

  test("rejects a body that nests too deeply and continues", async () => {
    const server = await serve([SCRIPT]);
    const body = (depth: number) => `{"stream":true,"messages":[],"deep":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect((await post(server, anthropic.path, body(5000))).status).toBe(400);
    expect((await post(server, anthropic.path, body(1))).status).toBe(200);
  });

  test("rejects a body over the limit and continues", async () => {
    const server = await serve([SCRIPT], { maxBodyBytes: 1000 });
    const response = await fetch(`${server.url}${openai.path}`, { method: "POST", body: "x".repeat(3_000_000) });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { message: "The body is larger than 1000 bytes." } });
    expect(await answers(server)).toBe(true);
  });

  test("rejects a compressed body with a reason", async () => {
    const server = await serve([SCRIPT]);
    const response = await fetch(`${server.url}${openai.path}`, { method: "POST", body: "x", headers: { "content-encoding": "zstd" } });
    expect(response.status).toBe(415);
  });

  test.each(["/nope", "/v1", "/v1/messages/", "/v1/messages/batches", "/%", "/v1/%2e%2e/messages"])("%s: 404", async (path) => {
    const server = await serve([SCRIPT]);
    const response = await fetch(`${server.url}${path}`, { method: "POST", body: "{}" });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("Not found: POST") } });
    expect(server.ledger[0]).toMatchObject({ status: 404, kind: "other" });
  });

  test("bytes that are not HTTP, an interrupted request, and a header of a megabyte", async () => {
    const server = await serve([SCRIPT]);
    const torn = "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{";
    for (const bytes of ["\u0000\u0001garbage\r\n\r\n", torn, `GET / HTTP/1.1\r\nx: ${"y".repeat(2 ** 20)}\r\n\r\n`]) {
      await new Promise<void>((resolve) => {
        const socket = connect(server.port, "127.0.0.1", () => socket.end(bytes));
        socket.on("error", () => {});
        socket.on("close", () => resolve());
        socket.resume();
      });
    }
    expect(await answers(server)).toBe(true);
  });

  test("the ledger contains no secrets and no contents except watched strings", async () => {
    const server = await serve([`${SCRIPT}\nwatch: ["NEEDLE \\"é\\"", absent]`]);
    const body = JSON.stringify(anthropic.body(['hi PRIVATE NEEDLE "é"']));
    await fetch(`${server.url}${anthropic.path}?key=SECRET`, {
      method: "POST",
      body,
      headers: { "x-api-key": "SECRET", authorization: "SECRET" },
    });
    const [entry] = server.ledger;
    expect(JSON.stringify(entry)).not.toMatch(/SECRET|PRIVATE/);
    expect(entry).toEqual({
      seq: 1,
      at: expect.any(Number),
      method: "POST",
      path: "/v1/messages",
      dialect: "anthropic-messages",
      model: "scripted-a",
      kind: "main",
      marker: "a",
      turn: 0,
      stream: true,
      status: 200,
      usage: { input: 100, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0 },
      fault: null,
      tools: ["Bash", "Read"],
      seen: ['NEEDLE "é"'],
      bytes: Buffer.byteLength(body),
      aborted: false,
    });
  });
});

describe("the server", () => {
  test("answers a health check and lists a model", async () => {
    const server = await serve([SCRIPT]);
    expect((await fetch(server.url)).status).toBe(200);
    expect((await fetch(server.url, { method: "HEAD" })).status).toBe(200);
    expect(await (await fetch(`${server.url}/v1/models?limit=1`)).json()).toMatchObject({ object: "list", data: [{ id: "scripted" }] });
  });

  test("serves loopback only", async () => {
    const host = "0.0.0.0" as "127.0.0.1";
    await expect(serveModel({ scenarios: [], host })).rejects.toThrow(
      "The scripted model serves only loopback: 127.0.0.1, ::1, localhost.",
    );
  });

  test("a taken port gives one sentence", async () => {
    const { port } = await serve([SCRIPT]);
    const error = await serveModel({ scenarios: [], port }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(HarnessError);
    expect(String(error)).toContain(`Port ${port} is in use.`);
  });

  test("closing cuts off running answers, and can be repeated", async () => {
    const server = await serve(["turns: [{ text: Late., delay: 1h }]"]);
    const asked = post(server, anthropic.path, anthropic.body(["hi"])).catch(() => "cut");
    await fetch(server.url);
    await server.close();
    await server.close();
    expect(await asked).toBe("cut");
  });

  test("a hundred in parallel", async () => {
    const server = await serve([SCRIPT]);
    const all = await Promise.all(Array.from({ length: 100 }, () => answers(server)));
    expect(all.every(Boolean)).toBe(true);
    expect(server.ledger.map(({ seq }) => seq)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });
});
