import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { feed, loadFixtures, replay } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Specification 000, "Kilo Code Event Mapping", row by row. Behaviour shared with OpenCode is in opencode.test.ts, and here in short. */

const kilo = (...lines: unknown[]) => activityOf("kilo", lines);
const part = (type: string, fields: object) => ({ type, sessionID: "ses_1", part: { sessionID: "ses_1", messageID: "msg_1", ...fields } });
const used = (tool: string, state: object) => part("tool_use", { type: "tool", tool, callID: "c", state });
const did = (tool: string, input: object, metadata: object = {}) =>
  kilo(used(tool, { status: "completed", input, output: "secret", metadata, title: "secret" }));
const failedAt = (tool: string, input: object, metadata: object = {}) =>
  kilo(used(tool, { status: "error", input, error: "secret", metadata }));
const logOf = (...lines: unknown[]) => feed(agents.kilo, log, [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))]);

describe("the stream it shares with OpenCode", () => {
  test("text is agent; steps and reasoning are consumed; error is error", () => {
    const lines = [
      part("step_start", {}),
      part("reasoning", { text: "hm" }),
      part("text", { text: "hi" }),
      part("step_finish", { reason: "stop" }),
    ];
    expect(kilo(...lines)).toEqual([{ type: "agent", message: "hi" }]);
    expect(kilo({ type: "error", error: { name: "APIError", data: { message: "x" } } })).toEqual([
      { type: "error", message: "x", code: "APIError" },
    ]);
  });
  test("the session id is captured from sessionID", () => {
    expect(logOf(part("text", { text: "hi" }))).toContainEqual(expect.objectContaining({ type: "session", sessionId: "ses_1" }));
  });
  test.each([
    ["read", { filePath: "/w/a" }, { type: "read", path: "/w/a" }],
    ["write", { filePath: "/w/a", content: "secret" }, { type: "write", path: "/w/a" }],
    ["edit", { filePath: "/w/a" }, { type: "write", path: "/w/a" }],
    ["apply_patch", { patchText: "*** Delete File: /w/a" }, { type: "write", path: "/w/a" }],
    ["grep", { pattern: "foo" }, { type: "search", query: "foo" }],
    ["glob", { pattern: "*.ts" }, { type: "search", query: "*.ts" }],
    ["bash", { command: "make" }, { type: "command", command: "make" }],
    ["skill", { name: "demo" }, { type: "skill", path: "skills/demo/SKILL.md", skillName: "demo" }],
    ["lsp", { symbol: "add" }, { type: "search", query: "add" }],
  ])("%s is the same as in OpenCode", (tool, input, expected) => {
    expect(did(tool, input)).toEqual([{ ...expected, isSuccess: true }]);
    expect(failedAt(tool, input)).toEqual([{ ...expected, isSuccess: false }]);
  });
  test.each(["webfetch", "todowrite", "background_process", "board_post", "kilo_local_recall", "schedule_wakeup", "semantic_search"])(
    "%s is one unknown",
    (tool) => {
      expect(did(tool, { query: "x" })).toMatchObject([{ type: "unknown", raw: { part: { tool, state: { input: { query: "x" } } } } }]);
    },
  );
});

describe("the tools it adds", () => {
  test("codesearch is a search", () => {
    expect(did("codesearch", { query: "foo", path: "/w" })).toEqual([{ type: "search", query: "foo", path: "/w", isSuccess: true }]);
    expect(did("codesearch", {})).toMatchObject([{ type: "unknown" }]);
  });
  test.each(["task", "agent_manager"])("%s is orchestration if the new session is identified, otherwise unknown", (tool) => {
    const name = tool === "task" ? { subagent_type: "general" } : { name: "general" };
    expect(did(tool, name, { sessionId: "ses_2" })).toEqual([
      { type: "orchestration", action: "subagent_completed", subagentId: "ses_2", subagentName: "general", isSuccess: true },
    ]);
    expect(failedAt(tool, name, { agent_id: "ses_2" })).toEqual([
      { type: "orchestration", action: "subagent_failed", subagentId: "ses_2", subagentName: "general", isSuccess: false },
    ]);
    expect(did(tool, name)).toMatchObject([{ type: "unknown", raw: { part: { tool } } }]);
  });
  test("an agent manager that only manages its sessions starts none", () => {
    expect(did("agent_manager", { action: "stop", id: "ses_2" })).toMatchObject([{ type: "unknown" }]);
    expect(did("agent_manager", { mode: "local", tasks: [] }, { action: "start", requestID: "am-1", count: 1 })).toMatchObject([
      { type: "unknown" },
    ]);
  });
});

describe("different from OpenCode", () => {
  test("malformed and unknown calls keep their name, and the arguments may be file text", () => {
    const events = failedAt("write", { value: '{"filePath": "/w/a", "content": "secret' });
    expect(events).toMatchObject([{ type: "unknown", raw: { part: { tool: "write" } } }]);
    expect(JSON.stringify(events)).not.toContain("secret");
    expect(failedAt("no_such_tool", { a: 1 })).toMatchObject([{ type: "unknown", raw: { part: { tool: "no_such_tool" } } }]);
  });
  test("a background task is completed while it still runs; more work for it is not a second start", () => {
    const state = { status: "completed", input: { subagent_type: "general" }, metadata: { sessionId: "ses_2", background: true } };
    expect(kilo(used("task", state), used("task", state))).toMatchObject([
      { type: "orchestration", action: "subagent_started", subagentId: "ses_2" },
      { type: "unknown" },
    ]);
  });
  test.each([
    ["run ended with an auto-rejected permission; pass --auto for autonomous use", "blocked", "permission-refused"],
    ["run ended without an assistant message; the model returned no output", "failed", "error"],
    ["Session interrupted before completion", "canceled", "error"],
    ["Server rejected access (HTTP 401); check server authentication and permissions", "infrastructure", "error"],
  ])("an error may be a bare string: %s", (error, outcome, reason) => {
    expect(kilo({ type: "error", error })).toEqual([{ type: "error", message: error }]);
    expect(logOf({ type: "error", error })).toContainEqual(expect.objectContaining({ type: "result", outcome, reason }));
  });
  test("errors are repeated on stderr, with a code to filter by", () => {
    const line = "\u001b[91m\u001b[1mError: \u001b[0mscripted 401 failure";
    expect(agents.kilo.text?.(line, "stderr")).toEqual({ type: "warning", message: "Error: scripted 401 failure", code: "error_echo" });
  });
});

test.each([
  ["no-auto", "blocked"],
  ["cut-text", "infrastructure"],
  ["err401", "infrastructure"],
  ["empty", "failed"],
  ["bad-model", "failed"],
  ["sigterm-stream", "canceled"],
  ["background", "completed"],
  ["full-rg", "completed"],
])("%s is %s", (scenario, status) => {
  const fixture = loadFixtures().find(({ name }) => name === `kilo/${scenario}`);
  expect(fixture && replay(fixture, result)).toMatchObject([{ status }]);
});

describe("invocation", () => {
  test("like OpenCode, but never through a daemon", () => {
    const { args, stdin, env } = agents.kilo.command({ prompt: "-x", cwd: "/w", permissions: "full" });
    expect(args).toEqual(["run", "--format", "json", "--thinking", "--dir", "/w", "--auto"]);
    expect(stdin).toBe("-x");
    expect(env).toEqual({ KILO_DISABLE_AUTOUPDATE: "1", KILO_NO_DAEMON: "1" });
  });
  test("read-only uses its own variable", () => {
    expect(agents.kilo.command({ prompt: "x", permissions: "read-only" }).env).toHaveProperty("KILO_PERMISSION");
  });
});
