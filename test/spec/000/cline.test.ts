import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { stream } from "../../../src/pure/views/stream/view.ts";
import { feed, loadFixtures, replay } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Specification 000, "Cline Event Mapping", row by row and sentence by sentence; then where the CLI differs. */

const cline = (...lines: unknown[]) => activityOf("cline", lines);
const event = (type: string, fields: object = {}) => ({ ts: "2026-01-01T00:00:00.000Z", type: "agent_event", event: { type, ...fields } });
const hook = (hookEventName: string, agentId: string, parentAgentId: string | null = null) => ({
  type: "hook_event",
  hookEventName,
  agentId,
  taskId: `conv_${agentId}`,
  parentAgentId,
});
const start = (toolName: string, input: unknown, toolCallId = "c1") =>
  event("content_start", { contentType: "tool", toolName, toolCallId, input });
const end = (toolName: string, output: unknown, toolCallId = "c1", error?: string) =>
  event("content_end", { contentType: "tool", toolName, toolCallId, output, error });
const call = (tool: string, input: unknown, output: unknown, error?: string) => cline(start(tool, input), end(tool, output, "c1", error));
const ok = (query = "q") => ({ query, result: "secret", success: true });
const bad = (error: string) => ({ query: "q", result: "secret", error, success: false });
const text = (words: string) => event("content_end", { contentType: "text", text: words });
const runResult = (finishReason: string, fields: object = {}) => ({ type: "run_result", finishReason, iterations: 1, text: "", ...fields });

const bytes = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const logOf = (...lines: unknown[]) => feed(agents.cline, log, [bytes(lines)]);
const resultOf = (...lines: unknown[]) => feed(agents.cline, result, [bytes(lines)])[0];

describe("records", () => {
  test("hook events are bookkeeping, run_result is consumed", () => {
    const lines = ["agent_start", "tool_call", "tool_result", "prompt_submit", "agent_end", "something_new"].map((name) =>
      hook(name, "a1"),
    );
    expect(cline(...lines, runResult("completed", { text: "hi" }))).toEqual([]);
  });
  test.each(["sessionId", "session_id", "id"])("the session id is captured from %s", (key) => {
    const records = feed(agents.cline, activity, [bytes([{ ...hook("agent_start", "a1"), [key]: "s1" }, text("hi")])]);
    expect(records).toMatchObject([{ type: "agent", sessionId: "s1" }]);
  });
  test.each(["taskId", "task_id"])("%s names the conversation in memory and is never captured", (key) => {
    const [record] = feed(agents.cline, activity, [bytes([{ ...hook("agent_start", "a1"), [key]: "t1" }, text("hi")])]);
    expect(record).not.toHaveProperty("sessionId");
  });
  test("the id of the model is not captured either", () => {
    expect(resultOf(runResult("completed", { model: { id: "m1", provider: "p" } }))).toMatchObject({ sessionId: null, model: "m1" });
  });
  test("a record of a different type, and a line that is not JSON, is unknown", () => {
    expect(cline({ type: "novel" }, event("novel"), "plain")).toEqual([
      { type: "unknown", raw: { type: "novel" } },
      { type: "unknown", raw: { ts: "2026-01-01T00:00:00.000Z", type: "agent_event", event: { type: "novel" } } },
      { type: "unknown", raw: "plain" },
    ]);
  });
});

describe("agent events", () => {
  test("iteration boundaries, usage and done are consumed", () => {
    expect(cline(event("iteration_start"), event("usage", { inputTokens: 1 }), event("iteration_end"), event("done"))).toEqual([]);
  });
  test("the deltas of a text are consumed; its end is the message", () => {
    const delta = (piece: string, accumulated: string) => event("content_start", { contentType: "text", text: piece, accumulated });
    expect(cline(delta("Hel", "Hel"), delta("lo", "Hello"), text("Hello"))).toEqual([{ type: "agent", message: "Hello" }]);
  });
  test("reasoning is not activity; if requested, it comes before its message", () => {
    const thought = (piece: string) => event("content_start", { contentType: "reasoning", reasoning: piece, redacted: false });
    const lines = [thought("hm"), thought("m"), text("Hi"), event("content_end", { contentType: "reasoning", reasoning: "hmm" })];
    expect(cline(...lines)).toEqual([{ type: "agent", message: "Hi" }]);
    expect(feed(agents.cline, activity, [bytes(lines)], { reasoning: true })).toMatchObject([
      { type: "reasoning", message: "hmm" },
      { type: "agent", message: "Hi" },
    ]);
  });
  test("a call is reported once, when it ends", () => {
    expect(cline(start("run_commands", { commands: ["make"] }), end("run_commands", [ok("make")]))).toEqual([
      { type: "command", command: "make", isSuccess: true },
    ]);
  });
  test("a result without its call is unknown, without its contents", () => {
    const [record] = cline(end("read_files", [ok()]));
    expect(record).toMatchObject({ type: "unknown", raw: { event: { toolCallId: "c1" } } });
    expect(JSON.stringify(record)).not.toContain("secret");
  });
});

describe("the tool table", () => {
  test.each(["run_commands", "execute_command", "bash"])("%s: one command per command", (tool) => {
    expect(call(tool, { commands: ["ls -la", "cat a"] }, [ok(), ok()])).toEqual([
      { type: "command", command: "ls -la", isSuccess: true },
      { type: "command", command: "cat a", isSuccess: true },
    ]);
    expect(call(tool, { commands: "make" }, [ok()])).toEqual([{ type: "command", command: "make", isSuccess: true }]);
    expect(call(tool, { command: "make" }, ok())).toEqual([{ type: "command", command: "make", isSuccess: true }]);
  });
  test.each(["read_files", "read_file"])("%s: one read per file", (tool) => {
    expect(call(tool, { files: [{ path: "/a", start_line: 2, end_line: 3 }, "/b"] }, [ok(), ok()])).toEqual([
      { type: "read", path: "/a", startLine: 2, endLine: 3, isSuccess: true },
      { type: "read", path: "/b", isSuccess: true },
    ]);
    expect(call(tool, { path: "/a" }, [ok()])).toEqual([{ type: "read", path: "/a", isSuccess: true }]);
  });
  test.each(["editor", "write_to_file", "replace_in_file", "new_rule"])("%s is a write", (tool) => {
    expect(call(tool, { path: "/a", new_text: "secret", content: "secret" }, ok())).toEqual([
      { type: "write", path: "/a", isSuccess: true },
    ]);
  });
  test("apply_patch: one write per file named by the markers", () => {
    const input = "*** Begin Patch\n*** Add File: a b\n+x\n*** Update File: /c\n*** Move to: /d\n@@\n*** Delete File: /e\n*** End Patch";
    expect(call("apply_patch", { input }, ok())).toEqual(
      ["a b", "/c", "/d", "/e"].map((path) => ({ type: "write", path, isSuccess: true })),
    );
  });
  test.each(["search_files", "search_codebase"])("%s is a search", (tool) => {
    expect(call(tool, { path: "/src", regex: "needle" }, ok())).toEqual([
      { type: "search", query: "needle", path: "/src", isSuccess: true },
    ]);
    expect(call(tool, { queries: ["a", "b"] }, [ok(), ok()])).toEqual([
      { type: "search", query: "a", isSuccess: true },
      { type: "search", query: "b", isSuccess: true },
    ]);
  });
  test("list_files is a list", () => {
    expect(call("list_files", { path: "/src" }, ok())).toEqual([{ type: "list", path: "/src", isSuccess: true }]);
  });
  test.each(["skills", "use_skill"])("%s is a skill", (tool) => {
    expect(call(tool, { skill: "greet" }, ok())).toEqual([
      { type: "skill", path: "skills/greet/SKILL.md", skillName: "greet", isSuccess: true },
    ]);
  });
  test.each(["fetch_web_content", "ask_question", "team_status", "docs__search"])("%s, like any other tool, is unknown", (tool) => {
    const records = call(tool, { a: 1 }, "secret");
    expect(records).toMatchObject([{ type: "unknown", raw: { toolName: tool, input: { a: 1 } } }]);
    expect(JSON.stringify(records)).not.toContain("secret");
  });
  test("a call without a required argument is unknown, without file text", () => {
    const records = call("editor", { new_text: "secret" }, { error: "no path" }, "no path");
    expect(records).toMatchObject([{ type: "unknown", raw: { toolName: "editor", input: {} } }]);
    expect(JSON.stringify(records)).not.toContain("secret");
  });
});

describe("the older say/ask stream", () => {
  const say = (kind: string, words: string, fields: object = {}) => ({ ts: 1, type: "say", say: kind, text: words, ...fields });
  const ask = (kind: string, words: string) => ({ ts: 1, type: "ask", ask: kind, text: words });

  test("a text, a completion result and a followup question are agent messages", () => {
    expect(cline(say("text", "a"), say("completion_result", "b"), ask("followup", "c?"), ask("followup", '{"question":"d?"}'))).toEqual(
      ["a", "b", "c?", "d?"].map((message) => ({ type: "agent", message })),
    );
  });
  test("reasoning is consumed", () => {
    expect(cline(say("reasoning", "hm"))).toEqual([]);
  });
  test.each(["error", "error_retry", "diff_error", "clineignore_error"])("%s is an error", (kind) => {
    expect(cline(say(kind, "it broke"))).toEqual([{ type: "error", message: "it broke" }]);
  });
  test.each([
    say("command", "make"),
    say("checkpoint_created", ""),
    ask("completion_result", ""),
    ask("command", "make"),
    say("novel", "x"),
  ])("everything else is unknown: %o", (line) => {
    expect(cline(line)).toEqual([{ type: "unknown", raw: line }]);
  });
  test("tool activity is not reconstructed and holds no contents", () => {
    const tool = say("tool", '{"tool":"readFile","path":"a.txt","content":"secret"}');
    const records = cline(
      tool,
      say("command_output", "secret"),
      say("api_req_started", '{"request":"secret"}'),
      ask("command_output", "secret"),
    );
    expect(records).toHaveLength(4);
    expect(records.every((record) => "type" in record && record.type === "unknown")).toBe(true);
    expect(records[0]).toMatchObject({ raw: { say: "tool", text: '{"tool":"readFile","path":"a.txt"}' } });
    expect(JSON.stringify(records)).not.toContain("secret");
  });
  test("a growing message is reported piece by piece, then whole", () => {
    const lines = [say("text", "I", { partial: true }), say("text", "I am", { partial: true }), say("text", "I am.")];
    expect(cline(...lines)).toEqual([{ type: "agent", message: "I am." }]);
    expect(logOf(...lines).filter(({ type }) => type === "text-delta")).toMatchObject([{ text: "I" }, { text: " am" }]);
  });
  test("its completion is its end; a failed request is not", () => {
    expect(resultOf(say("completion_result", "b"))).toMatchObject({ status: "completed", output: "b" });
    expect(resultOf(say("text", "a"))).toMatchObject({ status: null, reason: "result-missing" });
    expect(resultOf(ask("api_req_failed", '{"message":"no","status":401}'))).toMatchObject({ status: "infrastructure" });
  });
});

describe("a failure of the provider without a clear message", () => {
  const at = (seconds: number, body: object) => ({ ts: new Date(1e12 + seconds * 1000).toISOString(), type: "agent_event", event: body });
  const asks = at(0, { type: "iteration_start", iteration: 1 });
  const speaks = at(1, { type: "content_start", contentType: "text", text: "a", accumulated: "a" });
  const fails = (seconds: number, errorClass = "unknown", message = "No.") =>
    at(seconds, { type: "error", error: { message }, errorClass, recoverable: false });
  test("retried for a minute: the provider was down", () => {
    expect(resultOf(asks, fails(62), runResult("error"))).toMatchObject({ status: "infrastructure" });
  });
  test("rejected immediately, or after some output: the request was wrong", () => {
    expect(resultOf(asks, fails(2), runResult("error"))).toMatchObject({ status: "failed" });
    expect(resultOf(asks, speaks, fails(62), runResult("error"))).toMatchObject({ status: "failed" });
    expect(resultOf(asks, fails(62, "context_window_exceeded"), runResult("error"))).toMatchObject({ status: "failed" });
  });
});

describe("success is reported per item", () => {
  test("a good read stays good next to a bad one", () => {
    expect(call("read_files", { files: ["/a", "/b", "/c"] }, [ok(), ok(), bad("ENOENT")])).toEqual([
      { type: "read", path: "/a", isSuccess: true },
      { type: "read", path: "/b", isSuccess: true },
      { type: "read", path: "/c", isSuccess: false },
    ]);
  });
  test("each command has its own exit code, found only in the text", () => {
    expect(call("run_commands", { commands: ["a", "b", "c"] }, [bad("Command exited with code 3"), ok(), bad("timed out")])).toEqual([
      { type: "command", command: "a", exitCode: 3, isSuccess: false },
      { type: "command", command: "b", isSuccess: true },
      { type: "command", command: "c", isSuccess: false },
    ]);
  });
  test("a result whose items differ from the request says nothing about a mixture", () => {
    expect(call("read_files", { files: ["/a", "/b", "/c"] }, [ok(), bad("no")])).toEqual(
      ["/a", "/b", "/c"].map((path) => ({ type: "read", path })),
    );
  });
  test("it is one failed call whose end reports each item", () => {
    const lines = [start("read_files", { files: ["/a", "/b"] }), end("read_files", [ok(), bad("ENOENT")])];
    expect(logOf(...lines).filter(({ type }) => type.startsWith("tool-"))).toMatchObject([
      { type: "tool-start", callId: "c1" },
      { type: "tool-end", callId: "c1", success: false, endings: [{ success: true }, { success: false }] },
    ]);
    expect(feed(agents.cline, stream, [bytes(lines)]).filter(({ type }) => type === "ToolEnd")).toMatchObject([{ success: false }]);
  });
  test("a partly failed batch has done something: an earlier denial does not block the run", () => {
    const refusal = [start("editor", { path: "/a" }), end("editor", { error: 'Tool "editor" requires approval' })];
    const batch = (...items: object[]) => [start("run_commands", { commands: ["a", "b"] }), end("run_commands", items)];
    const no = bad("Command exited with code 3");
    expect(resultOf(...refusal, ...batch(no, no), runResult("completed"))).toMatchObject({ status: "blocked" });
    expect(resultOf(...refusal, ...batch(no, ok()), runResult("completed"))).toMatchObject({ status: "completed" });
  });
  test("a call denied before it ran has failed; a plain answer means nothing", () => {
    expect(call("run_commands", { commands: ["a"] }, { error: "no" }, '{"error":"no"}')).toMatchObject([{ isSuccess: false }]);
    expect(call("skills", { skill: "s" }, "a text of some kind")[0]).not.toHaveProperty("isSuccess");
  });
  test.each([
    ["<command-name>greet</command-name>\n<command-instructions>…", true],
    ['Skill "greet" not found. Available skills: other', false],
    ['Skill "greet" is configured but disabled.', false],
    ["No skills are currently available.", false],
  ])("a skill was used if its answer says so: %s", (output, isSuccess) => {
    expect(call("skills", { skill: "greet" }, output)).toMatchObject([{ type: "skill", skillName: "greet", isSuccess }]);
  });
});

describe("inputs are repeated as the model wrote them", () => {
  test.each([
    [{ files: "/a" }, ["/a"]],
    [{ files: { path: "/a" } }, ["/a"]],
    [{ file_paths: ["/a", "/b"] }, ["/a", "/b"]],
    [["/a"], ["/a"]],
    [{ files: [{ filePath: "/a" }] }, ["/a"]],
  ])("read_files %o", (input, paths) => {
    expect(
      call(
        "read_files",
        input,
        paths.map(() => ok()),
      ),
    ).toEqual(paths.map((path) => ({ type: "read", path, isSuccess: true })));
  });
  test("a program with its arguments", () => {
    expect(call("run_commands", { commands: [{ command: "echo", args: ["a", "b c"] }] }, [ok()])).toEqual([
      { type: "command", command: 'echo a "b c"', isSuccess: true },
    ]);
  });
});

describe("errors", () => {
  const error = (message: string, fields: object) => event("error", { error: { name: "Error", message, stack: "secret" }, ...fields });
  test("a recoverable error repeats a failure of the agent and is not the harness's", () => {
    expect(cline(error("1 tool call(s) failed: [x] {}", { recoverable: true }))).toEqual([]);
    expect(cline(error("Detected 5 consecutive identical calls", { recoverable: true }))).toMatchObject([{ type: "warning" }]);
  });
  test("a fatal error has its class as code, and run_result does not repeat it", () => {
    expect(cline(error("no", { recoverable: false, errorClass: "auth" }), runResult("error", { text: "no" }))).toEqual([
      { type: "error", message: "no", code: "auth" },
    ]);
    expect(cline(runResult("error", { text: "alone" }))).toEqual([{ type: "error", message: "alone" }]);
  });
  test.each([
    ["scripted 401 failure", "auth", "infrastructure"],
    ["scripted 500 failure", "unknown", "infrastructure"],
    ["The socket connection was closed unexpectedly.", "unknown", "infrastructure"],
    ["too long", "context_window_exceeded", "failed"],
    ["400 bad request", "unknown", "failed"],
    ["Unknown or disabled provider", undefined, "failed"],
  ])("%s (%s): %s, without zeros as usage", (message, errorClass, status) => {
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, totalCost: 0 };
    const lines = [error(message, { recoverable: false, errorClass }), runResult("error", { text: message, usage, aggregateUsage: usage })];
    expect(resultOf(...lines)).toMatchObject({ status, usage: { input: null, output: null }, cost: null });
  });
});

describe("how a run ends", () => {
  const refusal = { error: 'Tool "editor" requires approval in a TTY session -- NOT a tool or system failure.' };
  const refused = [start("editor", { path: "/a" }), end("editor", refusal, "c1", JSON.stringify(refusal))];
  const mistake = event("error", { error: { message: "1 tool call(s) failed: [x]" }, recoverable: true });
  test("without run_result it is never completed, whatever subagents report", () => {
    expect(resultOf(text("hi"), event("done", { reason: "completed" }))).toMatchObject({ status: null, reason: "result-missing" });
  });
  test("denied and completed, or denied until it gave up: blocked", () => {
    expect(resultOf(...refused, runResult("completed"))).toMatchObject({ status: "blocked" });
    expect(resultOf(...refused, mistake, runResult("aborted"), { type: "run_aborted", reason: "external_abort" })).toMatchObject({
      status: "blocked",
      reason: "permission-refused",
    });
    const write = [start("editor", { path: "/b" }, "c2"), end("editor", ok(), "c2")];
    expect(resultOf(...refused, ...write, runResult("completed"))).toMatchObject({ status: "completed" });
  });
  test("the same mistake until it gave up: failed", () => {
    const aborted = { type: "run_aborted", reason: "external_abort", message: "aborted by another client" };
    expect(resultOf(mistake, runResult("aborted"), aborted)).toMatchObject({ status: "failed", reason: "mistake_limit" });
    expect(cline(mistake, runResult("aborted"), aborted)).toEqual([
      { type: "warning", message: "aborted by another client", code: "external_abort" },
      { type: "error", message: "The agent gave up after the same mistake again and again", code: "mistake_limit" },
    ]);
  });
  test("asked to stop: canceled, even if it reported completion", () => {
    expect(resultOf(runResult("completed"), { type: "run_aborted", reason: "local_abort" })).toMatchObject({ status: "canceled" });
    expect(resultOf({ type: "run_abort_requested", reason: "sigint" })).toMatchObject({ status: "canceled", reason: "sigint" });
    expect(resultOf(runResult("aborted"))).toMatchObject({ status: "canceled" });
  });
});

describe("usage", () => {
  test("input and output are gross; the aggregate includes teammates", () => {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const aggregateUsage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 40, cacheWriteTokens: 20, totalCost: 0.5 };
    expect(resultOf(runResult("completed", { usage, aggregateUsage }))).toMatchObject({
      usage: { input: 40, cacheRead: 40, cacheWrite: 20, output: 10, reasoning: null },
      cost: 0.5,
    });
  });
  test("an interrupted run has the sum of its steps", () => {
    const step = event("usage", { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4, totalInputTokens: 99 });
    expect(resultOf(step, step)?.partialUsage).toMatchObject({
      complete: false,
      tokens: { input: 12, cacheRead: 8, cacheWrite: null, output: 4 },
    });
  });
});

describe("subagents", () => {
  const spawn = start("spawn_agent", { task: "t" }, "s1");
  const spawned = end("spawn_agent", { text: "secret", finishReason: "completed" }, "s1");
  const command = (id: string) => [start("run_commands", { commands: [id] }, id), end("run_commands", [ok()], id)];

  test("hooks with a parent start and end them; events in between belong to them", () => {
    expect(
      cline(
        hook("agent_start", "main"),
        spawn,
        hook("agent_start", "sub", "main"),
        text("working"),
        hook("tool_call", "sub", "main"),
        ...command("x"),
        hook("agent_end", "sub", "main"),
        event("done", { reason: "completed" }),
        spawned,
        text("back"),
      ),
    ).toEqual([
      { type: "orchestration", action: "subagent_started", subagentId: "sub" },
      { type: "agent", message: "working", subagentId: "sub" },
      { type: "command", command: "x", isSuccess: true, subagentId: "sub" },
      { type: "orchestration", action: "subagent_completed", subagentId: "sub", isSuccess: true },
      { type: "agent", message: "back" },
    ]);
  });
  test("a failed subagent, reported by its hook or only by the answer; its error is not the run's", () => {
    const failed = { type: "orchestration", action: "subagent_failed", subagentId: "sub", isSuccess: false };
    const error = event("error", { error: { message: "no" }, recoverable: false });
    const lines = [hook("agent_start", "main"), spawn, hook("agent_start", "sub", "main")];
    const answer = end("spawn_agent", { text: "no", finishReason: "error" }, "s1");
    expect(cline(...lines, hook("agent_error", "sub", "main"), error, answer).slice(1)).toEqual([
      failed,
      { type: "error", message: "no", subagentId: "sub" },
    ]);
    expect(cline(...lines, answer).slice(1)).toEqual([failed]);
    expect(resultOf(...lines, hook("agent_error", "sub", "main"), error, answer, runResult("completed"))).toMatchObject({
      status: "completed",
    });
  });
  test("with two in parallel, a call belongs to the one whose hook announced it; a text belongs to neither", () => {
    const lines = [
      hook("agent_start", "main"),
      start("spawn_agent", {}, "s1"),
      start("spawn_agent", {}, "s2"),
      hook("agent_start", "one", "main"),
      hook("agent_start", "two", "main"),
      text("who?"),
      hook("tool_call", "two", "main"),
      ...command("x"),
      hook("tool_result", "two", "main"),
      hook("tool_call", "one", "main"),
      hook("tool_call", "two", "main"),
      ...command("y"),
    ];
    expect(cline(...lines).slice(2, 5)).toEqual([
      { type: "agent", message: "who?" },
      { type: "command", command: "x", isSuccess: true, subagentId: "two" },
      { type: "command", command: "y", isSuccess: true },
    ]);
  });
  test("a teammate's work is marked, and its hooks name no parent", () => {
    const team = (type: string, fields: object = {}) => ({ type: "team_event", event: { type, agentId: "scout", ...fields } });
    const lines = [
      hook("agent_start", "main"),
      start("team_spawn_teammate", { agentId: "scout" }, "t1"),
      team("teammate_spawned", { teammate: { runtimeAgentId: "mate" } }),
      end("team_spawn_teammate", { status: "spawned" }, "t1"),
      team("task_start"),
      hook("agent_start", "mate"),
      team("agent_event", { event: text("hi").event }),
      text("meanwhile"),
      team("task_end", { status: "failed", result: { messages: ["secret"] } }),
      team("team_mission_log", { entry: { summary: "did it" } }),
      team("teammate_shutdown"),
    ];
    const records = cline(...lines);
    expect(records).toMatchObject([
      { type: "orchestration", action: "subagent_started", subagentId: "scout", subagentName: "scout" },
      { type: "agent", message: "hi", subagentId: "scout" },
      { type: "agent", message: "meanwhile" },
      { type: "orchestration", action: "subagent_failed", subagentId: "scout", isSuccess: false },
      { type: "unknown", raw: { type: "team_mission_log" } },
    ]);
    expect(JSON.stringify(records)).not.toContain("secret");
  });
});

describe("what the document does not cover", () => {
  test("the output of a running command is not activity", () => {
    const update = event("content_update", { contentType: "tool", toolCallId: "c1", update: { chunk: "secret" } });
    expect(cline(start("run_commands", { commands: ["a"] }), update, end("run_commands", [ok()]))).toHaveLength(1);
  });
  test("a notice is unknown, a retry notice is a warning", () => {
    const notice = (kind: string) => event("notice", { noticeType: "status", message: "m", metadata: { kind, phase: "started" } });
    expect(cline(notice("something"), notice("context_overflow_recovery"))).toMatchObject([
      { type: "unknown", raw: { type: "notice" } },
      { type: "warning", message: "m", code: "context_overflow_recovery" },
    ]);
  });
});

describe("repeated text", () => {
  test("every delta repeats the text before it; the text is reported once, and a new attempt starts over", () => {
    const delta = (piece: string, accumulated: string) => event("content_start", { contentType: "text", text: piece, accumulated });
    const records = feed(agents.cline, stream, [bytes([delta("a", "a"), delta("b", "ab"), delta("x", "x"), delta("y", "xy"), text("xy")])]);
    expect(records.slice(1, -1).map((record) => ("text" in record ? [record.type, record.text] : record.type))).toEqual([
      ["TextDelta", "a"],
      ["TextDelta", "b"],
      ["Message", "ab"],
      ["TextDelta", "x"],
      ["TextDelta", "y"],
      ["Message", "xy"],
    ]);
  });
});

describe("invocation", () => {
  const { cline: agent } = agents;
  test("a short prompt is the last argument, after --; one without a blank gets one", () => {
    expect(agent.command({ prompt: "-do it" })).toMatchObject({ args: ["--json", "--", "-do it"] });
    expect(agent.command({ prompt: "-do it" }).stdin).toBeUndefined();
    expect(agent.command({ prompt: "doit" }).args.at(-1)).toBe("doit ");
  });
  test.each(["x".repeat(100_001), "é".repeat(60_000), "日".repeat(40_000)])("a long prompt goes to stdin", (prompt) => {
    expect(agent.command({ prompt })).toMatchObject({ args: ["--json", "--", " "], stdin: prompt });
  });
  test("permissions, model, directory, system prompt, and unsupported options", () => {
    const task = { prompt: "a b", model: "m", cwd: "/w", systemPrompt: "s", maxTurns: 3, appendSystemPrompt: "x", extraArgs: ["-P", "p"] };
    const { args, ignored, env } = agent.command({ ...task, permissions: "full" });
    expect(args).toEqual(["--json", "--model", "m", "--cwd", "/w", "--auto-approve", "true", "--system", "s", "-P", "p", "--", "a b"]);
    expect(agent.command({ prompt: "a b", permissions: "read-only" }).args).toEqual(["--json", "--plan", "--", "a b"]);
    expect(agent.command({ prompt: "a b", permissions: "default" }).args).toEqual(["--json", "--", "a b"]);
    expect(ignored).toEqual(["maxTurns", "appendSystemPrompt"]);
    expect(env).toEqual({ CLINE_NO_AUTO_UPDATE: "1", CLINE_SESSION_BACKEND_MODE: "local" });
  });
});

describe("recordings", () => {
  const fixtures = loadFixtures().filter(({ agent }) => agent.id === "cline");
  test("every line of every recording is explained", () => {
    expect(fixtures.length).toBeGreaterThan(30);
    for (const fixture of fixtures) {
      const unknown = replay(fixture, log).filter(({ type }) => type === "unknown");
      expect(unknown, fixture.name).toEqual([]);
    }
  });
  test.each([
    ["full", "failed", "mistake_limit"],
    ["no-approve", "blocked", "permission-refused"],
    ["refused-once", "blocked", "permission-refused"],
    ["err401", "infrastructure", "error"],
    ["err500", "infrastructure", "error"],
    ["err429", "completed", "completed"],
    ["cut-text", "infrastructure", "error"],
    ["err400-context", "failed", "error"],
    ["empty-answer", "failed", "error"],
    ["bad-provider", "failed", "error"],
    ["sigint-stream", "failed", "result-missing"],
    ["sigterm-stream", "crashed", "SIGKILL"],
    ["sigterm-tool", "canceled", "local_abort"],
    ["same-call-again", "failed", "mistake_limit"],
    ["subagent-failed", "completed", "completed"],
    ["legacy-full", "completed", "completion_result"],
    ["legacy-err401", "infrastructure", "api_req_failed"],
  ])("%s: %s, %s", (scenario, status, reason) => {
    const fixture = fixtures.find(({ name }) => name === `cline/${scenario}`);
    if (fixture === undefined) throw new Error(`no fixture ${scenario}`);
    expect(replay(fixture, result)).toMatchObject([{ status, reason }]);
  });
});
