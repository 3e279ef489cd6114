import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import type { Task } from "../../../src/pure/pipeline/agent.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { EPOCH, feed, linesOf, loadFixtures, replay } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Specification 000, "Pi Event Mapping", row by row and sentence by sentence, and the differences of the real CLI. */

const session = { type: "session", version: 3, id: "s1", cwd: "/w" };
const pi = (...lines: unknown[]) => activityOf("pi", [session, ...lines]);
const bytesOf = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const events = (...lines: unknown[]) => feed(agents.pi, log, [bytesOf(lines)]);

/** A call as in the document, and as the CLI prints it. */
const selfContained = (toolName: string, input: unknown, more: object = { status: "completed" }) =>
  pi({ type: "tool_execution_end", toolName, input, ...more });
const start = (toolName: string, args: unknown, toolCallId = "c") => ({ type: "tool_execution_start", toolCallId, toolName, args });
const end = (toolName: string, text: string, isError = false, more: object = {}, toolCallId = "c") => ({
  type: "tool_execution_end",
  toolCallId,
  toolName,
  result: { content: [{ type: "text", text }], ...more },
  isError,
});
const call = (toolName: string, args: unknown, text = "SECRET", isError = false, more: object = {}) =>
  pi(start(toolName, args), end(toolName, text, isError, more));

const said = (text: string, more: object = {}) => ({
  type: "message_end",
  message: { role: "assistant", content: text === "" ? [] : [{ type: "text", text }], stopReason: "stop", ...more },
});
const failed = (errorMessage: string, text = "") => said(text, { stopReason: "error", errorMessage });
const agentEnd = (willRetry?: boolean) => ({ type: "agent_end", messages: [], ...(willRetry === undefined ? {} : { willRetry }) });
const settled = (aborted = false) => ({ type: "agent_settled", aborted });
const delta = (text: string) => ({ type: "message_update", usage: {}, assistantMessageEvent: { type: "text_delta", delta: text } });
const retry = { type: "auto_retry_start", attempt: 1, maxAttempts: 2, delayMs: 200, errorMessage: "500 internal" };

/** The verdict for these lines and an exit code, 0 by default. */
function verdict(lines: readonly unknown[], exit: { exitCode?: number; signal?: string } = { exitCode: 0 }) {
  const line = pipeline(agents.pi, result, { startedAt: EPOCH }, decode);
  const { exitCode = null, signal = null } = exit;
  line.bytes("stdout", bytesOf(lines), EPOCH);
  line.exit({ type: "exit", at: EPOCH, exitCode, signal, durationMs: 0 });
  const [record] = line.end(EPOCH);
  return { status: record?.status, reason: record?.reason };
}

describe("the document's stream", () => {
  test("the session id comes from the session record", () => {
    expect(feed(agents.pi, activity, [bytesOf([session, said("hi")])])).toMatchObject([{ type: "agent", message: "hi", sessionId: "s1" }]);
  });
  test("lifecycle markers, partial updates and turn_end emit no event", () => {
    const types = ["agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update"];
    expect(pi(...types.map((type) => ({ type })))).toEqual([]);
    expect(pi(delta("partial"))).toEqual([]);
  });
  test("an assistant message is an agent message, from a string or an array of text parts", () => {
    expect(pi({ type: "message_end", message: { role: "assistant", content: "plain" } })).toEqual([{ type: "agent", message: "plain" }]);
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "one " },
      { type: "toolCall", id: "c", name: "read", arguments: {} },
      { type: "text", text: "two" },
    ];
    expect(pi({ type: "message_end", message: { role: "assistant", content } })).toEqual([{ type: "agent", message: "one two" }]);
  });
  test("a message with only calls is not an empty agent message", () => {
    expect(pi(said(""))).toEqual([]);
  });
  test.each(["user", "system", "toolResult", "custom", "compactionSummary"])("a message of the role %s is ignored", (role) => {
    expect(pi({ type: "message_end", message: { role, content: [{ type: "text", text: "SECRET" }] } })).toEqual([]);
  });
  test("turn_end is consumed for usage, once", () => {
    const usage = { input: 10, output: 3, cacheRead: 2, cacheWrite: 1 };
    const reported = (...lines: unknown[]) => events(...lines).flatMap((event) => (event.type === "usage" ? [event.tokens] : []));
    const tokens = { input: 10, cacheRead: 2, cacheWrite: 1, output: 3, reasoning: null };
    expect(reported({ type: "turn_end", usage })).toEqual([tokens]);
    expect(reported(said("hi", { usage }), { type: "turn_end", message: { role: "assistant", usage } })).toEqual([tokens]);
  });
  test("a line that is not JSON, and a line of a different type, is unknown", () => {
    expect(pi("plain", { type: "novel" })).toEqual([
      { type: "unknown", raw: "plain" },
      { type: "unknown", raw: { type: "novel" } },
    ]);
  });
});

describe("the document's tool table, in the document's form", () => {
  test.each([
    ["read", { path: "a", offset: 2, limit: 3 }, { type: "read", path: "/w/a", startLine: 2, endLine: 4 }],
    ["write", { path: "a", content: "SECRET" }, { type: "write", path: "/w/a" }],
    ["edit", { path: "/x/a", edits: [] }, { type: "write", path: "/x/a" }],
    ["search", { query: "q", path: "src" }, { type: "search", query: "q", path: "/w/src" }],
    ["grep", { pattern: "q" }, { type: "search", query: "q" }],
    ["glob", { pattern: "*.ts" }, { type: "search", query: "*.ts" }],
    ["list", { path: "src" }, { type: "list", path: "/w/src" }],
    ["bash", { command: "make" }, { type: "command", command: "make" }],
    ["shell", { command: "cat a" }, { type: "read", path: "/w/a" }],
    ["READ", { path: "a" }, { type: "read", path: "/w/a" }],
    ["Bash", { command: "rg foo" }, { type: "search", query: "foo" }],
  ])("%s", (tool, input, expected) => {
    expect(selfContained(tool, input)).toMatchObject([{ ...expected, isSuccess: true }]);
    expect(selfContained(tool, input, { status: "error" })).toMatchObject([{ ...expected, isSuccess: false }]);
    expect(selfContained(tool, input, { error: "broken" })).toMatchObject([{ ...expected, isSuccess: false }]);
    expect(selfContained(tool, input, {})[0]).not.toHaveProperty("isSuccess");
    expect(call(tool, input)).toMatchObject([{ ...expected, isSuccess: true }]);
    expect(call(tool, input, "SECRET", true)).toMatchObject([{ ...expected, isSuccess: false }]);
  });
  test("any other tool is unknown, with the request and never the result", () => {
    expect(selfContained("webfetch", { url: "u" }, { status: "completed", result: "SECRET" })).toEqual([
      { type: "unknown", raw: { type: "tool_execution_end", toolName: "webfetch", input: { url: "u" }, status: "completed" } },
    ]);
    expect(call("mcp__x__y", { a: 1 })).toEqual([{ type: "unknown", raw: start("mcp__x__y", { a: 1 }) }]);
  });
  test("an end without a request or a start is unknown, without its result", () => {
    expect(pi({ ...end("read", "SECRET"), toolCallId: "stray" })).toEqual([
      { type: "unknown", raw: { type: "tool_execution_end", toolCallId: "stray", toolName: "read", isError: false } },
    ]);
  });
});

describe("the CLI's calls: the request in the start, the answer in the end", () => {
  test.each([
    ["find", { pattern: "*.js" }, { type: "search", query: "*.js" }],
    ["ls", { path: "src" }, { type: "list", path: "/w/src" }],
    ["ls", {}, { type: "list" }],
    ["edit", { path: "a", edits: [{ oldText: "SECRET", newText: "SECRET" }] }, { type: "write", path: "/w/a" }],
    ["read", { path: "@src/a.ts" }, { type: "read", path: "/w/src/a.ts" }],
    ["powershell", { command: "cat a" }, { type: "command", command: "cat a" }],
  ])("%s %j", (tool, args, expected) => {
    expect(call(tool, args)).toEqual([{ ...expected, isSuccess: true }]);
  });
  test("parallel calls are reported in order of completion, each with its own verdict", () => {
    const lines = [
      start("read", { path: "a" }, "1"),
      start("read", { path: "b" }, "2"),
      end("read", "", true, {}, "2"),
      end("read", "", false, {}, "1"),
    ];
    expect(pi(...lines)).toEqual([
      { type: "read", path: "/w/b", isSuccess: false },
      { type: "read", path: "/w/a", isSuccess: true },
    ]);
  });
  test("the exit code is the last line of a failed command's text, or a field", () => {
    expect(call("bash", { command: "make" }, "x\n\nCommand exited with code 3", true)).toMatchObject([{ exitCode: 3, isSuccess: false }]);
    expect(call("bash", { command: "make" }, "x", true, { structuredContent: { exit_code: 137 } })).toMatchObject([{ exitCode: 137 }]);
    expect(call("bash", { command: "make" }, "x", false, { structuredContent: { exit_code: 0 } })).toMatchObject([{ exitCode: 0 }]);
    expect(call("bash", { command: "make" }, "Command exited with code 3")[0]).not.toHaveProperty("exitCode");
    expect(call("bash", { command: "make" }, "Command timed out after 1 seconds", true)[0]).not.toHaveProperty("exitCode");
  });
  test("a search that matched nothing succeeded", () => {
    const text = "(no output)\n\nCommand exited with code 1";
    expect(call("bash", { command: "grep foo a" }, text, true)).toMatchObject([{ type: "search", isSuccess: true }]);
  });
  test("a tool call made by a tool is a call like any other", () => {
    const nested = { ...start("read", { path: "a" }, "c/1"), parentToolCallId: "c" };
    const lines = [start("codemode", { code: "…" }), nested, end("read", "SECRET", false, {}, "c/1"), end("codemode", "SECRET")];
    expect(pi(...lines)).toMatchObject([
      { type: "read", path: "/w/a" },
      { type: "unknown", raw: { toolName: "codemode" } },
    ]);
  });
  test("if the end of a call was lost, the conversation still shows its outcome", () => {
    const message = { role: "toolResult", toolCallId: "c", content: [{ type: "text", text: "SECRET" }], isError: true };
    expect(pi(start("read", { path: "a" }), { type: "message_end", message })).toEqual([{ type: "read", path: "/w/a", isSuccess: false }]);
  });
  test("no contents: neither written text nor results", () => {
    const broken = [start("write", { content: "SECRET" }), end("write", "SECRET", true)];
    const twice = [start("write", { path: "a", content: "SECRET" }), ...broken];
    const update = { type: "tool_execution_update", toolCallId: "c", toolName: "bash", partialResult: { content: "SECRET" } };
    const compaction = { type: "compaction_end", reason: "threshold", result: { summary: "SECRET", tokensBefore: 5 } };
    const entry = { type: "entry_appended", entry: { type: "custom", id: "e", data: "SECRET" } };
    expect(JSON.stringify(pi(...broken, update, ...twice, compaction, entry, { type: "message_end", message: "SECRET" }))).not.toContain(
      "SECRET",
    );
  });
});

describe("success and failure, which the exit code never shows", () => {
  test.each([
    ["401 invalid api key", "infrastructure"],
    ['401: {"message":"invalid api key","type":"authentication_error"}', "infrastructure"],
    ['529 {"error":{"type":"overloaded_error"}}', "infrastructure"],
    ["500 internal", "infrastructure"],
    ["terminated", "infrastructure"],
    ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "infrastructure"],
    ['{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}', "infrastructure"],
    ['{"error":{"code":503,"message":"try later"}}', "infrastructure"],
    ["fetch failed", "infrastructure"],
    ["400 bad request", "failed"],
    ['400 {"error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}', "failed"],
    ["Something else", "failed"],
  ])("an answer that ended with %s", (message, status) => {
    expect(verdict([session, failed(message), agentEnd()])).toEqual({ status, reason: "error" });
    expect(verdict([session, failed(message), agentEnd(false), settled()])).toEqual({ status, reason: "error" });
    expect(pi(failed(message), agentEnd())).toEqual([{ type: "error", message }]);
  });
  test("a good end", () => {
    expect(verdict([session, said("done"), agentEnd()])).toEqual({ status: "completed", reason: "stop" });
    expect(verdict([session, delta("done"), said("done"), agentEnd(false), settled()])).toEqual({ status: "completed", reason: "stop" });
    expect(verdict([session, said("trunc", { stopReason: "length" }), agentEnd()])).toEqual({ status: "completed", reason: "length" });
  });
  test("an answer cut off by the output limit is a warning", () => {
    expect(pi(said("trunc", { stopReason: "length" }))).toMatchObject([{ type: "agent" }, { type: "warning", code: "output_limit" }]);
  });
  test("output that ends before its terminal record is never completed", () => {
    expect(verdict([session, said("done")])).toEqual({ status: "failed", reason: "result-missing" });
    expect(verdict([session, delta("done"), said("done"), agentEnd(false)])).toEqual({ status: "failed", reason: "result-missing" });
    expect(verdict([session, said("done"), agentEnd(), { type: "agent_start" }])).toEqual({ status: "failed", reason: "result-missing" });
    expect(verdict([session])).toEqual({ status: "failed", reason: "result-missing" });
  });
  test("a retry is a warning; the failure before it is neither an error nor a verdict", () => {
    const lines = [failed("500 internal"), agentEnd(), retry, { type: "agent_start" }];
    const message = "API request failed (500 internal); retry 1/2 in 200 ms";
    expect(pi(...lines, said("done"), agentEnd())).toEqual([
      { type: "warning", message, code: "api_retry" },
      { type: "agent", message: "done" },
    ]);
    expect(verdict([session, ...lines, said("done"), agentEnd()]).status).toBe("completed");
    expect(verdict([session, ...lines], { exitCode: 143 }).status).toBe("canceled");
    expect(verdict([session, ...lines], { signal: "SIGINT" }).status).toBe("canceled");
  });
  test("the last retry that fails is one error", () => {
    const lines = [failed("500 internal"), agentEnd(), { type: "auto_retry_end", success: false, attempt: 2, finalError: "500 internal" }];
    for (const last of [[], [settled()]]) {
      expect(pi(...lines, ...last)).toEqual([{ type: "error", message: "500 internal" }]);
      expect(verdict([session, ...lines, ...last]).status).toBe("infrastructure");
    }
  });
  test("text that a retry repeats word for word is reported once", () => {
    const lines = [
      failed("terminated", "The beginning"),
      agentEnd(),
      retry,
      { type: "agent_start" },
      failed("terminated", "The beginning"),
    ];
    expect(pi(...lines).filter((event) => "type" in event && event.type === "agent")).toHaveLength(1);
  });
  test("a context that was too long and was compacted is a warning", () => {
    const compacted = { type: "compaction_end", reason: "overflow", result: { tokensBefore: 9 }, aborted: false, willRetry: true };
    const lines = [failed("400 too long"), agentEnd(false), compacted, { type: "agent_start" }, said("done"), agentEnd(false), settled()];
    expect(pi(...lines).map((event) => "type" in event && event.type)).toEqual(["unknown", "warning", "agent"]);
    expect(verdict([session, ...lines]).status).toBe("completed");
  });
  test("an aborted run is canceled", () => {
    const aborted = said("", { stopReason: "aborted", errorMessage: "Request was aborted" });
    expect(verdict([session, aborted, agentEnd()])).toEqual({ status: "canceled", reason: "aborted" });
    expect(verdict([session, said("done"), agentEnd(false), settled(true)])).toEqual({ status: "canceled", reason: "aborted" });
  });
  test("a call that an extension blocked, with nothing after it, blocks the run", () => {
    const lines = [session, start("bash", { command: "make" }), end("bash", "Tool execution was blocked", true)];
    expect(verdict([...lines, said("I may not."), agentEnd()]).status).toBe("blocked");
  });
  test("an answer that only agent_end holds", () => {
    const messages = [{ role: "assistant", content: [], stopReason: "error", errorMessage: "500 internal" }];
    expect(verdict([session, said("x", { stopReason: "toolUse" }), { type: "agent_end", messages }]).status).toBe("infrastructure");
    expect(pi({ type: "agent_end", messages })).toEqual([{ type: "error", message: "500 internal" }]);
  });
});

describe("usage and cost", () => {
  const reported = (usage: unknown) => events(said("hi", { usage })).find((event) => event.type === "usage");
  const cost = { total: 0.5 };
  test("reasoning is subtracted from the output if it is reported, and null if not", () => {
    const usage = { input: 170, output: 37, cacheRead: 900, cacheWrite: 50, cost };
    const tokens = { input: 170, cacheRead: 900, cacheWrite: 50, output: 37, reasoning: null };
    expect(reported(usage)).toMatchObject({ scope: "step", tokens, costUsd: 0.5 });
    expect(reported({ ...usage, reasoning: 11 })).toMatchObject({ tokens: { ...tokens, output: 26, reasoning: 11 } });
  });
  test("the zeros of a failed request are not a measurement, and a price of zero is not a price", () => {
    expect(reported({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } })).toBeUndefined();
    expect(reported({ input: 1, output: 0, cost: { total: 0 } })).toMatchObject({ costUsd: undefined });
  });
  test("model usage of a tool and of a summary counts too", () => {
    const usage = { input: 7, output: 1 };
    const lines = [
      { type: "message_end", message: { role: "toolResult", toolCallId: "c", content: [], usage } },
      { type: "compaction_end", reason: "threshold", result: { usage } },
      { type: "entry_appended", entry: { type: "usage", usage } },
    ];
    expect(events(...lines).filter(({ type }) => type === "usage")).toHaveLength(3);
  });
});

describe("invocation", () => {
  const command = (task: Partial<Task>) => agents.pi.command({ prompt: "-- do", ...task });
  test("the prompt goes to stdin", () => {
    expect(command({})).toMatchObject({ args: ["--mode", "json", "--print"], stdin: "-- do", ignored: [] });
  });
  test("permissions: it never asks, so only read-only changes anything", () => {
    expect(command({ permissions: "full" }).args).toEqual(command({ permissions: "default" }).args);
    expect(command({ permissions: "read-only" }).args).toEqual(["--mode", "json", "--print", "--tools", "read,grep,find,ls"]);
  });
  test("model, system prompts, extra arguments; unsupported options are listed", () => {
    const { args, ignored } = command({
      model: "p/m",
      systemPrompt: "a",
      appendSystemPrompt: "-b",
      maxTurns: 3,
      maxBudgetUsd: 1,
      extraArgs: ["--no-session"],
    });
    expect(args.slice(3)).toEqual(["--model", "p/m", "--system-prompt", "a", "--append-system-prompt", "-b", "--no-session"]);
    expect(ignored).toEqual(["maxTurns", "maxBudgetUsd"]);
  });
});

describe("the recordings", () => {
  const fixtures = loadFixtures().filter(({ agent, provenance }) => agent.id === "pi" && provenance === "recorded");
  test("every line is explained", () => {
    expect(fixtures.length).toBeGreaterThan(30);
    for (const fixture of fixtures) expect(replay(fixture, log).filter(({ type }) => type === "unknown")).toEqual([]);
  });
  test("a recording without its terminal record is never completed", () => {
    const last = /^\{"type":"(agent_end|agent_settled)"/;
    for (const fixture of fixtures) {
      const lines = linesOf(fixture.raw);
      const at = lines.findIndex((line) => last.test(line.toString("utf8", 0, 40)) && !line.includes('"willRetry":'));
      if (at < 0) continue;
      const records = replay({ ...fixture, raw: Buffer.concat(lines.slice(0, at)), exitCode: 0, signal: null }, result);
      expect(records[0]?.status, fixture.name).not.toBe("completed");
    }
  });
  test("an answer that every piece repeats in full costs its length once", () => {
    const words = Array.from({ length: 400 }, (_, i) => `word ${i} `);
    const snapshot = (n: number) => ({ role: "assistant", content: [{ type: "text", text: words.slice(0, n + 1).join("") }] });
    const lines = words.map((word, i) => ({
      type: "message_update",
      assistantMessageEvent: { type: "text_delta", delta: word, partial: snapshot(i) },
      message: snapshot(i),
    }));
    const deltas = events(...lines).flatMap((event) => (event.type === "text-delta" ? [event.text] : []));
    expect(deltas).toEqual(words);
  });
});

describe("lines of its RPC mode", () => {
  test("a failed extension is a warning, and the output of a command is not repeated", () => {
    const failed = { type: "extension_error", extensionPath: "/x.ts", event: "tool_call", error: "it broke" };
    expect(pi(failed, { type: "bash_execution_update", id: "r", delta: "CANARY" })).toMatchObject([
      { type: "warning", message: "it broke", code: "extension_error" },
    ]);
  });
});
