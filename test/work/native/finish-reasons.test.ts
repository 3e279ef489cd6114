import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { native } from "../../../src/pure/agents/native/agent.ts";
import type { HarnessEvent } from "../../../src/pure/events/harness-event.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { providerHarness } from "../../../src/work/native/provider-harness.ts";
import { accessTo, all, countedIds, models, served } from "./support.ts";

/** A3: every finish reason of every dialect, with the resulting status. The rows are those of docs/explanation/status.md. */

type DialectName = keyof typeof models;

/** `said`: after text. `silent`: without any. */
type Row = readonly [dialect: DialectName, reason: string | null, said: Verdict, silent: Verdict];

interface Verdict {
  readonly status: string;
  readonly reason?: string;
}

const DIALECTS: Readonly<Record<string, readonly DialectName[]>> = {
  "Anthropic Messages": ["anthropic"],
  "OpenAI Responses": ["openai"],
  "Chat Completions": ["compatible"],
  Gemini: ["google"],
  any: ["anthropic", "openai", "compatible", "google"],
};

const page = readFileSync("docs/explanation/status.md", "utf8");
const [, section = ""] = page.split("## How a model's answer can end\n");

const rows: readonly Row[] = (section.split("\n## ")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .flatMap((line) => {
    const [, dialect = "", reasons = "", said = "", silent = ""] = line.split("|").map((cell) => cell.trim());
    const after = verdictIn(said);
    return (DIALECTS[dialect] ?? []).flatMap((name) =>
      reasonsIn(reasons).map((reason): Row => [name, reason, after, silent === "the same" ? after : verdictIn(silent)]),
    );
  });

/** “an unknown reason” and “none” have no name. */
function reasonsIn(cell: string): readonly (string | null)[] {
  const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, reason = ""]) => reason);
  return named.length > 0 ? named : [cell.startsWith("none") ? null : "a_new_reason"];
}

/** `failed`, `empty`: the status, and the reason if there is one. A warning is not a reason. */
function verdictIn(cell: string): Verdict {
  const [status = "", reason] = [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  if (/by the API failure/.test(cell)) return { status: "failed" };
  return reason === undefined || / warns /.test(cell) ? { status } : { status, reason };
}

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

function resultOf(events: readonly HarnessEvent[]): object | undefined {
  const line = pipeline(native, result, { startedAt: 0 }, decode);
  line.bytes("stdout", Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join("")), 0);
  line.exit({ type: "exit", at: 0, exitCode: 0, signal: null, durationMs: 0 });
  return line.end(0)[0];
}

describe("A3: every finish reason of every dialect has a status", () => {
  test.each(rows)("%s %s: %j after text, %j without", async (dialect, reason, said, silent) => {
    expect(resultOf(await answered(dialect, "Hi.", reason))).toMatchObject(said);
    expect(resultOf(await answered(dialect, "", reason))).toMatchObject(silent);
  });

  test("the page is read, and has every reason that the code names", () => {
    expect(rows.length).toBeGreaterThan(40);
    const code = readFileSync("src/work/native/finish-reason.ts", "utf8");
    const [, list = ""] = /STOPPED = new Set\(\[([^\]]+)/.exec(code) ?? [];
    const named = [...list.matchAll(/"(\w+)"/g)].map(([, reason = ""]) => reason);
    const known = new Set(rows.map(([, reason]) => reason));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((reason) => !known.has(reason))).toEqual([]);
  });
});
