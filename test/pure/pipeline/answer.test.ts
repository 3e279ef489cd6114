import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { evidenceFold } from "../../../src/pure/checks/index.ts";
import type { Event } from "../../../src/pure/events/index.ts";
import { eventLog } from "../../../src/pure/pipeline/event-log.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { runSummary } from "../../../src/pure/pipeline/run-summary.ts";
import type { View } from "../../../src/pure/pipeline/view.ts";
import { views } from "../../../src/pure/views/views.ts";
import { EPOCH } from "../../support/fixtures.ts";

/** Every view, check and grader takes a run's final answer from one place. */

type AgentId = keyof typeof agents;

function derived(agent: AgentId, view: View<object>, text: string, exitCode = 0): readonly Record<string, unknown>[] {
  const line = pipeline(agents[agent], view, { startedAt: EPOCH }, decode);
  const out = [...line.bytes("stdout", Buffer.from(text), EPOCH)];
  line.exit({ type: "exit", at: EPOCH, exitCode, signal: null, durationMs: null });
  return [...out, ...line.end(EPOCH)] as Record<string, unknown>[];
}

/** The answer in each view that has one, and in the checks. */
function answers(agent: AgentId, text: string): readonly unknown[] {
  const last = (view: View<object>) => derived(agent, view, text).at(-1) ?? {};
  const stream = derived(agent, views.stream, text);
  const deltas = stream.flatMap((each) => (each["type"] === "TextDelta" ? [each["text"]] : []));
  return [
    last(views.result)["output"],
    last(views.capture)["output"],
    last(views.summary)["output"],
    stream.at(-1)?.["text"],
    deltas.join(""),
    checked(agent, text),
  ];
}

function checked(agent: AgentId, text: string): string | null {
  const fold = evidenceFold();
  const log = eventLog(agents[agent], { startedAt: EPOCH }, (event: Event) => fold.see(event));
  let offset = 0;
  for (const each of text.split("\n").slice(0, -1)) {
    const line = { text: each, offset, length: Buffer.byteLength(each), terminated: true, oversize: false };
    offset += line.length + 1;
    log.push({ type: "line", at: EPOCH, stream: "stdout", line } as never);
  }
  log.end();
  return fold.evidence({}).answer;
}

describe("A1: a line of JSON is the answer of a generic agent", () => {
  test.each(["42", "true", "null", '"hi"', "[1,2]", '{"ok":true}', '{"msg":"🎉"}', '{"type":"progress","message":"50"}', ' {"a": 1} '])(
    "%s",
    (line) => {
      expect(answers("generic", `${line}\n`)).toEqual(Array(6).fill(`${line}\n`));
    },
  );

  test("a pretty-printed document is one answer, with its blank lines", () => {
    const text = '{\n  "list": [\n    1,\n    2\n  ],\n\n  "ok": true\n}\n';
    expect(answers("generic", text)).toEqual(Array(6).fill(text));
  });

  test("a line that names a severity is not part of the answer", () => {
    const text = '{"level":"error","msg":"boom"}\n{"severity":"warning","count":3}\n{"level":"info","msg":"started"}\n42\n';
    expect(answers("generic", text)).toEqual(Array(6).fill("42\n"));
    expect(derived("generic", views.activity, text)).toMatchObject([
      { type: "error", message: "boom" },
      { type: "warning", message: '{"severity":"warning","count":3}' },
      { type: "unknown", raw: { level: "info" } },
      { type: "unknown", raw: 42 },
    ]);
  });

  test("the activity view still shows the JSON as data", () => {
    expect(derived("generic", views.activity, '{"ok":true}\n[1]\nnull\n')).toMatchObject([
      { raw: { ok: true } },
      { raw: [1] },
      { raw: null },
    ]);
  });
});

describe("one answer for every agent", () => {
  const claude = (id: string, ...content: object[]) => ({ type: "assistant", message: { id, role: "assistant", content } });
  const say = (text: string) => ({ type: "text", text });
  const lines = (...each: object[]) => each.map((line) => `${JSON.stringify(line)}\n`).join("");

  test.each<[AgentId, string, string]>([
    ["claude", lines(claude("a", say("I look.")), claude("b", say("Do")), { type: "odd" }, claude("b", say("ne."))), "Done."],
    ["claude", lines(claude("a", say("Done.")), { type: "result", subtype: "success", is_error: false, result: "" }), "Done."],
    [
      "codex",
      lines({ type: "item.completed", item: { id: "i", type: "agent_message", text: "Done." } }, { type: "turn.completed" }),
      "Done.",
    ],
  ])("%s", (agent, text, answer) => {
    const [result, capture, summary, stream, , check] = answers(agent, text);
    expect([result, capture, summary, stream, check]).toEqual(Array(5).fill(answer));
  });

  test("no answer is null, never an empty text", () => {
    expect(runSummary().summary().output).toBeNull();
    expect(answers("claude", lines({ type: "result", subtype: "success", is_error: false, result: "" }))[0]).toBeNull();
  });
});
