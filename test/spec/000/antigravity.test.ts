import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result as resultView } from "../../../src/pure/views/result/view.ts";
import { feed, loadFixtures, replay } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Specification 000 treats Antigravity as best effort. This tests its stream as others describe it, and best effort for the rest. */

const antigravity = (...lines: unknown[]) => activityOf("antigravity", lines);
const init = { event: "init", conversation_id: "c", init: { cwd: "/w", model: "m", permission_mode: "request-review", tools: [] } };
const step = (step_index: number, step_type: string | undefined, state: string, more: object = {}) => ({
  event: "step_update",
  step_update: { conversation_id: "c", step_index, state, step_type, ...more },
});
const tool = (name: string, parameters: object, state = "DONE", more: object = {}, index = 1) =>
  step(index, "tool", state, { tool_name: name, tool_info: { name, parameters, ...more } });
const says = (text_delta: string, index = 9) => step(index, "agent_response", "DONE", { text_delta });
const end = (more: object = {}) => ({ event: "result", result: { conversation_id: "c", status: "SUCCESS", response: "ok", ...more } });

const bytes = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const resultOf = (...lines: unknown[]) => feed(agents.antigravity, resultView, [bytes(lines)])[0];
const statusOf = (...lines: unknown[]) => [resultOf(...lines)?.status, resultOf(...lines)?.reason];

test("is marked as unverified and names no version", () => {
  expect(agents.antigravity.title).toContain("unverified");
  expect(agents.antigravity).not.toHaveProperty("seen");
  const fixtures = loadFixtures().filter(({ agent }) => agent.id === "antigravity");
  expect(fixtures.length).toBeGreaterThan(0);
  for (const { name, provenance } of fixtures) expect([name, provenance]).toEqual([expect.stringContaining("/documented-"), "documented"]);
});

describe("best effort, as in specification 000", () => {
  test.each([
    ["plain text", "unknown"],
    ["ERROR: could not sign in", "error"],
    ["[warn] slow", "warning"],
    ['{"level":"error","msg":"boom"}', "error"],
    ['{"type":"novel"}', "unknown"],
    ['{"event":"novel","novel":{}}', "unknown"],
    ['{"event":"step_update"}', "unknown"],
  ])("%j is %s", (line, type) => {
    expect(antigravity(line)).toMatchObject([{ type }]);
  });
  test("plain text is an answer, but never a success: the CLI has printed nothing and exited with 0", () => {
    const result = feed(agents.antigravity, resultView, [Buffer.from("The answer.\n")])[0];
    expect(result).toMatchObject({ output: "The answer.\n", status: null, reason: "result-missing" });
  });
});

describe("lines", () => {
  test("init gives the session id, the model and the directory", () => {
    const lines = [init, tool("view_file", { AbsolutePath: "a" }), end()];
    expect(feed(agents.antigravity, activity, [bytes(lines)])).toMatchObject([{ type: "read", path: "/w/a", sessionId: "c" }]);
    expect(resultOf(...lines)).toMatchObject({ sessionId: "c", model: "m" });
  });
  test("an answer is its pieces; the last update has the last piece, nothing, or the whole text again", () => {
    const piece = (text_delta: string) => step(1, "agent_response", "ACTIVE", { text_delta });
    const said = [{ type: "agent", message: "Hello." }];
    expect(antigravity(piece("Hel"), step(1, "agent_response", "DONE", { text_delta: "lo." }))).toEqual(said);
    expect(antigravity(piece("Hel"), piece("lo."), step(1, undefined, "DONE"))).toEqual(said);
    expect(antigravity(piece("Hel"), piece("lo."), step(1, undefined, "DONE", { text_delta: "Hello." }))).toEqual(said);
    expect(antigravity(piece("Hello."))).toEqual(said);
  });
  test("the prompt, system messages and thoughts are not activity", () => {
    const lines = [
      step(0, "user_input", "DONE"),
      step(1, "system_message", "DONE", { text_delta: "x" }),
      step(2, "thinking", "DONE", { text_delta: "x" }),
    ];
    expect(antigravity(...lines)).toEqual([]);
  });
  test("an error during the run is a warning: the CLI tries again", () => {
    expect(antigravity(step(1, "error_message", "DONE"))).toMatchObject([{ type: "warning", code: "error_message" }]);
    expect(antigravity(step(1, "error_message", "DONE", { error: "429" }))).toEqual([
      { type: "warning", message: "429", code: "error_message" },
    ]);
  });
  test("an undocumented step is one unknown", () => {
    expect(antigravity(step(1, "checkpoint", "DONE"))).toMatchObject([
      { type: "unknown", raw: { step_update: { step_type: "checkpoint" } } },
    ]);
  });
});

describe("tools", () => {
  test.each([
    ["view_file", { AbsolutePath: "/a", StartLine: 2, EndLine: 3 }, { type: "read", path: "/a", startLine: 2, endLine: 3 }],
    ["write_to_file", { TargetFile: "/a", CodeContent: "x" }, { type: "write", path: "/a" }],
    ["replace_file_content", { TargetFile: "file:///a" }, { type: "write", path: "/a" }],
    ["multi_replace_file_content", { TargetFile: "/a" }, { type: "write", path: "/a" }],
    ["grep_search", { Query: "x", SearchPath: "/d" }, { type: "search", query: "x", path: "/d" }],
    ["find_by_name", { Pattern: "*.ts", SearchDirectory: "/d" }, { type: "search", query: "*.ts", path: "/d" }],
    ["list_dir", { DirectoryPath: "/d" }, { type: "list", path: "/d" }],
  ])("%s", (name, parameters, expected) => {
    expect(antigravity(tool(name, parameters, "ACTIVE"), tool(name, {}))).toEqual([{ ...expected, isSuccess: true }]);
    expect(antigravity(tool(name, parameters, "ERROR", { error: { message: "no" } }))).toEqual([{ ...expected, isSuccess: false }]);
  });
  test("a failed command is done like any other: its success is not reported", () => {
    expect(antigravity(tool("run_command", { CommandLine: "make", Cwd: "/d" }))).toEqual([
      { type: "command", command: "make", workingDirectory: "/d" },
    ]);
    expect(antigravity(tool("run_command", { CommandLine: "cat a" }))).toEqual([{ type: "read", path: "a" }]);
    expect(antigravity(tool("run_command", { CommandLine: "make" }, "ERROR"))).toEqual([
      { type: "command", command: "make", isSuccess: false },
    ]);
  });
  test.each(["read_url_content", "search_web", "call_mcp_tool", "hologram"])("%s is one unknown", (name) => {
    expect(antigravity(tool(name, { a: 1 }, "ACTIVE"), tool(name, { a: 1 }))).toMatchObject([{ type: "unknown" }]);
  });
  test("contents never reach activity", () => {
    const secret = { CodeContent: "CANARY", ReplacementContent: "CANARY" };
    const lines = [
      tool("write_to_file", secret, "DONE", { output: "CANARY" }),
      tool("view_file", { AbsolutePath: "/a" }, "ERROR", { error: { message: "CANARY" } }, 2),
      { event: "step_update", step_update: { step_type: "tool", tool_info: { parameters: secret, output: "CANARY" }, output: "CANARY" } },
      step(3, "hologram", "DONE", { text_delta: "CANARY", output: "CANARY" }),
    ];
    expect(JSON.stringify(antigravity(...lines))).not.toContain("CANARY");
  });
});

test("a subagent is reported when it starts; its step is done then, and its end is not reported", () => {
  const info = { subagent_info: { subagents: [{ type_name: "research", conversation_id: "c2" }] } };
  expect(antigravity(step(1, "subagent", "ACTIVE", info), step(1, "subagent", "DONE", info))).toEqual([
    { type: "orchestration", action: "subagent_started", subagentId: "c2", subagentName: "research" },
  ]);
});

describe("status", () => {
  test("the result's status counts, not the exit code", () => {
    expect(statusOf(says("ok"), end())).toEqual(["completed", "SUCCESS"]);
    expect(statusOf(end({ status: "ERROR", error: "agent executor error: Error 500, Message: x" }))).toEqual(["infrastructure", "ERROR"]);
    expect(statusOf(end({ status: "ERROR", error: "RESOURCE_EXHAUSTED (code 429): x" }))).toEqual(["infrastructure", "ERROR"]);
    expect(statusOf(end({ status: "ERROR", error: "context canceled" }))).toEqual(["failed", "ERROR"]);
    expect(statusOf(end({ status: "CANCELLED" }))).toEqual(["canceled", "CANCELLED"]);
    expect(statusOf(end({ status: "NOVEL" }))).toEqual([null, "result-missing"]);
  });
  test("a denied permission blocks, although the result says success", () => {
    expect(statusOf(end({ response: "", denied_actions: [{ action: "command" }] }))).toEqual(["blocked", "permission-refused"]);
    expect(
      statusOf(tool("run_command", { CommandLine: "x" }, "ERROR", { error: { message: "User denied permission to run" } }), end()),
    ).toEqual(["blocked", "permission-refused"]);
  });
  test("success with an unfinished answer, or with nothing measured, is not a success", () => {
    expect(statusOf(step(1, "agent_response", "ACTIVE", { text_delta: "Hal" }), end())).toEqual(["failed", "unfinished"]);
    expect(statusOf(end({ duration_seconds: 0, usage: { input_tokens: 0, output_tokens: 0 } }))).toEqual(["failed", "unfinished"]);
  });
  test("a stream without its result is not a success", () => {
    expect(statusOf(says("ok"))).toEqual([null, "result-missing"]);
  });
});

test("the one object of --output-format json is an answer and a result", () => {
  const whole = { conversation_id: "c", status: "SUCCESS", response: "Done." };
  expect(antigravity(whole)).toEqual([{ type: "agent", message: "Done." }]);
  expect(resultOf(whole)).toMatchObject({ status: "completed", sessionId: "c", output: "Done." });
});

describe("usage", () => {
  const usage = (numbers: object) => resultOf(end({ usage: numbers, duration_seconds: 1 }))?.usage;
  const counts = { input_tokens: 100, output_tokens: 20, thinking_tokens: 5, cache_read_tokens: 40 };
  test.each([
    [165, { input: 100, cacheRead: 40, output: 20, reasoning: 5 }],
    [160, { input: 100, cacheRead: 40, output: 15, reasoning: 5 }],
    [125, { input: 60, cacheRead: 40, output: 20, reasoning: 5 }],
    [120, { input: 60, cacheRead: 40, output: 15, reasoning: 5 }],
  ])("a total of %i shows which counts include others", (total_tokens, expected) => {
    expect(usage({ ...counts, total_tokens })).toEqual({ ...expected, cacheWrite: null });
  });
  test("the result's count replaces the steps' counts, and zeros are not a measurement", () => {
    const spent = { input_tokens: 10, output_tokens: 2, total_tokens: 12 };
    expect(resultOf(step(1, "agent_response", "DONE", { text_delta: "x", usage: spent }), end({ usage: spent }))?.usage).toMatchObject({
      input: 10,
    });
    const zeros = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
    expect(feed(agents.antigravity, log, [bytes([end({ usage: zeros })])]).some(({ type }) => type === "usage")).toBe(false);
  });
});

test("its own time limit, which only stderr mentions, is an error", () => {
  const found = loadFixtures().find(({ name }) => name === "antigravity/documented-timeout");
  if (found === undefined) throw new Error("no fixture");
  expect(replay(found, activity).at(-1)).toMatchObject({ type: "error", code: "print_timeout" });
  expect(replay(found, resultView)).toMatchObject([{ status: "failed", reason: "unfinished" }]);
});

test("the prompt goes to stdin as one event; read-only is not supported", () => {
  const { args, stdin } = agents.antigravity.command({ prompt: '-x "y"\n', model: "m", permissions: "full" });
  const format = ["--input-format", "stream-json", "--output-format", "stream-json", "--print-timeout", "24h"];
  expect(args).toEqual([...format, "--model", "m", "--dangerously-skip-permissions"]);
  expect(JSON.parse(stdin ?? "")).toEqual({ event: "user", message: { content: '-x "y"\n' } });
  expect(stdin?.split("\n")).toHaveLength(2);
  expect(agents.antigravity.command({ prompt: "x", permissions: "read-only", maxTurns: 1 }).ignored).toEqual(["maxTurns", "permissions"]);
});
