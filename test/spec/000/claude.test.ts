import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { feed } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Specification 000, "Claude Code Event Mapping", row by row and sentence by sentence. */

const init = { type: "system", subtype: "init", session_id: "s1", cwd: "/w", model: "m" };
const text = (words: string, id = "m1", parent: string | null = null) => ({
  type: "assistant",
  message: { id, content: [{ type: "text", text: words }] },
  parent_tool_use_id: parent,
});
const use = (id: string, name: string, input: unknown) => ({
  type: "assistant",
  message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
});
const result = (id: string, more: object = {}, detail?: unknown) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "c", ...more }] },
  tool_use_result: detail,
});
const claude = (...lines: unknown[]) => activityOf("claude", [init, ...lines]);
const call = (name: string, input: unknown, more: object = {}, detail?: unknown) =>
  claude(use("t", name, input), result("t", more, detail));
const request = (name: string, input: unknown) => [{ type: "unknown", raw: { type: "tool_use", id: "t", name, input } }];

describe("top level events", () => {
  test("any line may carry the session id; the first non-empty one counts", () => {
    const lines = [
      { ...text("a"), session_id: "" },
      { ...text("b", "m2"), session_id: "first" },
      { ...text("c", "m3"), session_id: "second" },
    ];
    const records = feed(agents.claude, activity, [Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))]);
    expect(records.map(({ sessionId }) => sessionId)).toEqual([undefined, "first", "first"]);
  });
  test.each(["init", "status", "thinking_tokens"])("system/%s emits no event", (subtype) => {
    expect(claude({ type: "system", subtype })).toEqual([]);
  });
  test.each(["hook_started", "compact_boundary", "never_seen"])("system/%s, like any other subtype, is unknown", (subtype) => {
    expect(claude({ type: "system", subtype })).toEqual([{ type: "unknown", raw: { type: "system", subtype } }]);
  });
  test("echoed prompt and injected context emit no event", () => {
    expect(claude({ type: "user", message: { role: "user", content: "the prompt" } })).toEqual([]);
    expect(claude({ type: "user", isSynthetic: true, message: { content: [{ type: "text", text: "context" }] } })).toEqual([]);
  });
  test("rate_limit_event: allowed is consumed, anything else is a warning", () => {
    const limit = (status: string) => claude({ type: "rate_limit_event", rate_limit_info: { status } });
    expect(limit("allowed")).toEqual([]);
    expect(limit("allowed_warning")).toMatchObject([{ type: "warning", code: "rate_limit_allowed_warning" }]);
    expect(limit("rejected")).toMatchObject([{ type: "warning" }]);
  });
  test("result: only a reported terminal error becomes an error, and an API error only once", () => {
    expect(claude({ type: "result", subtype: "success", is_error: false, result: "ok" })).toEqual([]);
    expect(claude({ type: "result", subtype: "error_max_turns", is_error: true, errors: ["Too many"] })).toMatchObject([
      { type: "error", message: "Too many" },
    ]);
    const synthetic = {
      type: "assistant",
      message: { model: "<synthetic>", content: [{ type: "text", text: "API Error: 500" }] },
      is_api_error_message: true,
    };
    const end = { type: "result", subtype: "success", is_error: true, result: "API Error: 500" };
    expect(claude(synthetic, end)).toEqual([{ type: "error", message: "API Error: 500" }]);
    expect(claude(end)).toMatchObject([{ type: "error", message: "API Error: 500" }]);
  });
  test("stream_event is consumed", () => {
    expect(claude({ type: "stream_event", event: { type: "content_block_delta", delta: { type: "text_delta", text: "x" } } })).toEqual([]);
  });
  test("any other type, and a line that is not JSON, is unknown", () => {
    expect(claude({ type: "novelty", a: 1 }, "plain")).toEqual([
      { type: "unknown", raw: { type: "novelty", a: 1 } },
      { type: "unknown", raw: "plain" },
    ]);
  });
});

describe("assistant messages", () => {
  test("text blocks of one message are joined, over lines and within one, until something else comes", () => {
    expect(claude(text("one "), text("message"), text("next", "m2"))).toEqual([
      { type: "agent", message: "one message" },
      { type: "agent", message: "next" },
    ]);
    const both = {
      type: "assistant",
      message: {
        id: "m",
        content: [
          { type: "text", text: "a" },
          { type: "thinking", thinking: "…" },
          { type: "text", text: "b" },
        ],
      },
    };
    expect(claude(both)).toEqual([
      { type: "agent", message: "a" },
      { type: "agent", message: "b" },
    ]);
  });
  test("thinking and redacted_thinking carry no activity", () => {
    const content = [
      { type: "thinking", thinking: "hm" },
      { type: "redacted_thinking", data: "…" },
    ];
    expect(claude({ type: "assistant", message: { id: "m", content } })).toEqual([]);
  });
});

describe("tools", () => {
  test("Read: the line range comes from offset and limit", () => {
    expect(call("Read", { file_path: "/a" })).toEqual([{ type: "read", path: "/a", isSuccess: true }]);
    expect(call("Read", { file_path: "b.ts", offset: 10, limit: 5 })).toEqual([
      { type: "read", path: "/w/b.ts", startLine: 10, endLine: 14, isSuccess: true },
    ]);
    expect(call("Read", { file_path: "/a", offset: 10 })).toEqual([{ type: "read", path: "/a", startLine: 10, isSuccess: true }]);
    expect(call("Read", { file_path: "/a", limit: 3 })).toEqual([{ type: "read", path: "/a", startLine: 1, endLine: 3, isSuccess: true }]);
  });
  test.each([
    ["Write", { file_path: "x", content: "secret" }],
    ["Edit", { file_path: "x", old_string: "a", new_string: "b" }],
    ["MultiEdit", { file_path: "x", edits: [] }],
    ["NotebookEdit", { notebook_path: "x", new_source: "c" }],
  ])("%s is a write", (name, input) => {
    expect(call(name, input)).toEqual([{ type: "write", path: "/w/x", isSuccess: true }]);
  });
  test("Grep and Glob are searches, LS is a list", () => {
    expect(call("Grep", { pattern: "p", path: "src" })).toEqual([{ type: "search", query: "p", path: "/w/src", isSuccess: true }]);
    expect(call("Glob", { pattern: "**/*.ts" })).toEqual([{ type: "search", query: "**/*.ts", isSuccess: true }]);
    expect(call("LS", { path: "/w" })).toEqual([{ type: "list", path: "/w", isSuccess: true }]);
  });
  test("Bash is a command, or the file operation it performs", () => {
    expect(call("Bash", { command: "npm test" })).toEqual([{ type: "command", command: "npm test", isSuccess: true }]);
    expect(call("Bash", { command: "npm test" }, { is_error: true, content: "Exit code 2\nboom" })).toEqual([
      { type: "command", command: "npm test", exitCode: 2, isSuccess: false },
    ]);
    expect(call("Bash", { command: "sed -n '10,20p' a.ts" })).toEqual([
      { type: "read", path: "/w/a.ts", startLine: 10, endLine: 20, isSuccess: true },
    ]);
  });
  test("Skill: its real directory if the next line has it, else skills/<name>/SKILL.md in the workspace", () => {
    const directory = {
      type: "user",
      isSynthetic: true,
      message: { content: [{ type: "text", text: "Base directory for this skill: /h/.claude/skills/demo\n\nDo." }] },
    };
    expect(claude(use("t", "Skill", { skill: "demo" }), result("t"), directory)).toEqual([
      { type: "skill", path: "/h/.claude/skills/demo/SKILL.md", skillName: "demo", isSuccess: true },
    ]);
    expect(call("Skill", { skill: "demo" })).toEqual([
      { type: "skill", path: "/w/skills/demo/SKILL.md", skillName: "demo", isSuccess: true },
    ]);
  });
  test("A6: a skill is in the workspace wherever the shell is, and progress is an unknown like any other type", () => {
    const moved = [use("c", "Bash", { command: "cd sub" }), result("c"), use("t", "Skill", { skill: "demo" }), result("t")];
    expect(claude(...moved).at(-1)).toMatchObject({ type: "skill", path: "/w/skills/demo/SKILL.md" });
    const progress = { type: "tool_progress", tool_use_id: "c", tool_name: "Bash", elapsed_time_seconds: 30 };
    expect(claude(progress)).toEqual([{ type: "unknown", raw: progress }]);
  });
  test("A6: a `cd` that may have failed moves no later path", () => {
    const lines = [use("c", "Bash", { command: "cd nope; true" }), result("c"), use("t", "Bash", { command: "cat a" }), result("t")];
    expect(claude(...lines).at(-1)).toMatchObject({ type: "read", path: "a" });
  });
  test("StructuredOutput emits no event", () => {
    expect(call("StructuredOutput", { a: 1 })).toEqual([]);
  });
  test.each(["mcp__x__y", "WebFetch", "TodoWrite", "constructor"])(
    "%s, like any other tool, is one unknown that holds the request",
    (name) => {
      expect(call(name, { a: 1 })).toEqual(request(name, { a: 1 }));
    },
  );
  test("a malformed tool use is unknown", () => {
    expect(call("Read", { nothing: true })).toEqual(request("Read", { nothing: true }));
    expect(claude(use("t", "Read", "text"))).toEqual(request("Read", "text"));
  });
});

describe("pairing", () => {
  test("is_error and interruption set the success field", () => {
    expect(call("Read", { file_path: "/a" }, { is_error: true })).toMatchObject([{ isSuccess: false }]);
    expect(call("Bash", { command: "make" }, {}, { interrupted: true })).toMatchObject([{ isSuccess: false }]);
    expect(call("Bash", { command: "make" }, { is_error: false }, "Error: text")).toMatchObject([{ isSuccess: true }]);
  });
  test("a background command neither succeeded nor failed", () => {
    const [event] = call("Bash", { command: "serve", run_in_background: true }, { is_error: false }, { backgroundTaskId: "b1" });
    expect(event).toEqual({ type: "command", command: "serve" });
  });
  test("an odd is_error means nothing; several results in one line share no detail", () => {
    expect(call("Read", { file_path: "/a" }, { is_error: "maybe" })).toEqual([{ type: "read", path: "/a" }]);
    const both = {
      type: "user",
      tool_use_result: { interrupted: true },
      message: {
        content: [
          { type: "tool_result", tool_use_id: "a" },
          { type: "tool_result", tool_use_id: "b" },
        ],
      },
    };
    expect(claude(use("a", "Bash", { command: "make a" }), use("b", "Bash", { command: "make b" }), both)).toMatchObject([
      { isSuccess: true },
      { isSuccess: true },
    ]);
  });
  test("the shell's directory changes with a successful command, but not with one in the background or of a subagent", () => {
    const cd = (id: string, more: object, parent?: string) => [
      { ...use(id, "Bash", { command: `cd ${id}`, ...more }), parent_tool_use_id: parent ?? null },
      { ...result(id), parent_tool_use_id: parent ?? null },
    ];
    const lines = [
      ...cd("kept", {}),
      ...cd("background", { run_in_background: true }),
      ...cd("sub", {}, "agent"),
      use("r", "Bash", { command: "cat f" }),
      result("r"),
    ];
    expect(claude(...lines).at(-1)).toMatchObject({ type: "read", path: "/w/kept/f" });
  });
  test("if several operations failed together, it is unknown which", () => {
    const failed = call("Bash", { command: "cat a b" }, { is_error: true, content: "Exit code 1\ncat: b" });
    expect(failed).toEqual([
      { type: "read", path: "/w/a" },
      { type: "read", path: "/w/b" },
    ]);
  });
  test("an ambiguous match is one unknown, whatever the calls", () => {
    const lines = [use("x", "Read", { file_path: "/a" }), use("x", "Bash", { command: "ls" }), result("x")];
    expect(claude(...lines)).toMatchObject([{ type: "unknown" }]);
  });
  test("a read without its request is recovered from the returned file; any other stray result is unknown, without contents", () => {
    const file = { filePath: "/w/f", content: "secret", startLine: 3, numLines: 4 };
    expect(claude(result("gone", {}, { type: "text", file }))).toEqual([
      { type: "read", path: "/w/f", startLine: 3, endLine: 6, isSuccess: true },
    ]);
    expect(claude(result("gone", { content: "secret" }))).toEqual([{ type: "unknown", raw: { type: "tool_result", tool_use_id: "gone" } }]);
  });
});

describe("orchestration, which the current CLI reports", () => {
  const start = (more: object) => ({
    type: "system",
    subtype: "task_started",
    task_id: "a1",
    tool_use_id: "t",
    task_type: "local_agent",
    subagent_type: "Explore",
    ...more,
  });
  const ends = (status: string) => [
    { type: "system", subtype: "task_updated", task_id: "a1", patch: { status } },
    { type: "system", subtype: "task_notification", task_id: "a1", tool_use_id: "t", status },
  ];
  const who = { subagentId: "a1", subagentName: "Explore" };

  test("a subagent starts once and ends once, and its call is not reported again", () => {
    expect(claude(use("t", "Agent", { prompt: "p" }), start({}), ...ends("completed"), result("t"))).toEqual([
      { type: "orchestration", action: "subagent_started", ...who },
      { type: "orchestration", action: "subagent_completed", ...who, isSuccess: true },
    ]);
    expect(claude(use("t", "Task", { prompt: "p" }), start({}), ...ends("failed"), result("t"))[1]).toEqual({
      type: "orchestration",
      action: "subagent_failed",
      ...who,
      isSuccess: false,
    });
  });
  test("a call whose subagent is not identified is unknown", () => {
    expect(call("Agent", { prompt: "p" }, { is_error: true })).toEqual(request("Agent", { prompt: "p" }));
  });
  test("a background command is not a subagent", () => {
    const events = claude(start({ task_type: "local_bash", subagent_type: undefined }), ...ends("completed"));
    expect(events.filter(({ type }: { type?: string }) => type === "orchestration")).toEqual([]);
  });
  test("the work of a subagent carries its id", () => {
    const lines = [
      use("t", "Agent", {}),
      start({}),
      { ...use("r", "Read", { file_path: "/a" }), parent_tool_use_id: "t" },
      { ...result("r"), parent_tool_use_id: "t" },
    ];
    expect(claude(...lines).at(-1)).toEqual({ type: "read", subagentId: "a1", path: "/a", isSuccess: true });
  });
});

describe("lines that the CLI declares but no recording has", () => {
  const read = (line: object) =>
    feed(agents.claude, log, [Buffer.from(`${JSON.stringify(line)}\n`)]).filter(({ type }) => !type.startsWith("run-"));

  test("they are notices, progress and warnings, and never unknown", () => {
    expect(read({ type: "tool_progress", tool_use_id: "t", tool_name: "Bash", elapsed_time_seconds: 3 })).toMatchObject([
      { type: "tool-progress", callId: "t", state: "3 s" },
    ]);
    expect(read({ type: "tool_use_summary", summary: "Read two files" })).toMatchObject([{ type: "notice", kind: "tool_use_summary" }]);
    expect(read({ type: "system", subtype: "session_state_changed", state: "idle" })).toMatchObject([
      { type: "notice", kind: "session_state_changed" },
    ]);
    expect(read({ type: "system", subtype: "permission_check_status", tool_use_id: "t" })).toMatchObject([{ type: "notice" }]);
    expect(read({ type: "command_lifecycle", command_uuid: "c" })).toMatchObject([{ type: "notice", kind: "command_lifecycle" }]);
    expect(read({ type: "system", subtype: "api_error", error: { message: "down", formatted: "API down" } })).toMatchObject([
      { type: "warning", message: "API down", code: "api_error" },
    ]);
    expect(read({ type: "system", subtype: "never_heard_of" })).toMatchObject([{ type: "unknown" }]);
  });

  test("their file contents and command output stay out of activity", () => {
    const lines = [
      { type: "system", subtype: "hook_progress", hook_name: "h", stdout: "CANARY", stderr: "CANARY", output: "CANARY" },
      { type: "system", subtype: "memory_recall", mode: "select", memories: [{ path: "/m", content: "CANARY" }] },
      { type: "system", subtype: "file_snapshot", content: "CANARY", snapshot_files: [{ key: "plan", content: "CANARY" }] },
      { type: "system", subtype: "local_command_output", content: "CANARY" },
      { type: "transcript_mirror", filePath: "/t.jsonl", entries: [{ text: "CANARY" }] },
      { type: "refusal_continuation", phase: "begin", salvage_text: "CANARY" },
    ];
    const events = activityOf("claude", lines);
    expect(events).toHaveLength(6);
    expect(JSON.stringify(events)).not.toContain("CANARY");
  });
});
