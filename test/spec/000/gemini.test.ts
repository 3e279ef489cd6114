import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import type { Translated } from "../../../src/pure/pipeline/agent.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result as resultView } from "../../../src/pure/views/result/view.ts";
import { stream } from "../../../src/pure/views/stream/view.ts";
import { feed, loadFixtures, replay } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Gemini CLI is not in specification 000: its general part, and the recordings of 0.61.0. */

const gemini = (...lines: unknown[]) => activityOf("gemini", lines);
const use = (tool_name: string, parameters: unknown, tool_id = "c1") => ({ type: "tool_use", tool_name, tool_id, parameters });
const done = (more: object = {}, tool_id = "c1") => ({ type: "tool_result", tool_id, status: "success", ...more });
const failed = (type: string, message = "no", tool_id = "c1") => ({
  type: "tool_result",
  tool_id,
  status: "error",
  error: { type, message },
});
const says = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const end = (more: object = {}) => ({ type: "result", status: "success", stats: {}, ...more });

const bytes = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const resultOf = (...lines: unknown[]) => feed(agents.gemini, resultView, [bytes(lines)])[0];
const eventsOf = (...lines: unknown[]) => feed(agents.gemini, log, [bytes(lines)]);
const statusOf = (...lines: unknown[]) => [resultOf(...lines)?.status, resultOf(...lines)?.reason];
const fixture = (name: string) => {
  const found = loadFixtures().find((each) => each.name === `gemini/${name}`);
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return found;
};

describe("lines", () => {
  test("init gives the session id and the model", () => {
    const lines = [{ type: "init", session_id: "s", model: "m" }, says("hi"), end()];
    expect(feed(agents.gemini, activity, [bytes(lines)])).toMatchObject([{ type: "agent", message: "hi", sessionId: "s" }]);
    expect(resultOf(...lines)).toMatchObject({ sessionId: "s", model: "m" });
  });
  test("the echoed prompt is not activity", () => {
    expect(gemini({ type: "message", role: "user", content: "do" })).toEqual([]);
  });
  test("deltas form one message, which a call or the result ends", () => {
    expect(gemini(says("a"), says("b"), use("glob", { pattern: "*" }), done(), says("c"), end())).toEqual([
      { type: "agent", message: "ab" },
      { type: "search", query: "*", isSuccess: true },
      { type: "agent", message: "c" },
    ]);
    const deltas = feed(agents.gemini, stream, [bytes([says("a"), says("b"), end()])]).filter(({ type }) => type === "TextDelta");
    expect(deltas).toMatchObject([{ text: "a" }, { text: "b" }]);
  });
  test("an error is an error or a warning, by its severity", () => {
    expect(gemini({ type: "error", severity: "warning", message: "hm" }, { type: "error", severity: "error", message: "oh" })).toEqual([
      { type: "warning", message: "hm" },
      { type: "error", message: "oh" },
    ]);
  });
  test("a line of a different type, and a line that is not JSON, is one unknown", () => {
    expect(gemini({ type: "novel" }, "Memory is currently empty.")).toEqual([
      { type: "unknown", raw: { type: "novel" } },
      { type: "unknown", raw: "Memory is currently empty." },
    ]);
  });
});

describe("tools", () => {
  test.each([
    ["read_file", { file_path: "/a", start_line: 2, end_line: 3 }, { type: "read", path: "/a", startLine: 2, endLine: 3 }],
    ["read_file", { absolute_path: "/a", offset: 0, limit: 10 }, { type: "read", path: "/a", startLine: 1, endLine: 10 }],
    ["write_file", { file_path: "/a", content: "x" }, { type: "write", path: "/a" }],
    ["replace", { file_path: "/a", old_string: "x", new_string: "y" }, { type: "write", path: "/a" }],
    ["grep_search", { pattern: "x", dir_path: "/d" }, { type: "search", query: "x", path: "/d" }],
    ["search_file_content", { pattern: "x", path: "/d" }, { type: "search", query: "x", path: "/d" }],
    ["glob", { pattern: "*.ts", dir_path: "/d" }, { type: "search", query: "*.ts", path: "/d" }],
    ["list_directory", { dir_path: "/d" }, { type: "list", path: "/d" }],
    ["list_directory", { path: "/d" }, { type: "list", path: "/d" }],
    ["activate_skill", { name: "s" }, { type: "skill", path: "skills/s/SKILL.md", skillName: "s" }],
  ])("%s %j", (tool, input, expected) => {
    expect(gemini(use(tool, input), done())).toEqual([{ ...expected, isSuccess: true }]);
    expect(gemini(use(tool, input), failed("execution_failed"))).toEqual([{ ...expected, isSuccess: false }]);
  });
  test.each(["web_fetch", "google_web_search", "write_todos", "update_topic", "mcp_echo_say", "no_such_tool"])(
    "%s is one unknown with the request",
    (tool) => {
      const request = use(tool, { a: 1 });
      expect(gemini(request, done({ output: "secret" }))).toEqual([{ type: "unknown", raw: request }]);
    },
  );
  test("read_many_files is one read per file, unless a pattern hides the files", () => {
    expect(gemini(use("read_many_files", { include: ["/a", "/b"] }), done())).toMatchObject([{ path: "/a" }, { path: "/b" }]);
    expect(gemini(use("read_many_files", { include: ["/a", "src/*.ts"] }), done())).toMatchObject([{ type: "unknown" }]);
  });
  test("the result shows which lines of a long file were read, and a skill's path", () => {
    expect(gemini(use("read_file", { file_path: "/big" }), done({ output: "Read lines 1-2000 of 3001 from big" }))).toEqual([
      { type: "read", path: "/big", startLine: 1, endLine: 2000, isSuccess: true },
    ]);
    const output = "Skill **s** activated. Resources loaded from `/w/.gemini/skills/s`:\n\nmore";
    expect(gemini(use("activate_skill", { name: "s" }), done({ output }))).toMatchObject([{ path: "/w/.gemini/skills/s/SKILL.md" }]);
  });
  test("results come in any order and are paired by id", () => {
    const calls = [use("read_file", { file_path: "/a" }, "1"), use("read_file", { file_path: "/b" }, "2")];
    expect(gemini(...calls, failed("file_not_found", "no", "2"), done({}, "1"))).toEqual([
      { type: "read", path: "/b", isSuccess: false },
      { type: "read", path: "/a", isSuccess: true },
    ]);
  });
  test("a to-do list is a plan", () => {
    const todos = [
      { description: "first", status: "in_progress" },
      { description: "second", status: "cancelled" },
    ];
    const plan = eventsOf(use("write_todos", { todos })).find(({ type }) => type === "plan");
    expect(plan).toMatchObject({
      items: [
        { text: "first", status: "in_progress" },
        { text: "second", status: "unknown" },
      ],
    });
  });
  test("paths are absolute if the working directory is known; in plan mode a relative path is one of the CLI's plans", () => {
    const paths = (name: string) =>
      replay(fixture(name), activity, { run: { cwd: "/w" } }).flatMap((each) => (each.type === "write" ? [each.path] : []));
    expect(paths("file-tools")).toEqual(["/w/sub/new.txt", "/w/sub/new.txt"]);
    expect(paths("plan-mode-left")).toEqual(["plan.md"]);
  });
});

describe("commands", () => {
  const ran = (command: string, output: string | undefined, more: object = {}) =>
    gemini(use("run_shell_command", { command, ...more }), done(output === undefined ? {} : { output }));

  test("success of a command with output only means that it ran", () => {
    expect(ran("make", "done")).toEqual([{ type: "command", command: "make" }]);
    expect(ran("cat a", "text")).toEqual([{ type: "read", path: "a" }]);
    expect(ran("make", undefined)).toEqual([{ type: "command", command: "make" }]);
  });
  test("a command without output has an exit code", () => {
    expect(ran("true", "")).toEqual([{ type: "command", command: "true", exitCode: 0, isSuccess: true }]);
    expect(ran("false", "Command exited with code: 1")).toEqual([{ type: "command", command: "false", exitCode: 1, isSuccess: false }]);
    expect(ran("grep x a", "Command exited with code: 1")).toEqual([{ type: "search", query: "x", path: "a", isSuccess: true }]);
  });
  test("a command that may have printed such text itself has none", () => {
    expect(ran("echo 'Command exited with code: 5'", "Command exited with code: 5")).toEqual([
      { type: "command", command: "echo 'Command exited with code: 5'" },
    ]);
  });
  test.each([
    "Blocked: command substitution detected in shell command.",
    "Command terminated by signal: 9",
    "Command cancelled by user.",
    "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes without output.\n\nOutput before cancellation:\nx",
  ])("%j is a failure", (output) => {
    expect(ran("make", output)).toEqual([{ type: "command", command: "make", isSuccess: false }]);
  });
  test("a background command has neither succeeded nor failed", () => {
    expect(ran("serve", "Command moved to background (PID: 1). Output hidden.", { is_background: true })).toEqual([
      { type: "command", command: "serve" },
    ]);
  });
  test("its requested directory", () => {
    expect(ran("make", "x", { dir_path: "/d" })).toEqual([{ type: "command", command: "make", workingDirectory: "/d" }]);
    expect(ran("cat a", "x", { dir_path: "/d" })).toEqual([{ type: "read", path: "/d/a" }]);
  });
});

describe("orchestration", () => {
  test("invoke_agent starts a subagent; its success means nothing, its error does", () => {
    const start = { type: "orchestration", action: "subagent_started", subagentId: "c1", subagentName: "generalist" };
    const call = use("invoke_agent", { agent_name: "generalist", prompt: "p" });
    expect(gemini(call, done())).toEqual([start, { ...start, action: "subagent_completed" }]);
    expect(gemini(call, failed("execution_failed"))).toEqual([start, { ...start, action: "subagent_failed", isSuccess: false }]);
  });
  test("without a name it is unknown", () => {
    expect(gemini(use("invoke_agent", { prompt: "p" }), done())).toMatchObject([{ type: "unknown" }]);
  });
});

describe("no contents", () => {
  test("neither results nor written text reach activity, not even from unreadable lines", () => {
    const secret = "CANARY";
    const payload = { content: secret, old_string: secret, new_string: secret };
    const lines = [
      use("write_file", { file_path: "/a", ...payload }, "1"),
      use("replace", { file_path: "/a", ...payload }, "1"), // a duplicate id: both requests are shown
      done({ output: secret }, "1"),
      use("replace", payload, "2"),
      failed("invalid_tool_params", secret, "2"),
      { type: "tool_use", tool_id: "3", parameters: payload },
      { type: "tool_use", tool_name: "write_file", parameters: payload },
      { type: "tool_result", tool_id: "none", status: "success", output: secret, error: { message: secret } },
      use("run_shell_command", { command: "make" }, "4"),
      done({ output: secret }, "4"),
      failed("policy_violation", secret, "5"),
    ];
    const text = JSON.stringify(gemini(...lines));
    expect(text).toContain("ambiguous");
    expect(text).not.toContain(secret);
  });
});

describe("status", () => {
  const said = says("ok");
  test("success, once the model has answered", () => {
    expect(statusOf(said, end())).toEqual(["completed", "success"]);
  });
  test("success is not enough if the model has not answered", () => {
    expect(statusOf({ type: "message", role: "user", content: "too long" }, end())).toEqual(["failed", "no_answer"]);
    expect(statusOf(said, use("read_file", { file_path: "/a" }), done(), end())).toEqual(["failed", "no_answer"]);
  });
  test("an earlier error or stop outweighs success, unless the run continues", () => {
    const loop = { type: "error", severity: "warning", message: "Loop detected, stopping execution" };
    const blocked = { type: "error", severity: "warning", message: "Agent execution blocked: no" };
    const turns = { type: "error", severity: "error", message: "Maximum session turns exceeded" };
    expect(statusOf(said, loop, end())).toEqual(["failed", "loop_detected"]);
    expect(statusOf(blocked, end())).toEqual(["blocked", "agent_execution_blocked"]);
    expect(statusOf(said, turns, end())).toEqual(["failed", "error"]);
    expect(statusOf(said, blocked, said, end())).toEqual(["completed", "success"]);
    expect(statusOf(said, { type: "error", severity: "warning", message: "hm" }, end())).toEqual(["completed", "success"]);
  });
  test("a stream without its result, and a result without a status, is not a success", () => {
    expect(statusOf(said)).toEqual([null, "result-missing"]);
    expect(statusOf(said, { type: "result", stats: {} })).toEqual([null, "result-missing"]);
  });
  test.each([
    ['[API Error: {"error":{"code":401,"status":"UNAUTHENTICATED"}}]', "infrastructure"],
    ['[API Error: {"error":{"code":503,"status":"UNAVAILABLE"}}]', "infrastructure"],
    ['[API Error: {"error":{"code":400,"message":"The input token count exceeds the maximum"}}]', "failed"],
    ['[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]', "infrastructure"],
    ["[API Error: You have exhausted your daily quota on this model.]", "infrastructure"],
    ["[API Error: models/x is not found for API version v1beta]", "failed"],
    ["[API Error: exception TypeError: fetch failed sending request]", "infrastructure"],
    ["[API Error: No access (Status: PERMISSION_DENIED)]", "infrastructure"],
    ["[API Error: terminated]", "infrastructure"],
  ])("%s is %s", (message, status) => {
    const line = { type: "result", status: "error", error: { type: "unknown", message } };
    expect(statusOf(line)).toEqual([status, "error"]);
    expect(gemini(line)).toEqual([{ type: "error", message }]);
  });
  test("errors with their own name keep it", () => {
    const line = (type: string) => ({ type: "result", status: "error", error: { type, message: "m" } });
    expect(statusOf(line("FatalCancellationError"))).toEqual(["canceled", "FatalCancellationError"]);
    expect(statusOf(line("FatalAuthenticationError"))).toEqual(["infrastructure", "FatalAuthenticationError"]);
    expect(statusOf(line("FatalTurnLimitedError"))).toEqual(["failed", "FatalTurnLimitedError"]);
    expect(gemini(line("FatalTurnLimitedError"))).toEqual([{ type: "error", message: "m", code: "FatalTurnLimitedError" }]);
  });
  test.each([
    ["write_file", "policy_violation", "Tool execution denied by policy."],
    ["mcp_echo_say", "policy_violation", "Tool execution blocked: not today"],
    [
      "mcp_echo_say",
      "unhandled_exception",
      'Tool execution for "x" requires user confirmation, which is not supported in non-interactive mode.',
    ],
    ["run_shell_command", "tool_not_registered", 'Tool "run_shell_command" not found.'],
    ["replace", "tool_not_registered", 'Tool "replace" not found.'],
  ])("%s that ends with %s was denied: the run is blocked", (tool, type, message) => {
    expect(statusOf(use(tool, { file_path: "/a", command: "x" }), failed(type, message), says("I may not."), end())).toEqual([
      "blocked",
      "permission-refused",
    ]);
  });
  test("a missing tool is not a denial, nor is an unreadable file", () => {
    expect(statusOf(use("no_such_tool", {}), failed("tool_not_registered"), said, end())).toEqual(["completed", "success"]);
    expect(statusOf(use("read_file", { file_path: "/a" }), failed("permission_denied"), said, end())).toEqual(["completed", "success"]);
  });
  test.each([
    ["full", "completed", "success"],
    ["length", "completed", "success"],
    ["err500-once", "completed", "success"],
    ["err401", "infrastructure", "error"],
    ["err400-context", "failed", "error"],
    ["cut-text", "infrastructure", "error"],
    ["no-auth", "infrastructure", "auth_required"],
    ["sigterm-group", "failed", "result-missing"],
    ["sigint-tool", "failed", "result-missing"],
    ["answer-blocked", "failed", "error"],
    ["empty-always", "failed", "error"],
    ["loop", "failed", "loop_detected"],
    ["prompt-too-long", "failed", "no_answer"],
    ["turn-limit", "failed", "FatalTurnLimitedError"],
    ["tools-withheld", "blocked", "permission-refused"],
    ["hook-refuses-tools", "blocked", "permission-refused"],
    ["hook-stops-run", "blocked", "stop_execution"],
    ["hook-blocks-prompt", "blocked", "agent_execution_blocked"],
  ])("recorded: %s is %s", (name, status, reason) => {
    expect(replay(fixture(name), resultView)).toMatchObject([{ status, reason }]);
  });
});

describe("usage", () => {
  const stats = { total_tokens: 1025, input_tokens: 1000, output_tokens: 20, cached: 250, input: 750 };
  test("in disjoint classes: reasoning is what only the total includes", () => {
    expect(resultOf(says("x"), end({ stats }))?.usage).toEqual({ input: 750, cacheRead: 250, cacheWrite: null, output: 20, reasoning: 5 });
  });
  test("a class that is not reported is null, and zeros are not a measurement", () => {
    const some = resultOf(says("x"), end({ stats: { input_tokens: 10, output_tokens: 2 } }))?.usage;
    expect(some).toEqual({ input: 10, cacheRead: null, cacheWrite: null, output: 2, reasoning: null });
    const zeros = { total_tokens: 0, input_tokens: 0, output_tokens: 0, cached: 0, input: 0 };
    expect(eventsOf(end({ stats: zeros })).filter(({ type }) => type === "usage")).toEqual([]);
  });
  test("if only the models have counts, they are added up", () => {
    const none = resultOf(says("x"), end({ stats: { models: { a: stats, b: stats } } }))?.usage;
    expect(none).toEqual({ input: 1500, cacheRead: 500, cacheWrite: null, output: 40, reasoning: 10 });
  });
});

describe("the document of --output-format json", () => {
  const document = {
    session_id: "s",
    response: "All done.",
    stats: { models: { m: { tokens: { input: 70, prompt: 100, candidates: 5, total: 115, cached: 30, thoughts: 6, tool: 4 } } } },
  };
  test("is a session, an answer, a count and a claim", () => {
    expect(gemini(document)).toEqual([{ type: "agent", message: "All done." }]);
    expect(resultOf(document)).toMatchObject({
      status: "completed",
      sessionId: "s",
      output: "All done.",
      usage: { input: 74, cacheRead: 30, cacheWrite: null, output: 5, reasoning: 6 },
    });
  });
  test("with an error, a stopping warning, or without an answer it has failed", () => {
    expect(statusOf({ ...document, error: { type: "INVALID_STREAM", message: "blocked" } })).toEqual(["failed", "INVALID_STREAM"]);
    expect(statusOf({ ...document, warnings: ["Loop detected, stopping execution"] })).toEqual(["failed", "loop_detected"]);
    expect(statusOf({ ...document, response: "" })).toEqual(["failed", "no_answer"]);
    expect(gemini({ ...document, response: "", error: { message: "m" }, warnings: ["w"] })).toEqual([
      { type: "warning", message: "w" },
      { type: "error", message: "m" },
    ]);
  });

  /** The translator's events for these lines; lines that are not objects go to its `text`. */
  function overLines(lines: readonly string[]): Translated[] {
    let record = 0;
    const run = { here: { record, stream: "stdout" as const, offset: 0, length: 0 }, at: 0 };
    const translator: { text?(line: string): readonly Translated[] | undefined; end(): readonly Translated[] } = agents.gemini.open(run);
    const out = lines.flatMap((line) => {
      run.here = { ...run.here, record: ++record };
      return translator.text?.(line) ?? [{ type: "unknown" as const, raw: line }];
    });
    return [...out, ...translator.end()];
  }

  test("spread over many lines it means the same, and every line is cited once", () => {
    const lines = JSON.stringify({ ...document, warnings: ["w", "x"] }, null, 2).split("\n");
    const events = overLines(lines);
    expect(events.map(({ type }) => type)).toEqual(["session", "message", "usage", "warning", "warning", "result"]);
    const cited = new Set(events.flatMap((body) => ("from" in body ? body.from : undefined)?.map(({ record }) => record) ?? []));
    expect([...cited].sort((a, b) => a - b)).toEqual(lines.map((_, i) => i + 1));
  });
  test("a foreign line in it is ignored and changes nothing else", () => {
    const lines = JSON.stringify(document, null, 2).split("\n");
    const types = overLines([...lines.slice(0, 5), "not json at all", ...lines.slice(5)]).map(({ type }) => type);
    expect(types).toEqual(["unknown", "session", "message", "usage", "result"]);
  });
  test("torn, it is one unknown and claims nothing", () => {
    const lines = JSON.stringify(document, null, 2).split("\n").slice(0, -1);
    expect(overLines(lines)).toMatchObject([{ type: "unknown", truncated: true }]);
  });
});

describe("stderr", () => {
  const code = (line: string) => {
    const body = agents.gemini.text?.(line, "stderr");
    return body !== undefined && "type" in body && body.type === "warning" ? body.code : undefined;
  };
  test("usual lines, and lines that the result repeats, have a code; the only line with the reason of a failure has none", () => {
    expect(code("YOLO mode is enabled. All tool calls will be automatically approved.")).toBe("yolo_notice");
    expect(code("Attempt 1 failed with status 500. Retrying with backoff... _ApiError: {}")).toBe("api_retry");
    expect(code("Error executing tool read_file: File not found.")).toBe("tool_error");
    expect(code("    at async Turn.run (file:///x.js:1:1) {")).toBe("stack_frame");
    expect(code("When using Gemini API, you must specify the GEMINI_API_KEY environment variable.")).toBeUndefined();
    expect(code("Error when talking to Gemini API Full report available at: x")).toBe("error_report");
  });
});

describe("invocation", () => {
  const task = { prompt: "-x\n" };
  test("the prompt goes to stdin, whatever it begins with", () => {
    expect(agents.gemini.command(task)).toEqual({
      args: ["--output-format", "stream-json", "--skip-trust"],
      stdin: "-x\n",
      env: { GEMINI_CLI_NO_RELAUNCH: "true" },
      resumes: true,
      ignored: [],
    });
  });
  test("model, permissions, and unsupported options", () => {
    expect(agents.gemini.command({ ...task, model: "m", permissions: "full", maxTurns: 3 })).toMatchObject({
      args: ["--output-format", "stream-json", "--skip-trust", "--model", "m", "--yolo"],
      ignored: ["maxTurns"],
    });
    expect(agents.gemini.command({ ...task, permissions: "default" }).args).not.toContain("--approval-mode");
    expect(agents.gemini.command({ ...task, permissions: "read-only" })).toMatchObject({
      args: [
        "--output-format",
        "stream-json",
        "--skip-trust",
        "--approval-mode",
        "default",
        "--allowed-mcp-server-names",
        "harness-allows-none",
      ],
      ignored: ["permissions"],
    });
  });
});
