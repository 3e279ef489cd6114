import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acp } from "../../../src/pure/agents/acp/agent.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import type { JsonObject } from "../../../src/pure/base/json.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { feed, linesOf, loadFixtures, replay } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/**
 * Specification 000 has no chapter about the Agent Client Protocol. Its general part still applies, and each adapter's behaviour follows
 * from its recordings and its source.
 */

const bytes = (lines: readonly unknown[]) => [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))];
const says = (...lines: unknown[]) => activityOf("acp", lines);
const events = (...lines: unknown[]) => feed(acp, log, bytes(lines)).map(({ seq, at, from, provenance, ...body }) => body);
const of = (type: string, ...lines: unknown[]) => events(...lines).filter((event) => event.type === type);
const statusOf = (...lines: unknown[]) => feed(acp, result, bytes(lines))[0];

const update = (body: object, sessionId = "s") => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: body } });
const call = (toolCallId: string, body: object) => update({ sessionUpdate: "tool_call", toolCallId, ...body });
const then = (toolCallId: string, body: object) => update({ sessionUpdate: "tool_call_update", toolCallId, ...body });
const text = (words: string, messageId?: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words }, ...(messageId && { messageId }) });
const ask = (toolCall: object) => ({ jsonrpc: "2.0", id: 1, method: "session/request_permission", params: { sessionId: "s", toolCall } });
const init = (name: string) => ({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, agentInfo: { name, version: "1" } } });
const stop = (stopReason: string, more: object = {}) => ({ jsonrpc: "2.0", id: 2, result: { stopReason, ...more } });
const fail = (error: object) => ({ jsonrpc: "2.0", id: 2, error });
const words = (words: string) => [{ type: "content", content: { type: "text", text: words } }];

describe("responses are recognised by their form", () => {
  test("name and version are reported with the session, and the model once it is known", () => {
    const session = { sessionId: "s-1", models: { currentModelId: "m-1" } };
    expect(of("session", init("x"), { id: 1, result: session })).toEqual([
      { type: "session", sessionId: "s-1", model: "m-1", agentName: "x", agentVersion: "1" },
    ]);
    const options = [{ id: "model", category: "model", currentValue: "default" }];
    const later = update({ sessionUpdate: "usage_update", used: 1, size: 2, _meta: { "_claude/model": "opus" } }, "s-1");
    expect(of("session", { id: 1, result: { sessionId: "s-1", configOptions: options } }, later)).toEqual([
      { type: "session", sessionId: "s-1" },
      { type: "session", sessionId: "s-1", model: "opus" },
    ]);
  });
  test.each([
    ["cancelled", "canceled"],
    ["refusal", "failed"],
    ["max_turn_requests", "failed"],
    ["something_new", "failed"],
  ])("a turn that stopped with %s is %s", (reason, status) => {
    expect(statusOf(stop(reason))).toMatchObject({ status, reason });
  });
  test.each(["end_turn", "max_tokens"])("a turn that stopped with %s is completed if anything happened", (reason) => {
    expect(statusOf(text("Hi."), stop(reason))).toMatchObject({ status: "completed", reason });
    expect(statusOf(stop(reason))).toMatchObject({ status: "failed", reason: "nothing-happened" });
  });
  test.each([
    [{ code: -32000, message: "Authentication required" }, "infrastructure", "auth_required"],
    [{ code: 401, message: "Unknown stream execution error." }, "infrastructure", "error-401"],
    [{ code: 400, message: "Bad request" }, "failed", "error-400"],
    [{ code: -32603, message: "Internal error: API Error: 500 x", data: { errorKind: "server_error" } }, "infrastructure", "server_error"],
    [{ code: -32603, message: "scripted 401 failure", data: { service: "session", errorName: "APIError" } }, "infrastructure", "APIError"],
    [{ code: -32603, message: "Internal error: Unheard of", data: { errorName: "APIError" } }, "failed", "APIError"],
    [{ code: -32603, message: "Internal error: Invalid API key", data: { errorName: "APIError" } }, "infrastructure", "APIError"],
    [{ code: -32603, message: "Internal error: Too Many Requests", data: { errorName: "APIError" } }, "infrastructure", "APIError"],
    [{ code: -32603, message: "Internal error: Invalid schema", data: { errorName: "APIError" } }, "failed", "APIError"],
    [{ code: -32603, message: "Internal error", data: { message: "unexpected status 500" } }, "infrastructure", "internal_error"],
    [{ code: -32603, message: "Internal error", data: { details: "no such file" } }, "failed", "internal_error"],
    [{ code: -32602, message: "Invalid params: Unsupported auth method: gemini-api-key" }, "failed", "invalid_params"],
    [{ code: -32800, message: "Request cancelled" }, "canceled", "request_cancelled"],
  ])("the error %j is %s", (error, status, reason) => {
    expect(statusOf(fail(error))).toMatchObject({ status, reason });
    expect(says(fail(error))).toMatchObject([{ type: "error", code: String(error.code) }]);
  });
  test("an error may be followed by a success: the last one counts", () => {
    expect(statusOf(fail({ code: -32000, message: "Authentication required" }), text("Hi."), stop("end_turn"))).toMatchObject({
      status: "completed",
    });
  });
  test("a method that the agent lacks does not undo a turn", () => {
    expect(statusOf(text("Hi."), stop("end_turn"), fail({ code: -32601, message: "Method not found" }))).toMatchObject({
      status: "completed",
    });
  });
  test("without an answer to the prompt nothing is completed", () => {
    expect(statusOf(text("All done."))).toMatchObject({ status: null, reason: "result-missing" });
    expect(statusOf({ id: 2, result: {} })).toMatchObject({ status: null });
  });
  test("a line that is not a protocol message is one unknown", () => {
    expect(says("plain", { type: "novel" }, update({ sessionUpdate: "hologram", content: "CANARY" }))).toEqual([
      { type: "unknown", raw: "plain" },
      { type: "unknown", raw: { type: "novel" } },
      {
        type: "unknown",
        raw: { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "hologram" } } },
      },
    ]);
  });
});

describe("turns that the adapter reports as ended, but are not", () => {
  const status = (type: string) => update({ sessionUpdate: "session_info_update", _meta: { codex: { threadStatus: { type } } } });
  const codex = init("@agentclientprotocol/codex-acp");
  const failure = "unexpected status 500 Internal Server Error: x\n\n";
  test("Codex: the error is text, and the usage is null", () => {
    const lines = [codex, text(failure), stop("end_turn", { usage: null })];
    expect(statusOf(...lines)).toMatchObject({ status: "infrastructure", reason: "system_error" });
    expect(says(...lines)).toEqual([{ type: "error", message: failure.trimEnd() }]);
  });
  test("Codex: it fails after some requests succeeded, and is idle again", () => {
    const lines = [codex, status("active"), text("I begin.", "m"), text(failure), status("systemError"), status("idle")];
    const end = stop("end_turn", { usage: { inputTokens: 1, outputTokens: 1 } });
    expect(statusOf(...lines, end)).toMatchObject({ status: "infrastructure" });
    expect(says(...lines, end)).toEqual([
      { type: "agent", message: "I begin." },
      { type: "error", message: failure.trimEnd() },
    ]);
  });
  test("Codex: a failed thread is not a success, even if no text reports it", () => {
    expect(statusOf(codex, status("active"), status("systemError"), stop("end_turn"))).toMatchObject({ status: "failed" });
  });
  test("Codex: missing usage is not a failure; text after which the adapter continues is a message", () => {
    expect(statusOf(codex, status("active"), text("Hi.", "m"), status("idle"), stop("end_turn", { usage: null }))).toMatchObject({
      status: "completed",
    });
    expect(says(codex, text("A word.\n\n"), text("Hi.", "m"))).toEqual([
      { type: "agent", message: "A word." },
      { type: "agent", message: "Hi." },
    ]);
  });
  test("Codex: retries and warnings are warnings", () => {
    const retry = update({
      sessionUpdate: "session_info_update",
      _meta: { codex: { error: { message: "Reconnecting 1/5", willRetry: true } } },
    });
    expect(says(codex, retry, text("Warning: careful\n\n"))).toEqual([
      { type: "warning", message: "Reconnecting 1/5", code: "reconnecting" },
      { type: "warning", message: "Warning: careful" },
    ]);
  });
  test("Goose's remark about a cut answer is a warning, not part of the answer", () => {
    const goose = { outputTokenLimitReached: true, fallbackContent: true };
    const remark = update({
      sessionUpdate: "agent_message_chunk",
      messageId: "m",
      content: { type: "text", text: "Cut." },
      _meta: { goose },
    });
    expect(says(init("goose"), text("So far", "m"), remark, stop("max_tokens"))).toEqual([
      { type: "agent", message: "So far" },
      { type: "warning", message: "Cut.", code: "output_limit" },
    ]);
  });
  test("Goose speaks as the model", () => {
    const words = "Ran into this error: Server error (500 Internal Server Error).";
    const own = text(words, "msg_2b8e3eba-5b96-461b-bd76-e9199dba6a50");
    expect(statusOf(init("goose"), own, stop("end_turn"))).toMatchObject({ status: "infrastructure", reason: "api_error" });
    expect(statusOf(init("goose"), own, text("Now it works.", "chatcmpl-1"), stop("end_turn"))).toMatchObject({ status: "completed" });
    expect(says(init("goose"), text(words, "chatcmpl-1"))).toEqual([{ type: "agent", message: words }]);
  });
  test("Claude prints an error and then reports it: the same text is one error", () => {
    const words = "API Error: 500 scripted 500. Try again.";
    const lines = [text(words, "m"), fail({ code: -32603, message: `Internal error: ${words}` })];
    expect(says(...lines)).toEqual([{ type: "error", message: `Internal error: ${words}`, code: "-32603" }]);
    const login = text("Invalid API key · Please run /login", "dc0fa712-c20d-444b-b219-c72e4ff1abeb");
    const refused = fail({ code: -32000, message: "Authentication required" });
    expect(says(init("@agentclientprotocol/claude-agent-acp"), login, refused)).toEqual([
      { type: "error", message: "Invalid API key · Please run /login" },
      { type: "error", message: "Authentication required", code: "-32000" },
    ]);
  });
});

describe("what an adapter leaves out, and what it adds", () => {
  test("Gemini silently ends a turn after a blocked answer", () => {
    const mode = text("[MODE_UPDATE] yolo");
    expect(statusOf(init("gemini-cli"), mode, stop("end_turn"))).toMatchObject({ status: "failed", reason: "empty_turn" });
    expect(statusOf(init("gemini-cli"), mode, text("Done."), stop("end_turn"))).toMatchObject({ status: "completed" });
    expect(statusOf(init("stranger"), stop("end_turn"))).toMatchObject({ status: "failed", reason: "nothing-happened" });
  });
  test("X2: a failed request that the adapter prints as its last text is a failure, whatever its name (Copilot 1.0.102)", () => {
    const usage = stop("end_turn", { usage: { inputTokens: 100, outputTokens: 10, totalTokens: 110 } });
    const printed = "Error: 400 Scripted failure: Bad Request";
    const done = call("c", { title: "Read", kind: "read", status: "completed", rawInput: { path: "/w/a" } });
    for (const name of ["Copilot", "stranger"]) {
      const lines = [init(name), text("I start."), done, text(printed), usage];
      expect(statusOf(...lines)).toMatchObject({ status: "failed", reason: "api_error", output: "I start." });
      expect(says(...lines)).toMatchObject([{ message: "I start." }, { type: "read" }, { type: "error", message: printed }]);
      expect(statusOf(init(name), text("Error: 400 Bad R"), text("equest"), usage)).toMatchObject({
        status: "completed",
        output: "Error: 400 Bad Request",
      });
    }
    expect(statusOf(init("stranger"), text("Error: 400 is what curl prints.", "m"), usage)).toMatchObject({ status: "completed" });
    const rejected = "Error: Authentication failed with provider at http://127.0.0.1/v1 (HTTP 401).\n  Check your key.";
    expect(statusOf(init("Copilot"), text(rejected), stop("end_turn"))).toMatchObject({ status: "infrastructure" });
  });
  test("X2: Copilot's retries are warnings, and a cut answer is not joined with the next attempt", () => {
    const retry = text("Info: Response was interrupted due to a server error. Retrying...");
    const given = text(
      "Error: Failed to get response from the AI model; retried 5 times (total retry wait time: 5.00 seconds) Last error: 500 Oops",
    );
    const lines = [init("Copilot"), text("cut in "), text("the mi"), retry, text("cut in "), text("the mi"), given, stop("end_turn")];
    expect(says(...lines)).toMatchObject([
      { type: "agent", message: "cut in the mi" },
      { type: "warning", code: "api_retry" },
      { type: "agent", message: "cut in the mi" },
      { type: "error" },
    ]);
    expect(statusOf(...lines)).toMatchObject({ status: "infrastructure", reason: "api_error" });
  });
  test("X2: a turn that ends after a call without an answer, a usage or a denial has failed (Kimi 2.1.0)", () => {
    const done = call("c", { title: "Read", kind: "read", status: "completed" });
    for (const name of ["Kimi Code CLI", "stranger"]) {
      expect(statusOf(init(name), text("I start."), done, stop("end_turn"))).toMatchObject({ status: "failed", reason: "empty_turn" });
      expect(statusOf(init(name), done, text("Done."), stop("end_turn"))).toMatchObject({ status: "completed" });
      expect(statusOf(init(name), done, stop("end_turn", { usage: { inputTokens: 9, outputTokens: 1 } }))).toMatchObject({
        status: "completed",
      });
    }
  });
  test("remarks of Claude's adapter about the session are not messages", () => {
    const claude = init("@agentclientprotocol/claude-agent-acp");
    const own = (words: string, claudeCode: object) =>
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words }, _meta: { claudeCode } });
    const notice = own("**Notice:** it continues", { kind: "informational", level: "notice" });
    expect(of("notice", claude, notice)).toMatchObject([{ kind: "informational" }]);
    const warning = own("**Warning:** a hook", { kind: "informational", level: "warning" });
    const fallback = text("**Model fallback:** another one");
    expect(says(claude, notice, warning, fallback, text("Hello.", "msg_1"))).toMatchObject([
      { type: "warning", message: "**Warning:** a hook" },
      { type: "warning", message: "**Model fallback:** another one" },
      { type: "agent", message: "Hello." },
    ]);
  });
  test("an agent's usual stderr lines appear over the protocol too", () => {
    const gemini = agents["gemini-acp"];
    expect(gemini.text?.("Attempt 1 failed with status 500. Retrying with backoff...", "stderr")).toMatchObject({ code: "api_retry" });
    expect(gemini.text?.("} { code: 500, message: 'terminated', data: undefined }", "stderr")).toMatchObject({ code: "error_detail" });
    expect(gemini.text?.("Attempt 1 failed", "stdout")).toBeUndefined();
  });
});

describe("messages", () => {
  test("chunks are shown as they come, and joined until something else comes", () => {
    const lines = [
      text("a", "1"),
      text("b", "1"),
      update({ sessionUpdate: "session_info_update", title: "T" }),
      text("c", "1"),
      text("d", "2"),
    ];
    expect(of("text-delta", ...lines)).toHaveLength(4);
    expect(of("message", ...lines)).toMatchObject([
      { text: "ab", messageId: "1" },
      { text: "c", messageId: "1", continues: true },
      { text: "d", messageId: "2" },
    ]);
  });
  test("without an id, a call or a thought ends a message", () => {
    const thought = update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } });
    expect(events(text("a"), text("b"), thought, text("c")).filter(({ type }) => type === "message" || type === "reasoning")).toMatchObject(
      [
        { type: "message", text: "ab" },
        { type: "reasoning", text: "hm" },
        { type: "message", text: "c" },
      ],
    );
  });
  test("Gemini's change of mode is not a message", () => {
    expect(says(init("gemini-cli"), text("[MODE_UPDATE] yolo"))).toEqual([]);
  });
});

describe("calls that grow", () => {
  const claude = (toolName: string, more: object = {}) => ({ _meta: { claudeCode: { toolName, ...more } } });
  test("Claude: the request is reported once it is complete, whatever it began with", () => {
    const grep = [
      call("g", { ...claude("Grep"), rawInput: {}, status: "pending", title: "grep", kind: "search" }),
      then("g", { ...claude("Grep"), rawInput: { pattern: "needle" } }),
      then("g", { ...claude("Grep"), rawInput: { pattern: "needle", path: "/w" } }),
    ];
    expect(of("tool-start", ...grep.slice(0, 1))).toMatchObject([{ input: {} }]);
    const usage = update({ sessionUpdate: "usage_update", used: 1, size: 2 });
    expect(of("tool-start", ...grep, usage)).toMatchObject([
      { tool: "Grep", input: { pattern: "needle", path: "/w" }, operations: [{ kind: "search", query: "needle", path: "/w" }] },
    ]);
    expect(says(...grep, then("g", { status: "completed", rawOutput: "secret" }))).toEqual([
      { type: "search", query: "needle", path: "/w", isSuccess: true },
    ]);
  });
  test("Claude, reported too early: the end corrects it", () => {
    const usage = update({ sessionUpdate: "usage_update", used: 1, size: 2 });
    const lines = [
      call("g", { ...claude("Grep"), rawInput: {}, status: "pending" }),
      then("g", { rawInput: { pattern: "needle" } }),
      usage,
      then("g", { rawInput: { pattern: "needle", path: "/w" } }),
      then("g", { status: "completed" }),
    ];
    expect(says(...lines)).toEqual([{ type: "search", query: "needle", path: "/w", isSuccess: true }]);
  });
  test("Claude, older: a second tool_call with the same id has the request", () => {
    const read = { file_path: "/w/a", offset: 3, limit: 2 };
    const lines = [
      call("r", { ...claude("mcp__acp__Read"), rawInput: {}, status: "pending", kind: "read" }),
      call("r", { ...claude("mcp__acp__Read"), rawInput: read, status: "pending", kind: "read" }),
    ];
    expect(of("tool-start", ...lines)).toMatchObject([{ input: read }]);
    expect(says(...lines, then("r", { status: "failed" }))).toEqual([
      { type: "read", path: "/w/a", startLine: 3, endLine: 4, isSuccess: false },
    ]);
  });
  test("Claude's exit code is in the text; a background command has neither succeeded nor failed", () => {
    const bash = call("b", { ...claude("Bash"), rawInput: { command: "make" }, status: "pending", kind: "execute" });
    expect(says(bash, then("b", { status: "failed", rawOutput: "Exit code 3\nbad" }))).toEqual([
      { type: "command", command: "make", exitCode: 3, isSuccess: false },
    ]);
    const response = then("b", claude("Bash", { toolResponse: { backgroundTaskId: "x", stdout: "" } }));
    expect(says(bash, response, then("b", { status: "completed", rawOutput: "running" }))).toEqual([{ type: "command", command: "make" }]);
  });
  test("Claude's shell stays open: a cd affects the next command", () => {
    const bash = (id: string, command: string) => [
      call(id, { ...claude("Bash"), rawInput: { command }, status: "pending" }),
      then(id, { status: "completed", rawOutput: "" }),
    ];
    expect(says(...bash("1", "cd /w/src"), ...bash("2", "cat a.js")).at(-1)).toMatchObject({ type: "read", path: "/w/src/a.js" });
  });
  test("OpenCode and Kilo: the first title is the tool, the directory alone is not a request, the exit code decides", () => {
    const bash = (exit: number | null) => [
      call("b", { title: "bash", kind: "execute", status: "pending", rawInput: { cwd: "/w" } }),
      then("b", { title: "make", kind: "execute", status: "in_progress", rawInput: { command: "make", cwd: "/w" } }),
      then("b", { title: "make", status: "completed", rawOutput: { output: "secret", metadata: { exit } } }),
    ];
    expect(of("tool-start", ...bash(0))).toMatchObject([{ tool: "bash", input: { command: "make", cwd: "/w" } }]);
    const command = { type: "command", command: "make", workingDirectory: "/w" };
    expect(says(...bash(0))).toEqual([{ ...command, exitCode: 0, isSuccess: true }]);
    expect(says(...bash(3))).toEqual([{ ...command, exitCode: 3, isSuccess: false }]);
    expect(says(...bash(null))).toEqual([{ ...command, isSuccess: false }]);
  });
  test("OpenCode: reading a directory is a listing; a call that could not be read has failed", () => {
    const read = [
      call("r", { title: "read", kind: "read", status: "pending", rawInput: {} }),
      then("r", { title: "read", status: "in_progress", rawInput: { filePath: "/w" } }),
      then("r", { status: "completed", rawOutput: { output: "secret", metadata: { display: { type: "directory", path: "/w" } } } }),
    ];
    expect(says(...read)).toEqual([{ type: "list", path: "/w", isSuccess: true }]);
    const invalid = [
      call("i", { title: "write", kind: "edit", status: "pending", rawInput: {} }),
      then("i", { title: "invalid", kind: "other", status: "in_progress", rawInput: { tool: "write", error: "Text: CANARY" } }),
      then("i", { title: "Invalid Tool", status: "completed", rawOutput: { output: "CANARY", metadata: {} } }),
    ];
    expect(of("tool-end", ...invalid)).toMatchObject([{ success: false }]);
    expect(JSON.stringify(says(...invalid))).not.toContain("CANARY");
  });
  test("Codex: an edit is its diffs, one per file", () => {
    const diff = (path: string) => ({ type: "diff", path, oldText: "CANARY", newText: "CANARY" });
    const lines = [
      call("e", { kind: "edit", title: "Editing files", status: "in_progress", content: [diff("/w/a"), diff("/w/a"), diff("/w/b")] }),
      then("e", { status: "completed" }),
    ];
    expect(says(...lines)).toEqual([
      { type: "write", path: "/w/a", isSuccess: true },
      { type: "write", path: "/w/b", isSuccess: true },
    ]);
  });
  test.each([
    [
      { kind: "read", title: "Read file '/w/a'", locations: [{ path: "/w/a" }] },
      { type: "read", path: "/w/a" },
    ],
    [
      { kind: "read", title: "List files in 'src'" },
      { type: "list", path: "src" },
    ],
    [{ kind: "read", title: "List files" }, { type: "list" }],
    [
      { kind: "search", title: "Search for 'a b' in src" },
      { type: "search", query: "a b", path: "src" },
    ],
    [
      { kind: "search", title: "Search for 'it's in' in src" },
      { type: "search", query: "it's in", path: "src" },
    ],
    [
      { kind: "search", title: "Search for 'x'" },
      { type: "search", query: "x" },
    ],
  ])("Codex reports only a title: %j", (given, expected) => {
    const lines = [call("x", { name: "exec_command", status: "in_progress", ...given }), then("x", { status: "completed" })];
    expect(says(...lines)).toEqual([{ ...expected, isSuccess: true }]);
  });
  test("Codex: a search that matched nothing succeeded", () => {
    const search = call("x", { name: "exec_command", kind: "search", title: "Search for 'x' in src", status: "in_progress" });
    expect(says(search, then("x", { status: "failed", rawOutput: { exit_code: 1 } }))).toMatchObject([{ isSuccess: true }]);
    expect(says(search, then("x", { status: "failed", rawOutput: { exit_code: 2 } }))).toMatchObject([{ isSuccess: false }]);
  });
  test("Codex: the exit code of a terminal", () => {
    const run = call("x", { kind: "execute", title: "make", status: "in_progress", rawInput: { command: "make", cwd: "/w" } });
    const exit = then("x", { status: "failed", _meta: { terminal_exit: { exit_code: 2, signal: null } } });
    expect(says(run, exit)).toEqual([{ type: "command", command: "make", workingDirectory: "/w", exitCode: 2, isSuccess: false }]);
    const pieces = [
      then("x", { _meta: { terminal_output_delta: { data: "a" } } }),
      then("x", { _meta: { terminal_output_delta: { data: "b" } } }),
    ];
    expect(of("tool-end", run, ...pieces, exit)).toMatchObject([{ output: "ab" }]);
  });
  test("Codex, older: the arguments of the command", () => {
    const run = (command: string[]) =>
      says(
        call("x", { kind: "search", title: "?", status: "in_progress", rawInput: { command, cwd: "/w", source: "agent" } }),
        then("x", { status: "completed", rawOutput: { exit_code: 0 } }),
      );
    expect(run(["/bin/bash", "-lc", "sed -n '1,2p' a"])).toEqual([
      { type: "read", path: "/w/a", startLine: 1, endLine: 2, isSuccess: true },
    ]);
    expect(run(["git", "commit", "-m", "a b"])).toMatchObject([
      { type: "command", command: "git commit -m 'a b'", workingDirectory: "/w" },
    ]);
    const changes = { "/w/a": { type: "update", unified_diff: "CANARY", move_path: "/w/b" } };
    expect(says(call("e", { kind: "edit", status: "in_progress", rawInput: { changes } }), then("e", { status: "completed" }))).toEqual([
      { type: "write", path: "/w/a", isSuccess: true },
      { type: "write", path: "/w/b", isSuccess: true },
    ]);
  });
  test("Goose: no kind, the name in _meta, live output in updates", () => {
    const meta = { goose: { toolCall: { toolName: "shell", extensionName: "developer" } } };
    const lines = [
      call("s", { title: "shell · cat a", rawInput: { command: "cat a" }, _meta: meta }),
      then("s", { status: "in_progress", _meta: { toolNotification: { type: "live_output", params: { chunks: ["CANARY"] } } } }),
      then("s", { status: "failed", content: words("CANARY"), rawOutput: { stdout: "", stderr: "CANARY", exit_code: 1 } }),
    ];
    expect(of("tool-start", ...lines)).toMatchObject([{ tool: "shell", input: { command: "cat a" } }]);
    expect(says(...lines)).toEqual([{ type: "read", path: "a", isSuccess: false }]);
  });
  test.each([
    [
      "read_file",
      { kind: "read", title: "a.txt", locations: [{ path: "/w/a.txt", line: 2 }] },
      { type: "read", path: "/w/a.txt", startLine: 2 },
    ],
    ["write_file", { kind: "edit", title: "Writing to a", locations: [{ path: "/w/a" }] }, { type: "write", path: "/w/a" }],
    ["replace", { kind: "edit", title: "a: CANARY => CANARY", locations: [{ path: "/w/a" }] }, { type: "write", path: "/w/a" }],
    ["grep_search", { kind: "search", title: "'x' in *.js within ./" }, { type: "search", query: "x", path: "." }],
    ["glob", { kind: "search", title: "'**/*.js' within src" }, { type: "search", query: "**/*.js", path: "src" }],
    ["glob", { kind: "search", title: "'*' within a/very/lon...g/path" }, { type: "search", query: "*" }],
    ["list_directory", { kind: "search", title: "src" }, { type: "list", path: "src" }],
    ["activate_skill", { kind: "other", title: '"demo": what for' }, { type: "skill", path: "skills/demo/SKILL.md", skillName: "demo" }],
  ])("Gemini has no request; the tool %s is in the id, the rest in the title: %j", (tool, given, expected) => {
    const id = `${tool}__${tool}_1794710428872_0`;
    const lines = [call(id, { status: "in_progress", content: [], ...given }), then(id, { status: "completed", content: [] })];
    expect(says(...lines)).toEqual([{ ...expected, isSuccess: true }]);
  });
  test("Gemini: a command that exits with 3 is completed, so its success is unknown", () => {
    const id = "run_shell_command__run_shell_command_1794710428872_0";
    const lines = [
      ask({ toolCallId: id, status: "pending", kind: "execute", title: "make", content: words("[in src] (what for)") }),
      then(id, { status: "completed", kind: "execute", title: "make", content: [] }),
    ];
    expect(says(...lines)).toEqual([{ type: "command", command: "make", workingDirectory: "src" }]);
  });
  test("Gemini: the model's ids follow the tool's name; a requested call that never ran was denied", () => {
    const asked = ask({ toolCallId: "write_file__call_1", status: "pending", kind: "edit", locations: [{ path: "/w/a" }] });
    const lines = [init("gemini-cli"), asked, text("I may not."), stop("end_turn")];
    expect(of("tool-start", ...lines)).toMatchObject([{ tool: "write_file" }]);
    expect(of("permission-decision", ...lines)).toMatchObject([{ decision: "deny", rule: "asked-and-not-run" }]);
    expect(says(...lines)).toEqual([
      { type: "write", path: "/w/a", isSuccess: false },
      { type: "agent", message: "I may not." },
    ]);
    expect(statusOf(...lines)).toMatchObject({ status: "blocked" });
    expect(of("permission-decision", init("gemini-cli"), asked, stop("cancelled"))).toEqual([]);
    expect(of("permission-decision", init("other"), asked, text("Hm."), stop("end_turn"))).toEqual([]);
  });
  test("a call that only failed was a call; only the server knows what its tool does", () => {
    expect(says(then("x", { status: "failed", kind: "read", content: words("CANARY") }))).toEqual([
      { type: "unknown", raw: { sessionUpdate: "tool_call", toolCallId: "x", kind: "read" } },
    ]);
    const input = { server: "notes", tool: "read", arguments: { path: "/w/a" } };
    const mcp = call("m", { kind: "execute", title: "mcp.notes.read", status: "in_progress", rawInput: input });
    expect(says(mcp, then("m", { status: "completed", rawOutput: { result: "CANARY" } }))).toMatchObject([{ type: "unknown" }]);
    const web = call("w", { kind: "search", title: "Web search: x", status: "in_progress", rawInput: { type: "webSearch", query: "x" } });
    expect(says(web, then("w", { status: "completed" }))).toMatchObject([{ type: "unknown" }]);
  });
  test("an update after the end is progress; a call that never ended has no verdict", () => {
    const made = call("x", { kind: "execute", status: "in_progress", rawInput: { command: "make" } });
    expect(says(made, then("x", { status: "failed" }), then("x", { status: "failed" }))).toHaveLength(1);
    expect(says(made, stop("cancelled"))).toEqual([{ type: "command", command: "make" }]);
  });
});

describe("permissions", () => {
  const asked = ask({ toolCallId: "b", kind: "execute", title: "make", status: "pending", rawInput: { command: "make" } });
  const decisions = (...lines: unknown[]) => of("permission-decision", ...lines);
  test("a question introduces the call, and is reported", () => {
    expect(events(asked).map(({ type }) => type)).toEqual(["run-start", "tool-start", "permission-request", "tool-end", "run-end"]);
  });
  test("only its execution shows that a call was allowed", () => {
    expect(decisions(asked, then("b", { status: "completed" }))).toMatchObject([{ decision: "allow", rule: "permission-from-result" }]);
    expect(decisions(asked, then("b", { status: "failed", content: words("no such file") }))).toEqual([]);
    expect(decisions(asked, stop("end_turn"))).toEqual([]);
  });
  test.each([
    "User refused permission to run tool",
    "exec command rejected by user",
    "The user rejected permission to use this specific tool call.",
    "The user has specified a rule which prevents you from using this specific tool call.",
    "The user has declined to run this tool.",
    'Tool execution for "Generalist Agent" denied by policy.',
  ])("a denial in the agent's own wording blocks the run: %s", (reason) => {
    const lines = [asked, then("b", { status: "failed", content: words(reason) }), stop("end_turn")];
    expect(decisions(...lines)).toMatchObject([{ callId: "b", decision: "deny", reason }]);
    expect(statusOf(...lines)).toMatchObject({ status: "blocked" });
  });
  test("Claude: a call ended by a cancel was not denied", () => {
    const output = "The user doesn't want to proceed with this tool use. Correction: this call was stopped while running.";
    expect(decisions(asked, then("b", { status: "failed", rawOutput: output }), stop("cancelled"))).toEqual([]);
  });
  test("output of a command is not a denial", () => {
    const output = { stdout: "", stderr: "User refused permission to run tool", exit_code: 1 };
    expect(decisions(asked, then("b", { status: "failed", rawOutput: output }))).toMatchObject([{ decision: "allow" }]);
  });
  test("a question about part of a call does not change the call", () => {
    const bash = call("b", { title: "bash", kind: "execute", status: "in_progress", rawInput: { command: "make" } });
    const other = ask({ toolCallId: "b", kind: "other", title: "/outside", rawInput: { parentDir: "/outside" } });
    expect(says(bash, other, then("b", { status: "completed" }))).toMatchObject([{ type: "command", command: "make" }]);
  });
});

describe("subagents", () => {
  const claude = (more: object) => ({ _meta: { claudeCode: { toolName: "Agent", ...more } } });
  const agent = call("a", {
    ...claude({}),
    status: "pending",
    kind: "think",
    rawInput: { subagent_type: "explorer", prompt: "x" },
  });
  test("Claude's children carry the call that started them", () => {
    const child = { _meta: { claudeCode: { toolName: "Read", parentToolUseId: "a" } } };
    const lines = [
      agent,
      call("r", { ...child, status: "pending", kind: "read", rawInput: { file_path: "/w/a" } }),
      then("r", { ...child, status: "completed", rawOutput: "secret" }),
      then("a", { ...claude({}), status: "completed", rawOutput: "secret" }),
    ];
    expect(says(...lines)).toEqual([
      { type: "orchestration", subagentId: "a", action: "subagent_started", subagentName: "explorer" },
      { type: "read", path: "/w/a", subagentId: "a", isSuccess: true },
      { type: "orchestration", subagentId: "a", action: "subagent_completed", subagentName: "explorer", isSuccess: true },
    ]);
  });
  test("a missing tool starts no subagent", () => {
    const lines = [
      agent,
      then("a", { ...claude({}), status: "failed", rawOutput: "<tool_use_error>Error: No such tool available: Agent" }),
    ];
    expect(says(...lines)).toMatchObject([{ type: "unknown" }]);
  });
  test("a background subagent has only started", () => {
    const response = then("a", claude({ toolResponse: { status: "async_launched" } }));
    expect(says(agent, response, then("a", { ...claude({}), status: "completed", rawOutput: "x" }))).toMatchObject([
      { action: "subagent_started" },
    ]);
  });
  test("Codex's subagents have their own ids", () => {
    const about = (id: string, title: string, agentsStates: object) => [
      call(id, { title, kind: "other", status: "in_progress", rawInput: { receiverThreadIds: ["t"], agentsStates } }),
      then(id, { status: "completed" }),
    ];
    const lines = [...about("1", "spawnAgent", {}), ...about("2", "wait", { t: { status: "completed", message: "CANARY" } })];
    expect(says(...lines)).toEqual([
      { type: "orchestration", subagentId: "t", action: "subagent_started" },
      { type: "orchestration", subagentId: "t", action: "subagent_completed", isSuccess: true },
    ]);
  });
});

describe("usage, in disjoint classes", () => {
  const tokens = (usage: object | null, quota?: object) => of("usage", stop("end_turn", { usage, _meta: { quota } }))[0];
  test("Codex counts reasoning as output, OpenCode separately", () => {
    const codex = { totalTokens: 100, inputTokens: 40, cachedReadTokens: 30, cachedWriteTokens: 10, outputTokens: 20, thoughtTokens: 5 };
    expect(tokens(codex)).toMatchObject({ tokens: { input: 40, cacheRead: 30, cacheWrite: 10, output: 15, reasoning: 5 } });
    const opencode = { totalTokens: 95, inputTokens: 40, cachedReadTokens: 30, outputTokens: 20, thoughtTokens: 5 };
    expect(tokens(opencode)).toMatchObject({ tokens: { input: 40, cacheRead: 30, cacheWrite: null, output: 20, reasoning: 5 } });
  });
  test("Claude's models include its subagents; its zero reasoning means nothing", () => {
    const main = { inputTokens: 1, outputTokens: 2, cachedReadTokens: 3, cachedWriteTokens: 4 };
    const model = { inputTokens: 10, cachedInputTokens: 20, cachedWriteTokens: 30, outputTokens: 40, reasoningOutputTokens: 0 };
    expect(tokens(main, { model_usage: [{ token_count: model }, { token_count: model }] })).toMatchObject({
      tokens: { input: 20, cacheRead: 40, cacheWrite: 60, output: 80, reasoning: null },
    });
  });
  test("Gemini's usage is in _meta; only zeros, or null, is not a measurement", () => {
    const count = { input_tokens: 5, output_tokens: 6 };
    expect(of("usage", stop("end_turn", { _meta: { quota: { token_count: count } } }))).toMatchObject([
      { tokens: { input: 5, cacheRead: null, cacheWrite: null, output: 6, reasoning: null } },
    ]);
    expect(tokens({ inputTokens: 0, outputTokens: 0, totalTokens: 0 })).toBeUndefined();
    expect(tokens(null)).toBeUndefined();
  });
  test("the cost is the session's: a turn has the increase", () => {
    const cost = (amount: number) => update({ sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount, currency: "USD" } });
    const one = stop("end_turn", { usage: { inputTokens: 1, outputTokens: 1 } });
    expect(of("usage", cost(1), one, cost(3), one)).toMatchObject([{ costUsd: 1 }, { costUsd: 2 }]);
  });
});

describe("the command line is the agent", () => {
  test("program and arguments, and nothing on standard input", () => {
    expect(acp.command({ prompt: "x", extraArgs: ["goose", "acp", "--with-builtin", "developer"], maxTurns: 3 })).toEqual({
      program: "goose",
      args: ["acp", "--with-builtin", "developer"],
      resumes: true,
      ignored: ["maxTurns"],
    });
  });
});

// ── over all recordings ─────────────────────────────────────────────────────────────────────────────────────────────

const fixtures = loadFixtures().filter(({ agent }) => agent.id === "acp");

/** The places where recordings hold tool results or file text. */
const CONTENTS = new Set([
  ..."rawOutput toolResponse toolNotification terminal_output_delta oldText newText content data".split(" "),
  ..."old_string new_string oldString newString before after unified_diff changes".split(" "),
]);
/** The fields that identify a call. */
const KEPT = new Set(
  "type path file filepath todos dir exit exit_code status agentId filePath background sessionId decisionReasonType".split(" "),
);

function poisoned(value: unknown, isInside = false): unknown {
  if (typeof value === "string") return isInside ? `${value} c4n4ry` : value;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, isInside));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, KEPT.has(key) ? each : poisoned(each, isInside || CONTENTS.has(key))]),
  );
}

function poisonedLine(line: JsonObject): unknown {
  const kind = ((line["params"] as JsonObject | undefined)?.["update"] as JsonObject | undefined)?.["sessionUpdate"];
  const isCall = kind === "tool_call" || kind === "tool_call_update" || line["method"] === "session/request_permission";
  return isCall ? poisoned(line) : line;
}

describe.each(fixtures)("$name", (fixture) => {
  const lines = linesOf(fixture.raw).map((line): JsonObject => JSON.parse(line.toString()));

  test("no contents reach activity", () => {
    const raw = Buffer.from(lines.map((line) => `${JSON.stringify(poisonedLine(line))}\n`).join(""));
    const bad = { ...fixture, raw };
    expect(JSON.stringify(replay(bad, activity, { reasoning: true }))).not.toContain("c4n4ry");
    if (fixture.name.endsWith("-full")) expect(JSON.stringify(replay(bad, log))).toContain("c4n4ry");
  });
  test("every line is explained", () => {
    const unknown = replay(fixture, log).filter(({ type }) => type === "unknown");
    expect(unknown).toHaveLength(fixture.name.endsWith("documented-updates") ? 1 : 0);
  });
  test("any of its lines, in any order, give every start an end and every end a start", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(lines.length - 1), { maxLength: 40 }), (picks) => {
        const open = new Set<string>();
        for (const event of feed(acp, log, bytes(picks.map((at) => lines[at])))) {
          if (event.type === "tool-start") open.add(event.callId);
          if (event.type === "tool-end") expect(open.delete(event.callId)).toBe(true);
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
