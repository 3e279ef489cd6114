import { describe, expect, test } from "vitest";
import { usageOf } from "../../../src/work/model/ledger.ts";
import { dialects, type Json, post, serve, turn, whole } from "./support.ts";

const TEXT = "A text that is long enough to come in more than two pieces.";

/** For each dialect: the end of an answer, the text of an error, and the usage that it reports at the start. */
const shapes: Readonly<Record<string, { end: RegExp; error: Json; isEarly?: true }>> = {
  anthropic: { end: /message_stop/, error: { type: "error", error: { type: "overloaded_error", message: "Busy" } }, isEarly: true },
  openai: {
    end: /response\.completed/,
    error: { response: { status: "failed", error: { code: "server_is_overloaded", message: "Busy" } } },
  },
  chat: { end: /finish_reason":"|\[DONE\]/, error: { error: { type: "server_error", message: "Busy" } } },
  gemini: { end: /finishReason/, error: { error: { code: 529, status: "UNAVAILABLE", message: "Busy" } } },
};

describe.each(Object.entries(dialects))("faults (%s)", (name, { path, body, textOf }) => {
  const { end, error, isEarly = false } = shapes[name] ?? { end: /never/, error: {} };
  const ask = body(["go"]);

  test("a fault twice, then the answer; the ledger has all three", async () => {
    const server = await serve([`turns: [{ text: Fine., fault: { status: 503, times: 2 }, usage: { input: 5, output: 2 } }]`]);
    const replies = [await post(server, path, ask), await post(server, path, ask), await post(server, path, ask)];
    expect(replies.map(({ status }) => status)).toEqual([503, 503, 200]);
    expect(server.ledger.map(({ seq, status, fault, usage }) => [seq, status, fault, usage?.input ?? null])).toEqual([
      [1, 503, "status 503", null],
      [2, 503, "status 503", null],
      [3, 200, null, 5],
    ]);
    expect(usageOf(server.ledger)).toEqual({ input: 5, cacheRead: 0, cacheWrite: 0, output: 2, reasoning: 0 });
  });

  test("without times it repeats forever, and each turn has its own", async () => {
    const server = await serve(["turns: [{ text: Fine. }, { fault: 500 }]"]);
    const second = body(["go", turn, "and"]);
    for (let i = 0; i < 5; i++) expect((await post(server, path, second)).status).toBe(500);
    expect(textOf(await post(server, path, ask))).toBe("Fine.");
  });

  test("a custom body", async () => {
    const server = await serve(["turns: [{ fault: { status: 502, body: { any: value } } }, { fault: { status: 502, body: <html> } }]"]);
    expect((await post(server, path, ask)).text).toBe('{"any":"value"}');
    expect((await post(server, path, body(["go", turn, "and"]))).text).toBe("<html>");
  });

  test("cut in the middle of the text, once", async () => {
    const server = await serve([`turns: [{ text: "${TEXT}", fault: { cut: mid-text, times: 1 } }]`]);
    const cut = await post(server, path, ask);
    expect(cut.isCut).toBe(true);
    expect(textOf(cut).length).toBeGreaterThan(0);
    expect(TEXT.startsWith(textOf(cut)) && textOf(cut) !== TEXT).toBe(true);
    expect(textOf(await post(server, path, ask))).toBe(TEXT);
    // The start of a message reports its input, so that much is charged.
    expect(server.ledger[0]).toMatchObject({ fault: "cut mid-text", aborted: false, status: 200 });
    expect(server.ledger[0]?.usage ?? null).toEqual(isEarly ? { input: 100, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 } : null);
  });

  test("cut before the last frame", async () => {
    const server = await serve([`turns: [{ text: "${TEXT}", tools: [{ run: ls }], fault: { cut: before-stop } }]`]);
    const cut = await post(server, path, ask);
    expect(cut.isCut).toBe(true);
    expect(textOf(cut)).toBe(TEXT);
    expect(cut.text).not.toMatch(end);
    expect(server.ledger[0]?.usage?.output ?? null).toBe(isEarly ? 10 : null);
  });

  test("an answer without text is cut in its middle", async () => {
    const server = await serve(["turns: [{ tools: [{ run: ls }], fault: { cut: mid-text } }]"]);
    const cut = await post(server, path, ask);
    expect(cut.isCut).toBe(true);
    expect(cut.events.length).toBeGreaterThan(0);
    expect(cut.text).not.toMatch(end);
  });

  test("an answer without streaming is cut too", async () => {
    const server = await serve([`turns: [{ text: "${TEXT}", fault: { cut: mid-text } }]`]);
    const cut = await post(server, ...whole(path, ask));
    expect(cut.isCut).toBe(true);
    expect(() => JSON.parse(cut.text)).toThrow();
    expect(server.ledger[0]?.usage).toBeNull();
  });

  test("an error in the stream, or its HTTP status without a stream", async () => {
    const server = await serve([`turns: [{ text: "${TEXT}", fault: { error: overloaded, message: Busy } }]`]);
    const streamed = await post(server, path, ask);
    expect(streamed).toMatchObject({ status: 200, isCut: false });
    expect(textOf(streamed)).toBe(TEXT);
    expect(streamed.events.at(-1)?.data).toMatchObject(error);
    expect(streamed.text).not.toMatch(end);
    expect((await post(server, ...whole(path, ask))).status).toBe(529);
    expect(server.ledger.map(({ fault }) => fault)).toEqual(["error overloaded", "error overloaded"]);
  });

  test("a request that is too long", async () => {
    const server = await serve(["turns: [{ text: Never., fault: { error: context } }]"]);
    const streamed = await post(server, path, ask);
    expect(streamed.status).toBe(name === "openai" ? 200 : 400);
    expect(streamed.text).toMatch(/too long|context|maximum number of tokens/);
    expect(textOf(streamed)).toBe(name === "openai" ? "Never." : "");
    expect((await post(server, ...whole(path, ask))).status).toBe(400);
    expect(server.ledger.map(({ fault, usage }) => [fault, usage])).toEqual([
      ["error context", null],
      ["error context", null],
    ]);
  });

  test.each([
    ["length", /max_tokens|max_output_tokens|"length"|MAX_TOKENS/],
    ["refusal", /"refusal"|content_filter|SAFETY/],
  ])("a model that stops for %s", async (stop, word) => {
    const server = await serve([`turns: [{ text: Part of it., stop: ${stop} }]`]);
    for (const request of [[path, ask] as const, whole(path, ask)]) expect((await post(server, ...request)).text).toMatch(word);
    expect(server.ledger.map(({ usage }) => usage?.output)).toEqual([10, 10]);
  });

  test("a delay before the answer and between its chunks of the given size", async () => {
    const server = await serve([`turns: [{ text: "a🎉b🎉c", delay: 60ms, chunk: { size: 2, every: 20ms } }]`]);
    const started = performance.now();
    const reply = await post(server, path, ask);
    expect(performance.now() - started).toBeGreaterThan(140);
    expect(textOf(reply)).toBe("a🎉b🎉c");
    const pieces = reply.events.map((event) => textOf({ ...reply, events: [event] }));
    expect(pieces.filter((piece) => piece !== "")).toEqual(["a🎉", "b🎉", "c"]);
  });

  test("text is text: separators, escape codes, a megabyte", async () => {
    const odd = 'größe 日本 \\u2028\\u2029 \\u001b[31m \\" \\\\ \\n\\r\\n event: x';
    const server = await serve([`turns: [{ text: "${odd}" }, { text: { repeat: "0123456789abcdef", times: 65536 } }]`]);
    expect(textOf(await post(server, path, ask))).toBe(JSON.parse(`"${odd}"`));
    expect(textOf(await post(server, path, body(["go", turn, "and"])))).toBe("0123456789abcdef".repeat(65536));
  });

  test("a client that leaves causes no error, and the ledger records it", async () => {
    let tell: () => void = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const server = await serve([`turns: [{ text: "${TEXT}", chunk: { size: 1, every: 1s } }]`], { onEntry: () => tell() });
    const leave = new AbortController();
    const response = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(ask), signal: leave.signal });
    expect(response.status).toBe(200);
    leave.abort();
    await told;
    expect(server.ledger[0]).toMatchObject({ aborted: true, status: 200, kind: "main" });
  });
});
