import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import type { JsonObject } from "../../../src/pure/base/json.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { EPOCH, type Fixture, feed, linesOf, loadFixtures, replay } from "../../support/fixtures.ts";
import { activityOf } from "./support.ts";

/** Specification 000, "OpenCode Event Mapping", row by row and sentence by sentence; then where the current CLI differs. */

const opencode = (...lines: unknown[]) => activityOf("opencode", lines);
const part = (type: string, fields: object) => ({ type, sessionID: "ses_1", part: { sessionID: "ses_1", messageID: "msg_1", ...fields } });
const used = (tool: string, state: object, more: object = {}) => part("tool_use", { type: "tool", tool, callID: "c", state, ...more });
const did = (tool: string, input: object, metadata: object = {}) =>
  opencode(used(tool, { status: "completed", input, output: "secret", metadata, title: "secret" }));
const failedAt = (tool: string, input: object, error = "secret") => opencode(used(tool, { status: "error", input, error }));
const start = (messageID: string) => part("step_start", { messageID });
const finish = (reason: string, messageID = "msg_1") =>
  part("step_finish", { messageID, reason, tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } }, cost: 0.5 });
const text = (words: string, more: object = {}) => part("text", { text: words, ...more });

const bytes = (lines: readonly unknown[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
const logOf = (...lines: unknown[]) => feed(agents.opencode, log, [bytes(lines)]);

/** The outcome of a run with these lines. */
function statusOf(lines: readonly unknown[], exitCode: number | null = 0, signal: string | null = null) {
  const fixture: Fixture = {
    name: "",
    folder: "",
    agent: agents.opencode,
    raw: bytes(lines),
    stderr: Buffer.alloc(0),
    exitCode,
    signal,
    provenance: "documented",
    lineTimesMs: [],
  };
  return replay(fixture, result)[0]?.status;
}

describe("lines", () => {
  test("the session id is at sessionID", () => {
    expect(feed(agents.opencode, activity, [bytes([text("hi")])])).toMatchObject([{ type: "agent", sessionId: "ses_1" }]);
  });
  test("text is an agent message; step boundaries and reasoning are consumed", () => {
    expect(opencode(start("msg_1"), part("reasoning", { text: "hm" }), text("hi"), finish("stop"))).toEqual([
      { type: "agent", message: "hi" },
    ]);
  });
  test("reasoning is shown if requested", () => {
    const lines = [bytes([part("reasoning", { text: "hm" }), text("hi")])];
    expect(feed(agents.opencode, activity, lines, { reasoning: true })).toMatchObject([
      { type: "reasoning", message: "hm" },
      { type: "agent" },
    ]);
  });
  test("error is error", () => {
    const error = { name: "APIError", data: { message: "it broke", statusCode: 500, responseBody: "secret" } };
    expect(opencode({ type: "error", sessionID: "ses_1", error })).toEqual([{ type: "error", message: "it broke", code: "APIError" }]);
  });
  test("a line of a different type, a line that is not JSON, and a call without a name are one unknown each", () => {
    const call = part("tool_use", { state: { status: "completed", input: { content: "secret" }, output: "secret" } });
    const events = opencode({ type: "novel" }, "plain", call);
    expect(events).toMatchObject([{ type: "unknown", raw: { type: "novel" } }, { type: "unknown", raw: "plain" }, { type: "unknown" }]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });
});

describe("tools", () => {
  test.each([
    ["read", { filePath: "/w/a" }, { type: "read", path: "/w/a" }],
    ["read", { filePath: "/w/a", offset: 3, limit: 2 }, { type: "read", path: "/w/a", startLine: 3, endLine: 4 }],
    ["write", { filePath: "/w/a", content: "secret" }, { type: "write", path: "/w/a" }],
    ["edit", { filePath: "/w/a", oldString: "secret", newString: "secret" }, { type: "write", path: "/w/a" }],
    ["grep", { pattern: "foo", path: "/w", include: "*.ts" }, { type: "search", query: "foo", path: "/w" }],
    ["glob", { pattern: "**/*.ts" }, { type: "search", query: "**/*.ts" }],
    ["skill", { name: "demo" }, { type: "skill", path: "skills/demo/SKILL.md", skillName: "demo" }],
    ["lsp", { operation: "workspaceSymbol", filePath: "/w/a", query: "add" }, { type: "search", query: "add" }],
    ["lsp", { operation: "references", symbol: "add" }, { type: "search", query: "add" }],
  ])("%s", (tool, input, expected) => {
    expect(did(tool, input)).toEqual([{ ...expected, isSuccess: true }]);
    expect(failedAt(tool, input)).toEqual([{ ...expected, isSuccess: false }]);
  });
  test("apply_patch is one write per file named by the patch markers", () => {
    const patchText =
      "*** Begin Patch\n*** Add File: a b.ts\n+x\n*** Update File: /w/c.ts\n*** Move to: d.ts\n@@\n*** Delete File: e.ts\n*** End Patch";
    expect(failedAt("apply_patch", { patchText })).toEqual(
      ["a b.ts", "/w/c.ts", "d.ts", "e.ts"].map((path) => ({ type: "write", path, isSuccess: false })),
    );
  });
  test.each([
    ["cat notes.txt", { type: "read", path: "notes.txt", isSuccess: true }],
    ["sed -n '10,20p' f", { type: "read", path: "f", startLine: 10, endLine: 20, isSuccess: true }],
    ["rg foo src", { type: "search", query: "foo", path: "src", isSuccess: true }],
    ["ls -la src", { type: "list", path: "src", isSuccess: true }],
    ["make", { type: "command", command: "make", exitCode: 0, isSuccess: true }],
  ])("bash: %s", (command, expected) => {
    expect(did("bash", { command }, { exit: 0, output: "secret" })).toEqual([expected]);
  });
  test.each([
    ["webfetch", { url: "http://x" }],
    ["websearch", { query: "x" }],
    ["todowrite", { todos: [] }],
    ["question", { questions: [] }],
    ["lsp", { operation: "hover", filePath: "/w/a", line: 1, character: 1 }],
    ["mcp_tool", { text: "x" }],
    ["read", {}],
    ["bash", {}],
  ])("%s %j is one unknown with the request", (tool, input) => {
    const events = did(tool, input);
    expect(events).toMatchObject([{ type: "unknown", raw: { type: "tool_use", part: { tool, state: { input } } } }]);
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).not.toContain("secret");
  });
  test("a status that is neither good nor bad leaves success unset", () => {
    expect(opencode(used("read", { status: "running", input: { filePath: "/w/a" } }))).toEqual([{ type: "read", path: "/w/a" }]);
  });
  test("fields are found where different versions keep them; a call needs no id", () => {
    expect(opencode({ type: "tool_use", tool: "read", status: "done", input: { file_path: "/w/a" } })).toEqual([
      { type: "read", path: "/w/a", isSuccess: true },
    ]);
  });
});

describe("success is not the status", () => {
  test("a command's exit code decides", () => {
    expect(did("bash", { command: "make" }, { exit: 3 })).toEqual([{ type: "command", command: "make", exitCode: 3, isSuccess: false }]);
  });
  test("a missing exit code is a timeout; a search without matches succeeded", () => {
    expect(did("bash", { command: "sleep 5" }, { exit: null })).toEqual([{ type: "command", command: "sleep 5", isSuccess: false }]);
    expect(did("bash", { command: "rg foo" }, { exit: 1 })).toMatchObject([{ type: "search", isSuccess: true }]);
    expect(did("bash", { command: "rg [" }, { exit: 2 })).toMatchObject([{ type: "search", isSuccess: false }]);
  });
  test("without one the status decides", () => {
    expect(did("bash", { command: "make" })).toEqual([{ type: "command", command: "make", isSuccess: true }]);
  });
  test("invalid is completed but has failed, and its arguments may hold file text", () => {
    const line = used("invalid", { status: "completed", input: { tool: "write", error: "secret" }, output: "secret" });
    expect(opencode(line)).toMatchObject([{ type: "unknown", raw: { part: { tool: "invalid", state: { input: { tool: "write" } } } } }]);
    expect(JSON.stringify(opencode(line))).not.toContain("secret");
    expect(logOf(line)).toContainEqual(expect.objectContaining({ type: "tool-end", success: false }));
  });
});

describe("details from the result", () => {
  test("workdir is the working directory, and the base of relative paths", () => {
    expect(did("bash", { command: "make", workdir: "/w/src" }, { exit: 0 })).toMatchObject([{ workingDirectory: "/w/src" }]);
    expect(did("bash", { command: "cat a", workdir: "/w/src" }, { exit: 0 })).toMatchObject([{ type: "read", path: "/w/src/a" }]);
  });
  test("reading a directory is a listing", () => {
    const display = { type: "directory", path: "/w/src", entries: ["secret"] };
    expect(did("read", { filePath: "src" }, { display })).toEqual([{ type: "list", path: "/w/src", isSuccess: true }]);
  });
  test("a range ends at the end of the file; a whole file has none", () => {
    const display = { type: "file", path: "/w/a", text: "secret", lineStart: 2, lineEnd: 3 };
    expect(did("read", { filePath: "a", offset: 2, limit: 100 }, { display })).toMatchObject([{ path: "/w/a", startLine: 2, endLine: 3 }]);
    expect(did("read", { filePath: "a" }, { display })).toEqual([{ type: "read", path: "/w/a", isSuccess: true }]);
  });
  test("write and edit report the absolute path", () => {
    expect(did("write", { filePath: "a" }, { filepath: "/w/a" })).toMatchObject([{ type: "write", path: "/w/a" }]);
    expect(did("edit", { filePath: "a" }, { filediff: { file: "/w/a", patch: "secret" } })).toMatchObject([
      { type: "write", path: "/w/a" },
    ]);
  });
  test("a patch lists its files, a moved file under both names", () => {
    const files = [
      { filePath: "/w/a", type: "add" },
      { filePath: "/w/b", movePath: "/w/c", type: "move", patch: "secret" },
    ];
    expect(did("apply_patch", { patchText: "*** Add File: a" }, { files })).toEqual(
      ["/w/a", "/w/b", "/w/c"].map((path) => ({ type: "write", path, isSuccess: true })),
    );
  });
  test("a skill's path is its directory", () => {
    expect(did("skill", { name: "demo" }, { name: "demo", dir: "/w/.opencode/skills/demo" })).toEqual([
      { type: "skill", path: "/w/.opencode/skills/demo/SKILL.md", skillName: "demo", isSuccess: true },
    ]);
  });
});

describe("orchestration, which the current CLI reports", () => {
  const input = { description: "Count", prompt: "x", subagent_type: "general" };
  test("a task that ended names its session, even if it failed", () => {
    expect(did("task", input, { sessionId: "ses_2" })).toEqual([
      { type: "orchestration", action: "subagent_completed", subagentId: "ses_2", subagentName: "general", isSuccess: true },
    ]);
    expect(failedAt("task", input, "Subagent failed (task_id: ses_2): secret")).toEqual([
      { type: "orchestration", action: "subagent_failed", subagentId: "ses_2", subagentName: "general", isSuccess: false },
    ]);
  });
  test("a task of an unknown type has no session: unknown", () => {
    expect(failedAt("task", input)).toMatchObject([{ type: "unknown", raw: { part: { tool: "task" } } }]);
  });
  test("a background task has only started", () => {
    expect(did("task", { ...input, background: true }, { sessionId: "ses_2", background: true })).toEqual([
      { type: "orchestration", action: "subagent_started", subagentId: "ses_2", subagentName: "general" },
    ]);
  });
  test("a background task that could not start has failed", () => {
    const state = { status: "error", input, error: "secret", metadata: { sessionId: "ses_2", background: true } };
    expect(opencode(used("task", state))).toMatchObject([{ action: "subagent_failed", subagentId: "ses_2" }]);
  });
  test("a part of another session is a subagent's work, and its end is not the run's", () => {
    const other = { sessionID: "ses_2" };
    expect(
      opencode(text("hi"), used("bash", { status: "completed", input: { command: "make" }, metadata: { exit: 0 } }, other)),
    ).toMatchObject([{ type: "agent" }, { type: "command", subagentId: "ses_2" }]);
    expect(statusOf([start("msg_1"), { ...finish("stop"), part: { ...finish("stop").part, ...other } }])).toBe("failed");
  });
});

describe("not agent messages", () => {
  test("synthetic text, which reports a compaction", () => {
    const synthetic = text("Continue", { synthetic: true, metadata: { compaction_continue: true } });
    expect(opencode(synthetic)).toEqual([]);
    expect(logOf(synthetic).map(({ type }) => type)).toContain("compaction");
  });
  test("a call printed again because its output was dropped from the context", () => {
    const state = { status: "completed", input: { filePath: "/w/a" }, output: "", time: { start: 1, end: 2, compacted: 3 } };
    expect(opencode(used("read", state))).toEqual([]);
  });
});

describe("retries and denials", () => {
  test("a step that starts again is a warning; the next step is not", () => {
    expect(opencode(start("msg_1"), start("msg_1"), finish("tool-calls"), start("msg_2"))).toMatchObject([
      { type: "warning", code: "step_retry" },
    ]);
  });
  test("an answer that hit the output limit is a warning", () => {
    expect(opencode(text("Trunc"), finish("length"))).toMatchObject([{ type: "agent" }, { type: "warning", code: "output_limit" }]);
  });
  test.each([
    ["The user rejected permission to use this specific tool call."],
    ["The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []"],
    ["Subagent failed (task_id: ses_2): The user rejected permission to use this specific tool call."],
  ])("%s", (error) => {
    const line = used("write", { status: "error", input: { filePath: "/w/a" }, error });
    expect(logOf(line)).toContainEqual(expect.objectContaining({ type: "permission-decision", decision: "deny", callId: "c" }));
  });
  test("a failed command that prints such text was not denied", () => {
    const state = { status: "completed", input: { command: "make" }, output: "The user rejected permission", metadata: { exit: 1 } };
    expect(logOf(used("bash", state)).map(({ type }) => type)).not.toContain("permission-decision");
  });
  test("on stderr colors are removed, and known lines have a code", () => {
    const notice = "\u001b[93m\u001b[1m! \u001b[0mpermission requested: edit (a.txt); auto-rejecting";
    expect(agents.opencode.text?.(notice, "stderr")).toEqual({
      type: "warning",
      message: "! permission requested: edit (a.txt); auto-rejecting",
      code: "permission_rejected",
    });
    expect(agents.opencode.text?.("timestamp=2026-11-15T02:32:03.163Z level=INFO run=a message=init", "stderr")).toMatchObject({
      code: "log",
    });
    expect(agents.opencode.text?.("timestamp=2026-11-15T02:32:03.163Z level=ERROR run=a message=x", "stderr")).toBeUndefined();
    expect(agents.opencode.text?.("\u001b[91m\u001b[1mError: \u001b[0mSession not found", "stderr")).toEqual({
      type: "warning",
      message: "Error: Session not found",
    });
    expect(agents.opencode.text?.(notice, "stdout")).toBeUndefined();
  });
});

describe("status", () => {
  const refused = used("write", {
    status: "error",
    input: { filePath: "/w/a" },
    error: "The user rejected permission to use this specific tool call.",
  });
  const wrote = used("write", { status: "completed", input: { filePath: "/w/a" } });
  const ruled = used("bash", { status: "error", input: { command: "make" }, error: "The user has specified a rule which prevents you" });
  const done = [start("msg_9"), text("done"), finish("stop", "msg_9")];
  const error = (name: string, data: object) => ({ type: "error", sessionID: "ses_1", error: { name, data: { message: "x", ...data } } });

  test.each([
    ["a last step that stops", done, "completed"],
    ["a last step that hit the output limit", [start("msg_1"), text("Trunc"), finish("length")], "completed"],
    ["an answer without text", [start("msg_1"), finish("stop")], "failed"],
    ["nothing at all", [], "failed"],
    ["a step that never finished", [start("msg_1"), text("hi")], "failed"],
    ["a step that called tools, and then nothing", [start("msg_1"), wrote, finish("tool-calls")], "failed"],
    ["an unknown reason, after which it asks again", [start("msg_1"), finish("unknown")], "failed"],
    ["a second turn that never finished", [...done, start("msg_2"), text("hi")], "failed"],
    ["a compaction, and then nothing", [...done, text("Continue", { synthetic: true, metadata: { compaction_continue: true } })], "failed"],
    ["a content filter", [start("msg_1"), finish("content-filter")], "failed"],
    ["a denial that ended the run", [start("msg_1"), refused, finish("tool-calls")], "blocked"],
    ["a denial next to a call that worked", [start("msg_1"), refused, wrote, finish("tool-calls")], "blocked"],
    ["a denial by a rule, and no way around it", [ruled, ...done], "blocked"],
    ["a denial by a rule, and another way", [ruled, wrote, ...done], "completed"],
    [
      "a cut call that is reported after the end",
      [...done, used("bash", { status: "error", input: {}, metadata: { interrupted: true } })],
      "completed",
    ],
    ["HTTP 401", [error("APIError", { statusCode: 401 })], "infrastructure"],
    ["HTTP 500", [error("APIError", { statusCode: 500 })], "infrastructure"],
    ["HTTP 400", [error("APIError", { statusCode: 400 })], "failed"],
    ["a lost connection", [error("APIError", { isRetryable: true })], "infrastructure"],
    ["missing credentials", [error("ProviderAuthError", {})], "infrastructure"],
    ["its own server's error", [error("UnknownError", { message: "Unexpected server error. Check server logs for details." })], "failed"],
    ["an abort", [error("MessageAbortedError", {})], "canceled"],
    ["a context that overflowed", [error("ContextOverflowError", {})], "failed"],
    ["an overflow with only its summary", [error("ContextOverflowError", {}), ...done], "failed"],
    [
      "an overflow, a summary, an answer",
      [error("ContextOverflowError", {}), ...done, start("msg_2"), finish("stop", "msg_2")],
      "completed",
    ],
  ] as const)("%s, exit 0: %s", (_, lines, status) => {
    expect(statusOf(lines)).toBe(status);
  });
  test("an exit code or a signal outweighs the last step", () => {
    expect(statusOf(done, 1)).toBe("failed");
    expect(statusOf(done, null, "SIGTERM")).toBe("canceled");
    expect(statusOf([start("msg_1")], null, "SIGTERM")).toBe("canceled");
  });
  test("a step that stops although it called a tool, or has background work, is not final", () => {
    const task = used(
      "task",
      { status: "completed", input: {}, metadata: { sessionId: "ses_2", background: true } },
      { messageID: "msg_0" },
    );
    expect(logOf(wrote, finish("stop")).filter(({ type }) => type === "result")).toEqual([]);
    expect(logOf(task, ...done)).toContainEqual(expect.objectContaining({ type: "result", outcome: "completed", pending: true }));
    expect(logOf(...done).filter((event) => event.type === "result" && event.pending)).toEqual([]);
  });
});

describe("usage", () => {
  test("the steps add up, class by class, with their cost", () => {
    const [summary] = feed(agents.opencode, result, [bytes([finish("tool-calls"), finish("stop")])]);
    expect(summary).toMatchObject({ usage: { input: 2, output: 4, reasoning: 6, cacheRead: 8, cacheWrite: 10 }, cost: 1 });
  });
  test("a class that is not reported is null, and zeros are not a measurement", () => {
    const some = part("step_finish", { reason: "stop", tokens: { input: 1, output: 2 } });
    const zeros = part("step_finish", {
      reason: "stop",
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      cost: 0,
    });
    expect(feed(agents.opencode, result, [bytes([some])])).toMatchObject([
      { usage: { input: 1, reasoning: null, cacheRead: null }, cost: null },
    ]);
    expect(feed(agents.opencode, result, [bytes([zeros])])).toMatchObject([{ usage: { input: null, output: null }, cost: null }]);
  });
});

describe("invocation", () => {
  const command = (task: object) => agents.opencode.command({ prompt: "--help", ...task });
  test("the prompt goes to stdin, the directory to --dir", () => {
    const { args, stdin } = command({ model: "a/b", cwd: "/w", extraArgs: ["--title", "x"] });
    expect(args).toEqual(["run", "--format", "json", "--thinking", "--model", "a/b", "--dir", "/w", "--title", "x"]);
    expect(stdin).toBe("--help");
  });
  test("permissions", () => {
    expect(command({ permissions: "full" }).args).toContain("--auto");
    expect(command({ permissions: "default" }).args).not.toContain("--auto");
    const { args, env } = command({ permissions: "read-only" });
    expect(args).not.toContain("--auto");
    expect(Object.keys(JSON.parse(env?.["OPENCODE_PERMISSION"] ?? ""))).toEqual(["?*", "rea?", "glo?", "gre?", "lis?"]);
  });
  test("unsupported options are listed", () => {
    expect(command({ maxTurns: 3, systemPrompt: "x", model: "a/b" }).ignored).toEqual(["maxTurns", "systemPrompt"]);
  });
});

/** Tools whose arguments hold file text, even if they could not be parsed. */
const WRITERS = new Set(["write", "edit", "apply_patch", "invalid"]);

/** Tool results, or text for a file. Paths and ids are not contents. */
function poisoned(line: JsonObject): JsonObject {
  const copy = structuredClone(line) as { part?: { tool?: string; state?: Record<string, unknown> } };
  const state = copy.part?.state;
  if (state === undefined) return line;
  for (const key of ["output", "title", "raw"]) state[key] = "CANARY";
  if (typeof state["error"] === "string") state["error"] += " CANARY";
  const metadata = (state["metadata"] ?? {}) as Record<string, unknown>;
  state["metadata"] = { ...metadata, output: "CANARY", preview: "CANARY", diff: "CANARY", todos: ["CANARY"] };
  const input = state["input"] as Record<string, unknown>;
  const payload = WRITERS.has(copy.part?.tool ?? "") ? ["content", "oldString", "newString", "value", "error"] : [];
  for (const key of payload) if (key in input) input[key] += " CANARY";
  if ("patchText" in input) input["patchText"] = String(input["patchText"]).replace(/^([+-])/gm, "$1CANARY ");
  return copy as JsonObject;
}

const fixtures = loadFixtures().filter(({ agent, raw }) => (agent.id === "opencode" || agent.id === "kilo") && raw.includes("tool_use"));

test.each(fixtures)("no contents: $name", (fixture) => {
  const lines = linesOf(fixture.raw).map((line) => `${JSON.stringify(poisoned(JSON.parse(line.toString())))}\n`);
  const all = { ...fixture, raw: Buffer.from(lines.join("")) };
  expect(JSON.stringify(replay(all, activity, { run: { startedAt: EPOCH } }))).not.toContain("CANARY");
  expect(JSON.stringify(replay(all, log))).toContain("CANARY");
});
