import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { feed } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Specification 000, "Codex Event Mapping", row by row and sentence by sentence. */

const codex = (...lines: unknown[]) => activityOf("codex", lines);
const completed = (item: object) => ({ type: "item.completed", item: { id: "i1", ...item } });
const started = (item: object) => ({ type: "item.started", item: { id: "i1", ...item } });
const ran = (command: string, exit_code = 0) =>
  codex(
    completed({
      type: "command_execution",
      command,
      aggregated_output: "secret",
      exit_code,
      status: exit_code === 0 ? "completed" : "failed",
    }),
  );

describe("lifecycle", () => {
  test("thread.started gives the session id; turn boundaries give nothing", () => {
    const lines = [
      { type: "thread.started", thread_id: "th" },
      { type: "turn.started" },
      completed({ type: "agent_message", text: "hi" }),
      { type: "turn.completed", usage: {} },
    ];
    const records = feed(agents.codex, activity, [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))]);
    expect(records).toMatchObject([{ type: "agent", message: "hi", sessionId: "th" }]);
  });
  test("a reconnect notice is a warning; a terminal error and the turn.failed that repeats it are one error", () => {
    const failure = { type: "error", message: "it broke" };
    expect(codex({ type: "error", message: "Reconnecting... 1/5 (lost)" })).toMatchObject([{ type: "warning" }]);
    expect(codex(failure, { type: "turn.failed", error: { message: "it broke" } })).toEqual([{ type: "error", message: "it broke" }]);
    expect(codex({ type: "turn.failed", error: { message: "alone" } })).toEqual([{ type: "error", message: "alone" }]);
  });
});

describe("items", () => {
  test("item.started gives no duplicate event", () => {
    const item = { type: "command_execution", command: "make", status: "in_progress" };
    expect(codex(started(item), completed({ ...item, exit_code: 3, status: "failed" }))).toEqual([
      { type: "command", command: "make", exitCode: 3, isSuccess: false },
    ]);
  });
  test("file_change is one write per changed path", () => {
    const changes = [
      { path: "/a", kind: "add" },
      { path: "/b", kind: "delete" },
    ];
    expect(codex(started({ type: "file_change", changes: [] }), completed({ type: "file_change", changes, status: "completed" }))).toEqual([
      { type: "write", path: "/a", isSuccess: true },
      { type: "write", path: "/b", isSuccess: true },
    ]);
  });
  test("agent_message is agent, error is error, reasoning is nothing", () => {
    expect(codex(completed({ type: "agent_message", text: "hi" }))).toEqual([{ type: "agent", message: "hi" }]);
    expect(codex(completed({ type: "error", message: "advice" }))).toEqual([{ type: "error", message: "advice" }]);
    expect(codex(completed({ type: "reasoning", text: "hm" }))).toEqual([]);
  });
  test.each(["web_search", "todo_list", "mcp_tool_call", "hologram"])("%s, like any other item type, is one unknown", (type) => {
    const events = codex(started({ type }), completed({ type, status: "completed" }));
    expect(events).toHaveLength(1);
    expect(events).toMatchObject([{ type: "unknown" }]);
  });
  test("a line that is not JSON, and a line of a different type, is unknown", () => {
    expect(codex("plain", { type: "novel" })).toEqual([
      { type: "unknown", raw: "plain" },
      { type: "unknown", raw: { type: "novel" } },
    ]);
  });
});

describe("commands that are file operations", () => {
  test.each([
    ["/bin/bash -lc 'cat notes.txt'", { type: "read", path: "notes.txt", isSuccess: true }],
    ["bash -lc \"sed -n '10,20p' path\"", { type: "read", path: "path", startLine: 10, endLine: 20, isSuccess: true }],
    ["/bin/bash -lc 'rg foo src'", { type: "search", query: "foo", path: "src", isSuccess: true }],
    ["/bin/bash -lc 'grep -rn foo src'", { type: "search", query: "foo", path: "src", isSuccess: true }],
    ["/bin/bash -lc \"find . -name '*.ts'\"", { type: "search", query: "*.ts", path: ".", isSuccess: true }],
    ["/bin/bash -lc 'ls -la src'", { type: "list", path: "src", isSuccess: true }],
    ["/bin/bash -lc pwd", { type: "command", command: "/bin/bash -lc pwd", exitCode: 0, isSuccess: true }],
    ["/bin/bash -lc 'ls && rm -rf x'", { type: "command", command: "/bin/bash -lc 'ls && rm -rf x'", exitCode: 0, isSuccess: true }],
  ])("%s", (command, expected) => {
    expect(ran(command)).toEqual([expected]);
  });
  test("a search that matched nothing succeeded; one that broke did not", () => {
    expect(ran("/bin/bash -lc 'rg nothing'", 1)).toMatchObject([{ type: "search", isSuccess: true }]);
    expect(ran("/bin/bash -lc 'rg ['", 2)).toMatchObject([{ type: "search", isSuccess: false }]);
  });
});

describe("orchestration, which the current CLI reports", () => {
  const collab = (id: string, tool: string, receiver_thread_ids: string[], agents_states: object) => ({
    type: "item.completed",
    item: { id, type: "collab_tool_call", tool, receiver_thread_ids, agents_states, status: "completed" },
  });
  test("spawn_agent starts it, wait ends it, close_agent only repeats the end", () => {
    const done = { sub: { status: "completed", message: "secret" } };
    const lines = [
      collab("1", "spawn_agent", ["sub"], { sub: { status: "pending_init" } }),
      collab("2", "wait", ["sub"], done),
      collab("3", "close_agent", ["sub"], done),
    ];
    const events = codex(...lines);
    expect(events.slice(0, 2)).toEqual([
      { type: "orchestration", action: "subagent_started", subagentId: "sub" },
      { type: "orchestration", action: "subagent_completed", subagentId: "sub", isSuccess: true },
    ]);
    expect(events.slice(2)).toMatchObject([{ type: "unknown", raw: { tool: "close_agent" } }]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });
  test("an agent that errored has failed", () => {
    expect(codex(collab("2", "wait", ["sub"], { sub: { status: "errored" } }))).toMatchObject([
      { action: "subagent_failed", isSuccess: false },
    ]);
  });
});
