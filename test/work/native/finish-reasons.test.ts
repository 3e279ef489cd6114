import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { native } from "../../../src/pure/agents/native/agent.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { accessTo, all, countedIds, models, served } from "./support.ts";

/** A3: every finish reason of every dialect, with the resulting status. docs/explanation/status.md has the same rows. */

type DialectName = keyof typeof models;

/** `said`: after text. `silent`: without any. */
type Row = readonly [dialect: DialectName, reason: string | null, said: string, silent: string];

const rows: readonly Row[] = [
  ["anthropic", "end_turn", "completed", "failed"],
  ["anthropic", "stop_sequence", "completed", "failed"],
  ["anthropic", "max_tokens", "completed", "failed"],
  ["anthropic", "model_context_window_exceeded", "completed", "failed"],
  ["anthropic", "tool_use", "completed", "failed"],
  ["anthropic", "pause_turn", "failed", "failed"],
  ["anthropic", "compaction", "failed", "failed"],
  ["anthropic", "refusal", "failed", "failed"],
  ["anthropic", "a_new_reason", "completed", "failed"],
  ["anthropic", null, "infrastructure", "infrastructure"],
  ["openai", "completed", "completed", "failed"],
  ["openai", "max_output_tokens", "completed", "failed"],
  ["openai", "content_filter", "failed", "failed"],
  ["openai", "a_new_reason", "completed", "failed"],
  ["openai", "failed", "failed", "failed"],
  ["openai", null, "infrastructure", "infrastructure"],
  ["compatible", "stop", "completed", "failed"],
  ["compatible", "length", "completed", "failed"],
  ["compatible", "tool_calls", "completed", "failed"],
  ["compatible", "function_call", "completed", "failed"],
  ["compatible", "content_filter", "failed", "failed"],
  ["compatible", "a_new_reason", "completed", "failed"],
  ["compatible", null, "infrastructure", "infrastructure"],
  ["google", "STOP", "completed", "failed"],
  ["google", "MAX_TOKENS", "completed", "failed"],
  ...["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT"].map(
    (reason): Row => ["google", reason, "failed", "failed"],
  ),
  ...["MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "MISSING_THOUGHT_SIGNATURE", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"].map(
    (reason): Row => ["google", reason, "failed", "failed"],
  ),
  ...["LANGUAGE", "OTHER", "FINISH_REASON_UNSPECIFIED"].map((reason): Row => ["google", reason, "failed", "failed"]),
  ["google", "A_NEW_REASON", "completed", "failed"],
  ["google", null, "infrastructure", "infrastructure"],
];

const bodies: Readonly<Record<DialectName, (text: string, reason: string | null) => readonly object[]>> = {
  anthropic: (text, stop_reason) => [
    {
      type: "message_start",
      message: { id: "m", type: "message", role: "assistant", model: "x", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
    ...(text === ""
      ? []
      : [
          { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
          { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
          { type: "content_block_stop", index: 0 },
        ]),
    ...(stop_reason === null
      ? []
      : [{ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 2 } }, { type: "message_stop" }]),
  ],
  openai: (text, reason) => {
    const item = { id: "i", type: "message", role: "assistant", status: "completed", content: [] };
    const response = { id: "r", object: "response", created_at: 1, model: "x", output: [], usage: { input_tokens: 1, output_tokens: 1 } };
    const end = {
      completed: { type: "response.completed", response },
      failed: { type: "response.failed", response: { ...response, error: { code: "bad", message: "It failed" } } },
    }[reason ?? ""] ?? { type: "response.incomplete", response: { ...response, incomplete_details: { reason } } };
    return [
      { type: "response.created", response },
      ...(text === ""
        ? []
        : [
            { type: "response.output_item.added", output_index: 0, item },
            { type: "response.output_text.delta", item_id: "i", output_index: 0, content_index: 0, delta: text },
            {
              type: "response.output_item.done",
              output_index: 0,
              item: { ...item, content: [{ type: "output_text", text, annotations: [] }] },
            },
          ]),
      ...(reason === null ? [] : [end]),
    ];
  },
  compatible: (text, finish_reason) => {
    const chunk = (choice: object) => ({
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "x",
      choices: [{ index: 0, ...choice }],
    });
    return [
      chunk({ delta: { role: "assistant", content: text }, finish_reason: null }),
      ...(finish_reason === null ? [] : [chunk({ delta: {}, finish_reason })]),
    ];
  },
  google: (text, finishReason) => [
    { candidates: [{ index: 0, content: { role: "model", parts: [{ text }] } }] },
    ...(finishReason === null ? [] : [{ candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason }] }]),
  ],
};

async function answered(dialect: DialectName, text: string, reason: string | null): Promise<readonly HarnessEvent[]> {
  const model = models[dialect];
  const server = await served((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const frame of bodies[dialect](text, reason)) {
      const name = "type" in frame ? `event: ${frame.type}\n` : "";
      response.write(`${name}data: ${JSON.stringify(frame)}\n\n`);
    }
    response.end(dialect === "compatible" && reason !== null ? "data: [DONE]\n\n" : "");
  });
  const provider = providerHarness({ ...accessTo(server, model), newId: countedIds() });
  return await all(provider.invoke({ model, messages: [{ role: "user", content: "Go." }] }));
}

function statusOf(events: readonly HarnessEvent[]): string | null | undefined {
  const line = pipeline(native, result, { startedAt: 0 }, decode);
  line.bytes("stdout", Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join("")), 0);
  line.exit({ type: "exit", at: 0, exitCode: 0, signal: null, durationMs: 0 });
  return line.end(0)[0]?.status;
}

describe("A3: every finish reason of every dialect has a status", () => {
  test.each(rows)("%s %s: %s after text, %s without", async (dialect, reason, said, silent) => {
    expect(statusOf(await answered(dialect, "Hi.", reason))).toBe(said);
    expect(statusOf(await answered(dialect, "", reason))).toBe(silent);
  });

  test("and a row in the documentation", () => {
    const page = readFileSync("docs/explanation/status.md", "utf8");
    for (const [, reason] of rows) if (reason !== null && !/new_reason/i.test(reason)) expect(page).toContain(`\`${reason}\``);
  });
});
