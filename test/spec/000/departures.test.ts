import { expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import type { ViewOptions } from "../../../src/pure/pipeline/view.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";

/** Rows of docs/reference/departures.md for specification 000 that no other test holds. */

interface Run {
  readonly stdout?: readonly unknown[];
  readonly stderr?: readonly string[];
  readonly exitCode?: number;
  readonly cwd?: string;
  readonly options?: ViewOptions;
}

function activityOf(agent: keyof typeof agents, { stdout = [], stderr = [], exitCode, cwd, options }: Run): readonly object[] {
  const run = pipeline(agents[agent], activity, { startedAt: 0, ...(cwd !== undefined && { cwd }) }, decode, options);
  const text = (lines: readonly unknown[]) =>
    Buffer.from(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  const out = [...run.bytes("stdout", text(stdout), 0), ...run.bytes("stderr", text(stderr), 0)];
  if (exitCode !== undefined) run.exit({ type: "exit", at: 0, exitCode, signal: null, durationMs: 1 });
  return [...out, ...run.end(0)].map(({ timestamp: _, sessionId: __, ...record }) => record);
}

const ran = (command: string) => ({
  type: "item.completed",
  item: { id: "i", type: "command_execution", command, exit_code: 0, aggregated_output: "secret", status: "completed" },
});

const codexRuns = (command: string, cwd?: string) => activityOf("codex", { stdout: [ran(command)], ...(cwd !== undefined && { cwd }) });

test("the whole command decides, not its first simple command", () => {
  expect(codexRuns("bash -lc 'ls && rm -rf x'")).toMatchObject([{ type: "command" }]);
  expect(codexRuns("bash -lc 'cat a b'", "/w")).toMatchObject([
    { type: "read", path: "/w/a" },
    { type: "read", path: "/w/b" },
  ]);
  expect(codexRuns("bash -lc 'cat *.md'")).toMatchObject([{ type: "command" }]);
});

test("a relative path is absolute if the run's directory is known, and as written if not", () => {
  expect(codexRuns("bash -lc 'cat a.txt'", "/w")).toMatchObject([{ type: "read", path: "/w/a.txt" }]);
  expect(codexRuns("bash -lc 'cat a.txt'")).toMatchObject([{ type: "read", path: "a.txt" }]);
});

test.each([
  ["bash -lc 'head -5 a'", { type: "read", path: "/w/a", startLine: 1, endLine: 5 }],
  ["bash -lc 'git grep x'", { type: "search", query: "x" }],
  ["bash -lc 'fd x'", { type: "search", query: "x" }],
  ["bash -lc 'tree src'", { type: "list", path: "/w/src" }],
  ["bash -lc 'echo hi > a'", { type: "write", path: "/w/a" }],
  ["sh -c 'cat a'", { type: "read", path: "/w/a" }],
  ["cat a", { type: "read", path: "/w/a" }],
])("more programs, shells and redirections are file operations: %s", (command, event) => {
  expect(codexRuns(command, "/w")).toMatchObject([event]);
});

test("an id that Codex uses again for a different item loses nothing", () => {
  const item = (fields: object) => ({ type: "item.completed", item: { id: "i", status: "completed", ...fields } });
  const written = item({ type: "file_change", changes: [{ path: "/a", kind: "add" }] });
  const stdout = [item({ type: "web_search", query: "q" }), written, ran("make"), ran("make")];
  expect(activityOf("codex", { stdout })).toMatchObject([{ type: "unknown" }, { type: "write" }, { type: "command", command: "make" }]);
});

test("reasoning has its own type of event, if it is asked for", () => {
  const stdout = [{ type: "item.completed", item: { id: "i", type: "reasoning", text: "hm" } }];
  expect(activityOf("codex", { stdout })).toEqual([]);
  expect(activityOf("codex", { stdout, options: { reasoning: true } })).toEqual([{ type: "reasoning", message: "hm" }]);
});

test("a failed run has an error even if its process exited with 0", () => {
  expect(activityOf("codex", { stdout: [ran("make")], exitCode: 0 })).toMatchObject([
    { type: "command" },
    { type: "error", code: "result-missing" },
  ]);
});

test("a stack trace on stderr is one warning without its frames", () => {
  expect(activityOf("claude", { stderr: ["Error: x", "    at a (f.js:1:2)", "    at b (f.js:3:4)"] })).toEqual([
    { type: "warning", message: "Error: x" },
  ]);
});

test("stderr is shown up to a limit, and then counted", () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `line ${i}`);
  const warnings = activityOf("claude", { stderr: lines });
  expect(warnings.length).toBeLessThan(5000);
  expect(warnings).toContainEqual({ type: "warning", message: expect.stringMatching(/^\d+ more lines on stderr/), code: "stderr-capped" });
  expect(warnings.at(-1)).toMatchObject({ message: "line 4999" });
});

test("a retry and a fallback that Claude Code reports are warnings", () => {
  const stdout = [
    { type: "system", subtype: "api_retry", attempt: 1 },
    { type: "system", subtype: "model_fallback" },
  ];
  expect(activityOf("claude", { stdout })).toMatchObject([{ type: "warning", code: "api_retry" }, { type: "warning" }]);
});

test("tools that the document does not list but today's CLIs have: Pi's find and ls, Goose's tree", () => {
  const pi = (toolName: string, args: object) => [
    { type: "tool_execution_start", toolCallId: toolName, toolName, args },
    { type: "tool_execution_end", toolCallId: toolName, toolName, result: { content: [] }, isError: false },
  ];
  const stdout = [...pi("find", { pattern: "*.ts" }), ...pi("ls", { path: "/d" })];
  expect(activityOf("pi", { stdout })).toMatchObject([
    { type: "search", query: "*.ts" },
    { type: "list", path: "/d" },
  ]);
  const said = (role: string, block: object) => ({
    type: "message",
    message: { id: "m", role, created: 1, content: [block], metadata: {} },
  });
  const asked = said("assistant", {
    type: "toolRequest",
    id: "t",
    toolCall: { status: "success", value: { name: "tree", arguments: { path: "/d" } } },
  });
  const got = said("user", { type: "toolResponse", id: "t", toolResult: { status: "success", value: { content: [] } } });
  expect(activityOf("goose", { stdout: [asked, got] })).toMatchObject([{ type: "list", path: "/d" }]);
});

test("Antigravity's stream is read, and its plain text as best effort", () => {
  const stdout = [{ event: "result", result: { status: "SUCCESS", response: "Hi.", duration_seconds: 1 } }];
  expect(activityOf("antigravity", { stdout })).toEqual([]);
  expect(activityOf("antigravity", { stdout: ["Warning: hm", "plain"] })).toEqual([
    { type: "warning", message: "Warning: hm" },
    { type: "unknown", raw: "plain" },
  ]);
});

test("text that broke off is shown", () => {
  const event = (event: object) => ({ type: "stream_event", event });
  const stdout = [
    event({ type: "message_start", message: { id: "m" } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half a sent" } }),
  ];
  expect(activityOf("claude", { stdout, exitCode: 137 })).toMatchObject([{ type: "agent", message: "Half a sent" }, { type: "error" }]);
});

test("a line that holds results is repeated without them", () => {
  const stdout = [{ type: "user", message: { content: [{ type: "tool_result", tool_use_id: "x", content: "secret" }] } }];
  expect(activityOf("claude", { stdout })).toEqual([{ type: "unknown", raw: { type: "tool_result", tool_use_id: "x" } }]);
});
