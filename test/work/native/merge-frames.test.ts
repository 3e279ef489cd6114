import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { merged, mergingFetch } from "../../../src/work/native/merge-frames.ts";
import { served } from "./support.ts";

const chat = (content: string, more = {}) =>
  `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }], usage: null })}\n\n`;
const anthropic = (text: string) =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })}\n\n`;

/** The result that a client would read. */
function read(frames: string) {
  const events = frames
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => JSON.parse(frame.slice(frame.indexOf("data: ") + 6)));
  const text = events.map((event) => event.delta?.text ?? event.choices?.[0]?.delta?.content ?? "").join("");
  return { count: events.length, text };
}

describe("events that differ only in their text", () => {
  test("are joined for any text", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 20 }), (texts) => {
        for (const frame of [chat, anthropic]) {
          const frames = texts.map((text) => frame(text)).join("");
          expect(read(merged(frames))).toEqual({ count: 1, text: texts.join("") });
        }
      }),
    );
  });

  test("others stay unchanged and in order", () => {
    const calls = chat("x").replace('"content":"x"', '"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]');
    const twice = chat("a").replace('"}', '","reasoning_content":"b"}');
    const two = `data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}\n\n`;
    const parts = `data: {"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b"}]}}]}\n\n`;
    for (const frame of [calls, twice, two, parts, "data: [DONE]\n\n", ": ping\n\n", "data: {broken\n\n"])
      expect(merged(frame + frame + frame)).toBe(frame + frame + frame);
    const mixed = `${chat("a") + chat("b") + calls + chat("c") + chat("d", { finish_reason: "stop" })}data: [DONE]\n\n`;
    expect(merged(mixed)).toBe(`${chat("ab") + calls + chat("c") + chat("d", { finish_reason: "stop" })}data: [DONE]\n\n`);
  });
});

test("a stream gives the same text in any chunks, with either line end", { timeout: 60_000 }, async () => {
  const texts = Array.from({ length: 300 }, (_, index) => `${index}"\\é😀 `);
  for (const newline of ["\n", "\r\n"]) {
    const whole = Buffer.from(
      texts
        .map((text) => chat(text))
        .join("")
        .replaceAll("\n", newline),
    );
    for (const size of [7, 1500, 4096, 100_000]) {
      const { url } = await served((_, response) => void send(response));
      async function send(response: ServerResponse): Promise<void> {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (let at = 0; at < whole.length; at += size) {
          response.write(whole.subarray(at, at + size));
          if (size > 1000) await new Promise((resolve) => setTimeout(resolve, 2));
        }
        response.end();
      }
      const got = await (await mergingFetch(url)).text();
      expect(read(got.replaceAll("\r\n", "\n")).text).toBe(texts.join(""));
    }
  }
});
