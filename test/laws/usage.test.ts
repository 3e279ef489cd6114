import { describe, expect, test } from "vitest";
import { decode } from "../../src/host/recording/derive/decode.ts";
import { agents } from "../../src/pure/agents/agents.ts";
import { sumUsed, usageSum } from "../../src/pure/events/index.ts";
import type { RunInfo } from "../../src/pure/pipeline/index.ts";
import { pipeline } from "../../src/pure/pipeline/pipeline.ts";
import { log } from "../../src/pure/views/log/view.ts";
import { result } from "../../src/pure/views/result/view.ts";
import { stream } from "../../src/pure/views/stream/view.ts";
import { feed, loadFixtures, replay } from "../support/fixtures.ts";

/** Usage says what it covers: `usage` is the whole run's or unknown, and a part is kept apart. */

const nothing = { input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null };
const bytes = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const resultOf = (agent: keyof typeof agents, ...lines: unknown[]) => feed(agents[agent], result, [bytes(lines)])[0];

/** The result of lines that a resumed run printed. */
function resumed(agent: keyof typeof agents, before: RunInfo["before"], lines: readonly unknown[]) {
  const run = pipeline(agents[agent], result, { startedAt: 0, ...(before && { before }) }, decode);
  return [...run.bytes("stdout", bytes(lines), 1), ...run.end(1)][0];
}

const initialized = (name: string) => ({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 1, agentInfo: { name, version: "1" } } });
const spending = (amount: number) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount, currency: "USD" } } },
});
const answer = (usage: object) => ({ jsonrpc: "2.0", id: 3, result: { stopReason: "end_turn", usage } });

describe.each(loadFixtures())("$name", (fixture) => {
  test("every usage event states what it covers", () => {
    const silent = replay(fixture, log).filter((event) => event.type === "usage" && event.covers === undefined);
    expect(silent).toEqual([]);
    expect(replay(fixture, stream).filter((record) => record.type === "UsageDelta" && record.covers === undefined)).toEqual([]);
  });

  test("a number is the whole run's or a part's, never both", () => {
    for (const { usage, cost, partialUsage, partialCost } of replay(fixture, result)) {
      if (partialUsage !== undefined) expect(usage).toEqual(nothing);
      if (partialCost !== undefined) expect(cost).toBeNull();
    }
  });
});

describe("over ACP", () => {
  test.each(["goose", "OpenCode", "Kilo"])("A2, U1: the last step's tokens are not the run's (%s)", (name) => {
    const lines = [initialized(name), spending(0.5), answer({ inputTokens: 100, outputTokens: 10, totalTokens: 110 })];
    expect(resultOf("acp", ...lines)).toMatchObject({
      usage: nothing,
      cost: 0.5, // of the session, which is the run
      partialUsage: { covers: "last-step", complete: true, tokens: { input: 100, output: 10 } },
    });
  });

  test("U4: the cost of a resumed run is what that run added", () => {
    const lines = [initialized("OpenCode"), spending(0.75), answer({ inputTokens: 1, outputTokens: 1, totalTokens: 2 })];
    expect(resumed("acp", { tokens: nothing, costUsd: 0.5 }, lines)?.cost).toBe(0.25);
  });

  test("U4: it is unknown if the earlier runs did not report theirs", () => {
    const lines = [initialized("OpenCode"), spending(0.75), answer({ inputTokens: 1, outputTokens: 1, totalTokens: 2 })];
    expect(resumed("acp", { tokens: nothing, costUsd: null }, lines)?.cost).toBeNull();
  });

  test("U3: a run that was cut off keeps the cost it reported", () => {
    expect(resultOf("acp", initialized("OpenCode"), spending(0.5))).toMatchObject({
      cost: null,
      partialCost: { covers: "main", complete: false, costUsd: 0.5 },
    });
  });

  test.each([
    [
      "cache reads are in the input (Copilot)",
      { inputTokens: 120, cachedReadTokens: 90, outputTokens: 37, totalTokens: 157 },
      30,
      37,
      null,
    ],
    ["reasoning is in the output (Codex)", { inputTokens: 5, outputTokens: 37, thoughtTokens: 11, totalTokens: 42 }, 5, 26, 11],
    [
      "no class is in another (OpenCode)",
      { inputTokens: 5, outputTokens: 3, thoughtTokens: 4, cachedReadTokens: 2, totalTokens: 14 },
      5,
      3,
      4,
    ],
    [
      "cache reads and reasoning are in others",
      { inputTokens: 50, cachedReadTokens: 20, outputTokens: 30, thoughtTokens: 7, totalTokens: 80 },
      30,
      23,
      7,
    ],
    ["without a total nothing is assumed", { inputTokens: 120, cachedReadTokens: 90, outputTokens: 37 }, 120, 37, null],
  ])("U5: the total shows whether classes overlap: %s", (_, usage, input, output, reasoning) => {
    expect(resultOf("acp", initialized("some-agent"), answer(usage))?.usage).toMatchObject({ input, output, reasoning });
  });
});

describe("subagents", () => {
  test("U2: Cline's subagents are counted, from the lines that report them", () => {
    const fixture = loadFixtures().find(({ name }) => name === "cline/subagents-parallel");
    const [run] = fixture === undefined ? [] : replay(fixture, result);
    expect(run).toMatchObject({ usage: { input: 3300, cacheRead: 3000, output: 183 } }); // six requests, two of them the main thread's
    expect(run?.partialUsage).toBeUndefined();
  });

  test("U2: Cline's run says so if a subagent's requests are not in its lines", () => {
    const usage = { inputTokens: 10, outputTokens: 2 };
    const event = (type: string, fields: object) => ({ type: "agent_event", event: { type, ...fields } });
    const call = { contentType: "tool", toolName: "spawn_agent", toolCallId: "c" };
    expect(
      resultOf(
        "cline",
        event("usage", usage),
        event("content_start", { ...call, input: { task: "t" } }),
        { type: "hook_event", hookEventName: "agent_start", agentId: "sub", parentAgentId: "main" },
        event("content_end", { ...call, output: { text: "", finishReason: "completed", usage } }),
        { type: "run_result", finishReason: "completed", text: "", aggregateUsage: usage },
      ),
    ).toMatchObject({ usage: nothing, partialUsage: { covers: "main", complete: true, tokens: { input: 10, output: 2 } } });
  });

  test.each(["opencode/full", "kilo/subagents", "codex/subagent-collab"])("U2: %s reports its main thread only, and says so", (name) => {
    const fixture = loadFixtures().find((each) => each.name === name);
    const [run] = fixture === undefined ? [] : replay(fixture, result);
    expect(run).toMatchObject({ usage: nothing, partialUsage: { covers: "main" } });
  });
});

test("U2: Codex waits for subagents that its output does not name: their usage is not in its own", () => {
  const wait = { id: "item_1", type: "collab_tool_call", tool: "wait", receiver_thread_ids: [], agents_states: {}, status: "completed" };
  const turn = [
    { type: "item.completed", item: { id: "item_2", type: "agent_message", text: "The subagent is done." } },
    { type: "turn.completed", usage: { input_tokens: 340, cached_input_tokens: 0, output_tokens: 50 } },
  ];
  const part = { covers: "main", complete: false, tokens: { input: 340, output: 50 } };
  expect(resultOf("codex", { type: "item.completed", item: wait }, ...turn)).toMatchObject({ usage: nothing, partialUsage: part });
  expect(resultOf("codex", ...turn)).toMatchObject({ usage: { input: 340, output: 50 } });
});

describe("a run that was cut off", () => {
  const partial = (event: object) => ({ type: "stream_event", event, parent_tool_use_id: null, session_id: "s" });
  const counts = (input: number, output: number) => ({
    input_tokens: input,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  });
  const lines = [
    partial({ type: "message_start", message: { id: "m1", usage: counts(10, 1) } }),
    partial({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: counts(10, 7) }),
    partial({ type: "message_stop" }),
    partial({ type: "message_start", message: { id: "m2", usage: counts(20, 1) } }),
  ];

  test("U3: Claude keeps what its answers reported", () => {
    expect(resultOf("claude", ...lines)).toMatchObject({
      usage: nothing,
      partialUsage: { covers: "main", complete: false, tokens: { input: 30, cacheRead: 6, cacheWrite: 0, output: 7 } },
    });
  });

  test("U3: Claude's result replaces what its answers reported", () => {
    const models = { m: { inputTokens: 40, outputTokens: 9, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, costUSD: 0.5 } };
    const end = { type: "result", subtype: "success", is_error: false, result: "hi", model_usage_since_last_result: models };
    const run = resultOf("claude", ...lines, end);
    expect(run).toMatchObject({ usage: { input: 40, output: 9 }, cost: 0.5 });
    expect(run?.partialUsage).toBeUndefined();
  });

  test("steps of a run without a result are incomplete", () => {
    const sum = usageSum();
    sum.see({ type: "usage", scope: "step", tokens: { ...nothing, input: 5 }, covers: "run" });
    sum.see({ type: "run-end", status: "timed_out", reason: "timeout", exitCode: null, signal: null, durationMs: null });
    expect(sum.used()).toEqual({
      usage: nothing,
      costUsd: null,
      partialUsage: { covers: "run", complete: false, tokens: { ...nothing, input: 5 } },
    });
  });
});

describe("several runs together", () => {
  const whole = { usage: { ...nothing, input: 5 }, costUsd: 1 };

  test("the sum of whole runs is whole", () => {
    expect(sumUsed([whole, whole])).toEqual({ usage: { ...nothing, input: 10 }, costUsd: 2 });
  });

  test("the sum with a part, or with a run that reports nothing, is a part", () => {
    const part = { usage: nothing, costUsd: null, partialUsage: { covers: "last-step" as const, complete: true, tokens: whole.usage } };
    expect(sumUsed([whole, part])).toEqual({
      usage: nothing,
      costUsd: null,
      partialUsage: { covers: "last-step", complete: true, tokens: { ...nothing, input: 10 } },
      partialCost: { covers: "run", complete: false, costUsd: 1 },
    });
  });
});
