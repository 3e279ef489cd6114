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

/** Specification 000, "Goose Event Mapping", row by row and sentence by sentence, and the differences of Goose 1.52.0. */

const goose = (...lines: unknown[]) => activityOf("goose", lines);
const metadata = { userVisible: true, agentVisible: true };
const inference = { provider: "openai", requestedModel: "m" };
const OWN = "msg_2b8e3eba-5b96-461b-bd76-e9199dba6a50";

const said = (id: string | null, ...content: object[]) => ({
  type: "message",
  message: { id, role: "assistant", created: 1, content, metadata: { ...metadata, inference } },
});
/** Goose's own text, in the assistant's place. */
const own = (...content: object[]) => ({
  type: "message",
  message: { id: OWN, role: "assistant", created: 1, content, metadata },
});
const user = (...content: object[]) => ({ type: "message", message: { id: OWN, role: "user", created: 1, content, metadata } });
const text = (value: string) => ({ type: "text", text: value });
const request = (id: string, name: string, args: object, meta = {}) => ({
  type: "toolRequest",
  id,
  toolCall: { status: "success", value: { name, arguments: args } },
  _meta: meta,
});
const response = (id: string, value: object = {}) => ({
  type: "toolResponse",
  id,
  toolResult: { status: "success", value: { content: [text("SECRET")], isError: false, ...value } },
});
const called = (name: string, args: object, value: object = {}, meta = {}) =>
  goose(said("a", request("c", name, args, meta)), user(response("c", value)));
const ran = (command: string, exit_code: number) =>
  called("shell", { command }, { isError: exit_code !== 0, structuredContent: { stdout: "SECRET", stderr: "", exit_code } });
const complete = { type: "complete", total_tokens: 30, input_tokens: 20, output_tokens: 10 };

function resultOf(lines: readonly unknown[], exitCode = 0) {
  const input = lines.map((line) => (typeof line === "string" ? `${line}\n` : `${JSON.stringify(line)}\n`)).join("");
  const line = pipeline(agents.goose, result, { startedAt: EPOCH }, decode);
  line.bytes("stdout", Buffer.from(input), EPOCH);
  line.exit({ type: "exit", at: EPOCH, exitCode, signal: null, durationMs: 0 });
  return line.end(EPOCH)[0];
}

describe("the session", () => {
  test("is the name that Goose is launched with", () => {
    const line = pipeline(agents.goose, activity, { startedAt: EPOCH, sessionName: "run-1" }, decode);
    const input = [said("a", text("hi")), complete].map((each) => `${JSON.stringify(each)}\n`).join("");
    expect([...line.bytes("stdout", Buffer.from(input), EPOCH), ...line.end(EPOCH)]).toMatchObject([
      { type: "agent", message: "hi", sessionId: "run-1" },
    ]);
  });
  test("is in the banner if it was not named", () => {
    const lines = ["    __( O)>  ● new session · openai m", "   \\____)    20261115_24 · /workspace", "     L L     goose is ready"];
    const records = feed(agents.goose, log, [Buffer.from(`\n${lines.join("\n")}\n${JSON.stringify(complete)}\n`)]);
    expect(records.filter(({ type }) => type === "unknown")).toEqual([]);
    expect(records).toContainEqual(expect.objectContaining({ type: "session", sessionId: "20261115_24", cwd: "/workspace" }));
  });
});

describe("messages", () => {
  test("records that share an id are one agent message, reported when other activity follows or the run completes", () => {
    expect(
      goose(
        said("a", text("One ")),
        said("a", text("message.")),
        said("a", request("c", "shell", { command: "make" })),
        said("b", text("More.")),
        complete,
      ),
    ).toEqual([
      { type: "agent", message: "One message." },
      { type: "agent", message: "More." },
      { type: "command", command: "make" },
    ]);
  });
  test("a different id is a different message", () => {
    expect(goose(said("a", text("one")), said("b", text("two")), complete)).toMatchObject([{ message: "one" }, { message: "two" }]);
  });
  test("a piece that repeats earlier text is text like any other: ha ha", () => {
    expect(goose(said("a", text("ha ")), said("a", text("ha ")), said("a", text("ha ha ")), complete)).toEqual([
      { type: "agent", message: "ha ha ha ha " },
    ]);
  });
  test("user text and thinking are not activity", () => {
    expect(
      goose(user(text("the prompt")), said("a", { type: "thinking", thinking: "hm" }), said("a", { type: "redactedThinking", data: "x" })),
    ).toEqual([]);
  });
  test("thinking is joined and comes before the message, if requested", () => {
    const lines = [said("a", { type: "thinking", thinking: "h" }), said("a", { type: "thinking", thinking: "m" }), said("a", text("hi"))];
    const input = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(feed(agents.goose, activity, [input], { reasoning: true })).toMatchObject([
      { type: "reasoning", message: "hm" },
      { type: "agent", message: "hi" },
    ]);
  });
});

describe("tools", () => {
  const path = "/w/a.ts";
  test.each([
    ["text_editor", { command: "view", path }, { type: "read", path, isSuccess: true }],
    ["text_editor", { command: "view", path, view_range: [2, 5] }, { type: "read", path, startLine: 2, endLine: 5, isSuccess: true }],
    ["text_editor", { command: "view", path, view_range: [2, -1] }, { type: "read", path, startLine: 2, isSuccess: true }],
    ["text_editor", { command: "write", path, file_text: "SECRET" }, { type: "write", path, isSuccess: true }],
    ["text_editor", { command: "str_replace", path, new_str: "SECRET" }, { type: "write", path, isSuccess: true }],
    ["text_editor", { command: "insert", path, new_str: "SECRET" }, { type: "write", path, isSuccess: true }],
    ["read", { path, offset: 3, limit: 2 }, { type: "read", path, startLine: 3, endLine: 4, isSuccess: true }],
    ["read_image", { source: path }, { type: "read", path, isSuccess: true }],
    ["write", { path, content: "SECRET" }, { type: "write", path, isSuccess: true }],
    ["edit", { path, before: "SECRET", after: "SECRET" }, { type: "write", path, isSuccess: true }],
    ["grep", { pattern: "x", path: "/w" }, { type: "search", query: "x", path: "/w", isSuccess: true }],
    ["glob", { pattern: "*.ts" }, { type: "search", query: "*.ts", isSuccess: true }],
    ["list", { path: "/w" }, { type: "list", path: "/w", isSuccess: true }],
    ["tree", { path: "/w", depth: 2 }, { type: "list", path: "/w", isSuccess: true }],
    ["load_skill", { name: "demo" }, { type: "skill", path: "skills/demo/SKILL.md", skillName: "demo", isSuccess: true }],
    ["skill", { name: "demo" }, { type: "skill", path: "skills/demo/SKILL.md", skillName: "demo", isSuccess: true }],
  ])("%s %o", (name, args, expected) => {
    for (const prefix of ["", "developer__"]) expect(called(`${prefix}${name}`, args)).toEqual([expected]);
  });
  test("A7: an unknown command of text_editor may do anything", () => {
    expect(called("text_editor", { command: "zzz", path })).toMatchObject([{ type: "unknown" }]);
  });
  test.each(["todo__todo_write", "todo__todo_read", "todo__write", "todo__read", "todo_write"])("%s is consumed", (name) => {
    expect(called(name, { path, content: "- [ ] first" })).toEqual([]);
  });
  test.each(["analyze", "load", "extensionmanager__manage_extensions", "github__search_issues", "hologram"])(
    "%s, like any other tool, is one unknown with its request",
    (name) => {
      expect(called(name, { path })).toEqual([{ type: "unknown", raw: request("c", name, { path }) }]);
    },
  );
  test("a file tool without a file is unknown, without file text", () => {
    const events = called("write", { content: "SECRET" });
    expect(events).toMatchObject([{ type: "unknown", raw: { toolCall: { value: { name: "write" } } } }]);
    expect(JSON.stringify(events)).not.toContain("SECRET");
  });
  test("a skill's directory is in its result", () => {
    const content = [text("# Loaded Skill: demo (skill)\n\n## Supporting Files\n\nSkill directory: /w/.agents/skills/demo\n\n- x.md")];
    expect(called("load_skill", { name: "demo" }, { content })).toMatchObject([{ path: "/w/.agents/skills/demo/SKILL.md" }]);
  });
  test("a response without its request is one unknown, without contents", () => {
    expect(goose(user(response("missing")))).toEqual([{ type: "unknown", raw: { type: "toolResponse", id: "missing" } }]);
  });
});

describe("success is not `status`", () => {
  test("it is isError: a failed edit has status success", () => {
    expect(called("edit", { path: "/a" }, { isError: true })).toEqual([{ type: "write", path: "/a", isSuccess: false }]);
  });
  test("status error is a failure too", () => {
    const failed = { type: "toolResponse", id: "c", toolResult: { status: "error", error: "SECRET" } };
    expect(goose(said("a", request("c", "shell", { command: "make" })), user(failed))).toEqual([
      { type: "command", command: "make", isSuccess: false },
    ]);
  });
  test("a command has its exit code; one that timed out has none", () => {
    expect(ran("make", 3)).toEqual([{ type: "command", command: "make", exitCode: 3, isSuccess: false }]);
    expect(called("shell", { command: "make" }, { isError: true, structuredContent: { stdout: "", timed_out: true } })).toEqual([
      { type: "command", command: "make", isSuccess: false },
    ]);
  });
  test.each([
    ["sed -n '10,20p' f", 0, { type: "read", path: "f", startLine: 10, endLine: 20, isSuccess: true }],
    ["rg foo src", 1, { type: "search", query: "foo", path: "src", isSuccess: true }],
    ["rg foo src", 2, { type: "search", query: "foo", path: "src", isSuccess: false }],
    ["ls -la src", 0, { type: "list", path: "src", isSuccess: true }],
    ["ls && rm -rf x", 0, { type: "command", command: "ls && rm -rf x", exitCode: 0, isSuccess: true }],
  ])("%s (exit %i)", (command, exitCode, expected) => {
    expect(ran(command, exitCode)).toEqual([expected]);
  });
  test("a call that could not be dispatched has neither name nor arguments: unknown, without the text its error quotes", () => {
    const error = '-32602: The response was truncated.\nReceived 51 characters; cut off at: {"content":"SECRET';
    const broken = { type: "toolRequest", id: "c", toolCall: { status: "error", error } };
    const events = goose(said("a", broken), user({ type: "toolResponse", id: "c", toolResult: { status: "error", error } }));
    expect(events).toEqual([
      { type: "unknown", raw: { ...broken, toolCall: { status: "error", error: "-32602: The response was truncated." } } },
    ]);
  });
});

describe("orchestration", () => {
  const delegate = (args: object, value: object) => called("delegate", args, value);
  const of = (id: string, more = {}) => ({ _meta: { subagent_session_id: id, ...more } });
  const FAILURE = "Ran into this error: Bad request (400): no.\n\nPlease retry if you think this is a transient or recoverable error.";

  test("delegate starts and ends a subagent", () => {
    expect(delegate({ instructions: "Count.", source: "counter" }, of("s"))).toEqual([
      { type: "orchestration", action: "subagent_started", subagentId: "s", subagentName: "counter" },
      { type: "orchestration", action: "subagent_completed", subagentId: "s", subagentName: "counter", isSuccess: true },
    ]);
  });
  test("a subagent whose model failed returns as a success, but has failed", () => {
    expect(delegate({ instructions: "Count." }, { ...of("s"), content: [text(FAILURE)] })).toMatchObject([
      { action: "subagent_started" },
      { action: "subagent_failed", isSuccess: false },
    ]);
  });
  test("a background subagent has only started; load reports its end", () => {
    expect(delegate({ instructions: "Count.", async: true }, of("s"))).toMatchObject([{ action: "subagent_started" }]);
    const end = user(response("d", of("s", { task_status: "completed" })));
    expect(
      goose(
        said("a", request("c", "delegate", { async: true })),
        user(response("c", of("s"))),
        said("b", request("d", "load", { source: "s" })),
        { type: "notification", extension_id: "d", log: { message: "[subagent:s] shell" } },
        end,
      ),
    ).toMatchObject([
      { action: "subagent_started" },
      { type: "unknown", subagentId: "s" },
      { action: "subagent_completed", subagentId: "s", isSuccess: true },
    ]);
  });
  test("a delegate that starts no subagent is unknown", () => {
    expect(delegate({ source: "nope" }, { isError: true })).toMatchObject([{ type: "unknown" }]);
  });
});

describe("notifications and errors", () => {
  test("a notification is unknown; its prose is not parsed", () => {
    const line = { type: "notification", extension_id: "x", log: { message: "[subagent:65] shell" } };
    expect(goose(line)).toEqual([{ type: "unknown", raw: line }]);
  });
  test("output of a running tool is not repeated", () => {
    const line = { type: "notification", extension_id: "c", log: { message: "SECRET" } };
    expect(JSON.stringify(goose(said("a", request("c", "shell", { command: "make" })), line))).not.toContain("SECRET");
  });
  test("an error line is one error, although its block said the same", () => {
    const block = { type: "error", kind: "authentication", message: "Status: 401 Unauthorized" };
    const line = { type: "error", error: "Status: 401 Unauthorized" };
    expect(goose(own(block), line)).toEqual([{ type: "error", message: "Status: 401 Unauthorized", code: "authentication" }]);
    expect(resultOf([own(block), line], 1)).toMatchObject({ status: "infrastructure", reason: "authentication" });
    expect(goose({ type: "error", error: "it broke" })).toEqual([{ type: "error", message: "it broke" }]);
  });
  test("complete is consumed; any other line is unknown", () => {
    expect(goose(complete, { type: "novel" }, "plain")).toEqual([
      { type: "unknown", raw: { type: "novel" } },
      { type: "unknown", raw: "plain" },
    ]);
  });
});

describe("complete and exit code 0 claim nothing", () => {
  test.each([
    ["Ran into this error: Server error (500 Internal Server Error) at http://x: no.\n\nPlease retry.", "infrastructure", "api_error"],
    ["Ran into this error: Rate limit exceeded: no.\n\nPlease retry.", "infrastructure", "api_error"],
    ["Ran into this error: Request failed: Bad request (400): no.\n\nPlease retry.", "failed", "api_error"],
    ["Network error: Stream decode error\n\nPlease resend your message to try again.", "infrastructure", "api_error"],
    ["I've reached the maximum number of actions I can do without user input. Would you like me to continue?", "failed", "max_turns"],
    ["The model returned an empty response. Please resend your message to continue.", "failed", "empty_response"],
  ])("%s", (message, status, reason) => {
    expect(resultOf([said("a", text("Half")), own(text(message)), complete])).toMatchObject({ status, reason });
    expect(goose(own(text(message)), complete)).toEqual([{ type: "error", message }]);
  });
  test("the same text from the model is an answer", () => {
    expect(resultOf([said(OWN, text("Network error: none was found.")), complete])).toMatchObject({ status: "completed" });
  });
  test("any other text from Goose is an answer too", () => {
    expect(goose(own(text("No prompts available.")), complete)).toEqual([{ type: "agent", message: "No prompts available." }]);
  });
  test("a failure after which the model continues did not end the run", () => {
    expect(resultOf([own(text("Network error: x")), said("a", text("There.")), complete])).toMatchObject({ status: "completed" });
  });
  test("notifications report context overflow and missing credit", () => {
    const notify = (notificationType: string, msg: string) => own({ type: "systemNotification", notificationType, msg });
    const tooLong = notify("inlineMessage", "Unable to continue: Context limit still exceeded after compaction. Try a shorter message.");
    expect(resultOf([tooLong, complete])).toMatchObject({ status: "failed", reason: "context_limit" });
    expect(resultOf([notify("creditsExhausted", "x"), complete])).toMatchObject({ status: "infrastructure", reason: "credits_exhausted" });
    expect(resultOf([notify("inlineMessage", "Compaction complete"), said("a", text("hi")), complete])).toMatchObject({
      status: "completed",
    });
  });
  test("a denied call blocks the run, even if its result says success", () => {
    const refused = { content: [text("Let the user know the tool call was skipped in goose chat mode. DO NOT apologize.")] };
    const lines = [said("a", request("c", "shell", { command: "make" })), user(response("c", refused)), said("b", text("ok")), complete];
    expect(resultOf(lines)).toMatchObject({ status: "blocked", reason: "permission-refused" });
    expect(goose(...lines)).toMatchObject([{ type: "command", isSuccess: false }, { type: "agent" }]);
  });
  test("output that ends before complete is never completed", () => {
    expect(resultOf([said("a", text("hi"))])).toMatchObject({ status: "failed", reason: "result-missing" });
  });
  test("an interrupt is a cancellation", () => {
    expect(resultOf([{ type: "error", error: "Headless run interrupted" }], 1)).toMatchObject({ status: "canceled" });
    expect(resultOf(['Yes — what would you like me to do?{"type":"error","error":"Headless run interrupted"}'], 1)).toMatchObject({
      status: "canceled",
      reason: "interrupted",
      unknown: 0,
    });
  });
  test("a mode that asks without a user is reported only on stderr: blocked", () => {
    const fixture = loadFixtures().find(({ name }) => name === "goose/approval-required");
    expect(fixture && replay(fixture, result)).toMatchObject([{ status: "blocked", exitCode: 1 }]);
  });
});

describe("usage", () => {
  test("classes are disjoint, and a class that is not reported is null", () => {
    const reported = { ...complete, cache_read_input_tokens: 5, cache_write_input_tokens: 3, cost_usd: 0.5 };
    expect(resultOf([reported])).toMatchObject({
      usage: { input: 12, cacheRead: 5, cacheWrite: 3, output: 10, reasoning: null },
      cost: 0.5,
    });
    expect(resultOf([complete])).toMatchObject({ usage: { input: 20, cacheRead: null, cacheWrite: null, output: 10 } });
  });
  test("the zeros of a failed run are not a measurement", () => {
    const zeros = { type: "complete", total_tokens: 0, input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 };
    expect(resultOf([own(text("Network error: x")), zeros])).toMatchObject({ usage: { input: null, output: null } });
  });
});

describe("the single document", () => {
  const document = (status: string, ...lines: { message?: object }[]) => ({
    messages: lines.map(({ message }) => message),
    metadata: { input_tokens: 20, output_tokens: 10, status },
  });
  test("is read message by message on one line", () => {
    const lines = [user(text("the prompt")), said("a", text("hi"), request("c", "shell", { command: "make" })), user(response("c"))];
    expect(goose(document("completed", ...lines))).toEqual([
      { type: "agent", message: "hi" },
      { type: "command", command: "make", isSuccess: true },
    ]);
    expect(resultOf([document("completed", ...lines)])).toMatchObject({ status: "completed", usage: { input: 20, output: 10 } });
  });
  test("is read line by line as Goose prints it, with any text between the lines", () => {
    const lines = [
      user(text("the prompt")),
      said("a", text("hi\n{"), request("c", "shell", { command: "make" }), request("d", "load", {})),
      user(response("c", { content: [{}], list: [[], {}, 1, null, "x", [{}]] }), response("d")),
    ];
    const printed = JSON.stringify(document("completed", ...lines), null, 2).split("\n");
    const expected = goose(document("completed", ...lines));
    expect(goose(...printed)).toEqual(expected);
    expect(resultOf(printed)).toMatchObject({ status: "completed", unknown: 0 });
    for (let at = 0; at <= printed.length; at++) {
      const noisy = [...printed.slice(0, at), "a foreign line", ...printed.slice(at)];
      expect(
        goose(...noisy).filter((event) => JSON.stringify(event) !== JSON.stringify({ type: "unknown", raw: "a foreign line" })),
      ).toEqual(expected);
      const cut = goose(...printed.slice(0, at));
      expect(JSON.stringify(cut)).not.toContain("SECRET");
    }
  });
  test("an incomplete document is one unknown", () => {
    const printed = JSON.stringify(document("completed", said("a", text("hi")), said("b", text("more"))), null, 2).split("\n");
    const half = printed.slice(0, printed.indexOf('      "id": "b",') + 1);
    expect(goose(...half)).toMatchObject([
      { type: "agent", message: "hi" },
      { type: "unknown", truncated: true },
    ]);
    expect(goose("{")).toEqual([{ type: "unknown", raw: "{" }]);
    expect(resultOf(half)).toMatchObject({ status: "failed", reason: "result-missing" });
  });
  test("may begin after the answer to an interrupt", () => {
    const printed = JSON.stringify(document("error", said("a", text("hi"))), null, 2).split("\n");
    expect(goose(`Yes — what would you like me to do?${printed[0]}`, ...printed.slice(1))).toMatchObject([
      { type: "unknown", raw: "Yes — what would you like me to do?" },
      { type: "agent", message: "hi" },
      { type: "error", code: "error" },
    ]);
  });
  test("its status is as unreliable as `complete`, but error is an error", () => {
    expect(resultOf([document("completed", own(text("Network error: x")))])).toMatchObject({ status: "infrastructure" });
    expect(resultOf([document("error")], 1)).toMatchObject({ status: "failed" });
  });
});

describe("invocation", () => {
  const command = (task: Partial<Task>) => agents.goose.command({ prompt: "-p", ...task });
  test("the prompt goes to stdin; -q hides the banner; the session is named", () => {
    const { args, stdin, ignored } = command({ sessionName: "run-1", model: "m", maxTurns: 3, appendSystemPrompt: "s" });
    expect(args.join(" ")).toBe("run --output-format stream-json -q --name run-1 --model m --max-turns 3 --system s -i -");
    expect({ stdin, ignored }).toEqual({ stdin: "-p", ignored: [] });
  });
  test("permissions", () => {
    expect(command({})).not.toHaveProperty("env");
    expect(command({ permissions: "default" })).not.toHaveProperty("env");
    expect(command({ permissions: "full" })).toMatchObject({ env: { GOOSE_MODE: "auto" } });
    expect(command({ permissions: "read-only" }).args).toContain("--no-profile");
  });
  test("unsupported options are listed", () => {
    expect(command({ maxBudgetUsd: 1, systemPrompt: "s" }).ignored).toEqual(["maxBudgetUsd", "systemPrompt"]);
  });
});

describe("contents", () => {
  const CANARY = "c4n4ry-7f3a";
  let reached = 0;
  const payload = new Set(["content", "before", "after", "file_text", "old_str", "new_str"]);

  /** A canary wherever a recording holds tool results or written text. */
  function poison(value: unknown, key = "", inside = false): unknown {
    if (typeof value === "string")
      return inside && !["type", "status", "task_status", "subagent_session_id"].includes(key) ? `${value} ${CANARY}` : value;
    if (Array.isArray(value)) return value.map((item) => poison(item, key, inside));
    if (typeof value !== "object" || value === null) return value;
    const isFile = /^(developer__)?(write|edit|text_editor)$/.test(String((value as { name?: unknown }).name));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (name === "toolResult") return [name, poison(item, name, true)];
        if (name !== "arguments" || !isFile) return [name, poison(item, name, inside)];
        return [name, Object.fromEntries(Object.entries(item).map(([field, each]) => [field, poison(each, field, payload.has(field))]))];
      }),
    );
  }

  test.each(loadFixtures().filter(({ agent }) => agent.id === "goose"))("of $name never reach activity", (fixture) => {
    const lines = linesOf(fixture.raw).map((line) => {
      const printed = line.toString();
      return printed.startsWith('{"') ? `${JSON.stringify(poison(JSON.parse(printed)))}\n` : printed;
    });
    const poisoned = { ...fixture, raw: Buffer.from(lines.join("")) };
    const records = JSON.stringify(replay(poisoned, activity, { reasoning: true }));
    expect(records).not.toContain(CANARY);
    expect(records).not.toContain("CANARY");
    if (JSON.stringify(replay(poisoned, log)).includes(CANARY)) reached++;
  });
  test("the canaries were in the input", () => {
    expect(reached).toBeGreaterThan(15);
  });
});
