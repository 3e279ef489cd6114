import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import type { Stop } from "../../../src/pure/events/record.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { result } from "../../../src/pure/views/result/view.ts";
import { EPOCH } from "../../support/fixtures.ts";

/** Case 33 and docs/explanation/status.md: the agent's claim, how its process ended, and the resulting status. */

const good = { type: "result", subtype: "success", is_error: false, terminal_reason: "completed", result: "done" };
const turns = { type: "result", subtype: "error_max_turns", is_error: true, terminal_reason: "max_turns", errors: ["too many"] };
const down = {
  type: "result",
  subtype: "success",
  is_error: true,
  terminal_reason: "api_error",
  api_error_status: 500,
  result: "API Error: 500",
};
const refused = {
  type: "result",
  subtype: "success",
  is_error: true,
  terminal_reason: "api_error",
  api_error_status: 400,
  result: "API Error: 400",
};
const stopped = { type: "result", subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" };
const old = (text: string) => ({ type: "result", subtype: "success", is_error: true, result: text });
const use = (id: string, name: string, input: object) => ({
  type: "assistant",
  message: { id, content: [{ type: "tool_use", id, name, input }] },
});
const done = (id: string, is_error: boolean) => ({
  type: "user",
  message: { content: [{ type: "tool_result", tool_use_id: id, is_error, content: "" }] },
});
const denied = { type: "system", subtype: "permission_denied", tool_name: "Bash", tool_use_id: "d" };
const failed = { type: "turn.failed", error: { message: "unexpected status 401 Unauthorized" } };

const answer = { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "done" } };
const chunk = {
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "done" } } },
};

const background = { type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "b" }] };
const idle = { type: "system", subtype: "background_tasks_changed", tasks: [] };

type Row = [
  agent: keyof typeof agents,
  lines: object[],
  exit: { exitCode?: number; signal?: string; stopped?: Stop } | undefined,
  status: string | null,
  reason: string,
];

const rows: Row[] = [
  ["claude", [good], { signal: "SIGKILL", stopped: "out-of-memory" }, "crashed", "out-of-memory"],
  ["claude", [], { signal: "SIGKILL", stopped: "over-limit" }, "crashed", "over-limit"],
  ["claude", [good], { exitCode: 0 }, "completed", "completed"],
  ["claude", [good], undefined, "completed", "completed"],
  ["claude", [good], { exitCode: 1 }, "failed", "exit-code"],
  ["claude", [good], { signal: "SIGKILL" }, "crashed", "SIGKILL"],
  ["claude", [good], { signal: "SIGTERM" }, "canceled", "SIGTERM"],
  ["claude", [good, turns], { exitCode: 0 }, "failed", "max_turns"],
  ["claude", [turns, good], { exitCode: 0 }, "completed", "completed"],
  ["claude", [turns], { exitCode: 1 }, "failed", "max_turns"],
  ["claude", [down], { exitCode: 1 }, "infrastructure", "api_error"],
  ["claude", [down], undefined, "infrastructure", "api_error"],
  ["claude", [refused], { exitCode: 1 }, "failed", "api_error"],
  ["claude", [stopped], { exitCode: 0 }, "canceled", "aborted_tools"],
  // Another turn has begun, and its outcome is unknown.
  ["claude", [good, { type: "system", subtype: "init" }], { exitCode: 0 }, "failed", "turn-unfinished"],
  ["claude", [good, use("x", "Bash", { command: "x" })], undefined, "failed", "turn-unfinished"],
  ["claude", [good, { type: "system", subtype: "init" }, good], { exitCode: 0 }, "completed", "completed"],
  // The CLI does not call this an error, but the work is not finished.
  ["claude", [{ ...good, terminal_reason: "aborted_streaming" }], { exitCode: 0 }, "canceled", "aborted_streaming"],
  ["claude", [{ ...good, terminal_reason: "tool_deferred", result: "" }], { exitCode: 0 }, "blocked", "tool_deferred"],
  ["claude", [{ ...good, terminal_reason: "hook_stopped" }], { exitCode: 0 }, "blocked", "hook_stopped"],
  ["claude", [{ ...good, terminal_reason: "max_turns" }], { exitCode: 0 }, "failed", "max_turns"],
  ["claude", [{ ...good, stop_reason: "refusal" }], { exitCode: 0 }, "failed", "refusal"],
  ["claude", [{ ...stopped, stopped_by_permission_check: true }], { exitCode: 0 }, "blocked", "permission_check"],
  // A version without `terminal_reason` and `api_error_status` has only text.
  ["claude", [old("API Error: 529 {...}")], { exitCode: 1 }, "infrastructure", "api_error"],
  ["claude", [old("Invalid API key · Please run /login")], { exitCode: 1 }, "infrastructure", "api_error"],
  ["claude", [old("API Error: 400 {...}")], undefined, "failed", "api_error"],
  ["claude", [{ ...old("API Error: terminated"), terminal_reason: "completed" }], { exitCode: 1 }, "infrastructure", "api_error"],
  ["claude", [old("Prompt is too long")], { exitCode: 1 }, "failed", "api_error"],
  [
    "claude",
    [{ ...stopped, terminal_reason: undefined, startup_failure_reason: "gateway_access_denied" }],
    { exitCode: 1 },
    "infrastructure",
    "error_during_execution",
  ],
  ["claude", [], { exitCode: 0 }, "failed", "result-missing"],
  ["claude", [], undefined, null, "result-missing"],
  ["claude", [], { exitCode: 1 }, "failed", "exit-code"],
  ["claude", [], { exitCode: 143 }, "canceled", "exit-code-143"],
  ["claude", [], { exitCode: 137 }, "crashed", "exit-code-137"],
  ["claude", [], { signal: "SIGSEGV" }, "crashed", "SIGSEGV"],
  ["claude", [denied, good], { exitCode: 0 }, "blocked", "permission-refused"],
  ["claude", [denied, use("r", "Read", { file_path: "/a" }), done("r", false), good], { exitCode: 0 }, "blocked", "permission-refused"],
  ["claude", [denied, use("w", "Write", { file_path: "/a" }), done("w", true), good], { exitCode: 0 }, "blocked", "permission-refused"],
  ["claude", [denied, use("w", "Write", { file_path: "/a" }), done("w", false), good], { exitCode: 0 }, "completed", "completed"],
  // A denial that only the result reports dates from its call, so later actions count.
  [
    "claude",
    [use("d", "Bash", { command: "x" }), done("d", true), { ...good, permission_denials: [{ tool_use_id: "d" }] }],
    { exitCode: 0 },
    "blocked",
    "permission-refused",
  ],
  [
    "claude",
    [
      use("d", "Bash", { command: "x" }),
      done("d", true),
      use("w", "Write", { file_path: "/a" }),
      done("w", false),
      { ...good, permission_denials: [{ tool_use_id: "d" }] },
    ],
    { exitCode: 0 },
    "completed",
    "completed",
  ],
  ["claude", [denied, use("s", "StructuredOutput", { a: 1 }), done("s", false), good], { exitCode: 0 }, "blocked", "permission-refused"],
  ["codex", [answer, { type: "turn.completed" }], { exitCode: 0 }, "completed", "turn.completed"],
  // A3: a run in which nothing happened is never completed. A line that could not be read may have been anything.
  ["codex", [{ type: "turn.completed" }], { exitCode: 0 }, "failed", "nothing-happened"],
  ["codex", [{ type: "odd" }, { type: "turn.completed" }], { exitCode: 0 }, "completed", "turn.completed"],
  ["claude", [{ ...good, result: "" }], { exitCode: 0 }, "failed", "nothing-happened"],
  ["claude", [{ ...good, result: "" }], undefined, "failed", "nothing-happened"],
  ["claude", [use("r", "Read", { file_path: "/a" }), done("r", false), { ...good, result: "" }], { exitCode: 0 }, "completed", "completed"],
  ["acp", [turnEnd("end_turn")], { exitCode: 0 }, "failed", "nothing-happened"],
  ["codex", [failed], { exitCode: 1 }, "infrastructure", "turn.failed"],
  ["codex", [{ type: "turn.started" }], { exitCode: 0 }, "failed", "result-missing"],
  ["generic", [], { exitCode: 0 }, "completed", "exit-code"],
  ["generic", [], { exitCode: 2 }, "failed", "exit-code"],
  ["generic", [], undefined, null, "nothing-known"],
  // Ended by us. Only a final result outlives a process that had to be ended.
  ["claude", [], { signal: "SIGTERM", stopped: "timeout" }, "timed_out", "timeout"],
  ["claude", [good], { signal: "SIGKILL", stopped: "timeout" }, "completed", "completed"],
  ["claude", [down], { signal: "SIGKILL", stopped: "timeout" }, "infrastructure", "api_error"],
  ["claude", [background, good], { signal: "SIGTERM", stopped: "timeout" }, "timed_out", "timeout"],
  ["claude", [background, good, idle, good], { signal: "SIGTERM", stopped: "timeout" }, "completed", "completed"],
  ["claude", [], { signal: "SIGKILL", stopped: "idle" }, "hung", "idle-timeout"],
  ["claude", [good], { signal: "SIGTERM", stopped: "after-result" }, "completed", "completed"],
  ["claude", [denied, good], { signal: "SIGTERM", stopped: "after-result" }, "blocked", "permission-refused"],
  ["claude", [turns], { exitCode: 143, stopped: "after-result" }, "failed", "max_turns"],
  ["claude", [good], { signal: "SIGTERM", stopped: "cancel" }, "canceled", "canceled"],
  ["claude", [], { exitCode: 0, stopped: "cancel" }, "canceled", "canceled"],
  ["claude", [good], { signal: "SIGTERM", stopped: "log" }, "failed", "log-write"],
  ["claude", [], { stopped: "not-started" }, "failed", "not-started"],
  ["claude", [good], { stopped: "recorder-died" }, "crashed", "recorder-died"],
  ["generic", [], { signal: "SIGKILL", stopped: "timeout" }, "timed_out", "timeout"],
  ["generic", [], { exitCode: 0, stopped: "idle" }, "hung", "idle-timeout"],
  // We sent the cancel first, so the agent's own report of it is not a claim.
  ["acp", [turnEnd("cancelled")], { exitCode: 0, stopped: "timeout" }, "timed_out", "timeout"],
  ["acp", [turnEnd("cancelled")], { exitCode: 0, stopped: "idle" }, "hung", "idle-timeout"],
  ["acp", [chunk, turnEnd("end_turn")], { exitCode: 0, stopped: "timeout" }, "completed", "end_turn"],
  ["acp", [turnEnd("cancelled")], { signal: "SIGTERM", stopped: "after-result" }, "canceled", "cancelled"],
];

function turnEnd(stopReason: string): object {
  return { jsonrpc: "2.0", id: 2, result: { stopReason } };
}

describe("the truth table", () => {
  test.each(rows)("%s %j with %j is %s (%s)", (agent, lines, exit, status, reason) => {
    const line = pipeline(agents[agent], result, { startedAt: EPOCH }, decode);
    line.bytes("stdout", Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join("")), EPOCH);
    if (exit !== undefined) line.exit({ type: "exit", at: EPOCH, exitCode: null, signal: null, durationMs: null, ...exit });
    const [verdict, ...more] = line.end(EPOCH);
    expect(verdict).toMatchObject({ status, reason });
    expect(more).toEqual([]);
  });

  test.each([
    ["raw-truncated", "evidence-lost"],
    ["evidence-lost", "evidence-lost"],
    ["unanswered", "unanswered"],
  ])("a run with the fact %s is never completed", (code, reason) => {
    const line = pipeline(agents.claude, result, { startedAt: EPOCH }, decode);
    line.bytes("stdout", Buffer.from(`${JSON.stringify(good)}\n`), EPOCH);
    line.fact({ type: "fact", at: EPOCH, body: { type: "error", code, message: "gone" } });
    line.exit({ type: "exit", at: EPOCH, exitCode: 0, signal: null, durationMs: null });
    expect(line.end(EPOCH)).toMatchObject([{ status: "failed", reason }]);
  });
});

// ── the tables of the page, row by row ──────────────────────────────────────────────────────────────────────────────

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/explanation/status.md"), "utf8");
const [, section = ""] = page.split("## The table\n");
const cellsOf = (row: string) =>
  row
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
const table = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
const numbered = table.filter((line) => /^\| \d+ /.test(line)).map(cellsOf);
const stops = table.filter((line) => /^\| `[a-z-]+`/.test(line)).map(cellsOf);

const CLAIMS: Readonly<Record<string, readonly (readonly object[])[]>> = {
  "not `completed`": [[turns]],
  "`completed` or none": [[good], []],
  "`completed`": [[good]],
  none: [[]],
};

/** The same for a run that we ended. */
const CLAIMED: Readonly<Record<string, readonly (readonly object[])[]>> = {
  any: [[], [good]],
  "–": [[]],
  "none, not final, or `canceled`": [[], [background, good], [stopped]],
  final: [[good], [turns]],
};

type Process = { exitCode?: number; signal?: string } | undefined;

/** The processes that a cell names: codes, ranges of codes, signals, or none. */
function processesIn(cell: string): readonly Process[] {
  const signals = [...cell.matchAll(/SIG[A-Z]+/g)].map(([signal]) => ({ signal }));
  const codes = [...cell.matchAll(/(\d+)(?:–(\d+))?/g)].flatMap(([, from, to]) => {
    const first = Number(from);
    return Array.from({ length: Number(to ?? first) - first + 1 }, (_, i) => ({ exitCode: first + i }));
  });
  if (cell === "any") return [{ exitCode: 0 }, { exitCode: 3 }, { signal: "SIGKILL" }, undefined];
  if (cell === "any other signal") return [{ signal: "SIGKILL" }, { signal: "SIGSEGV" }];
  if (cell === "any other code except 0") return [{ exitCode: 1 }, { exitCode: 2 }, { exitCode: 145 }];
  return [...signals, ...codes, ...(/not known/.test(cell) ? [undefined] : [])];
}

function verdictOf(agent: keyof typeof agents, lines: readonly object[], ended: Process & { stopped?: Stop }, isDenied = false) {
  const line = pipeline(agents[agent], result, { startedAt: EPOCH }, decode);
  line.bytes("stdout", Buffer.from(lines.map((each) => `${JSON.stringify(each)}\n`).join("")), EPOCH);
  if (isDenied) line.fact({ type: "fact", at: EPOCH, body: { type: "permission-decision", decision: "deny", tool: "Bash" } });
  if (ended !== undefined) line.exit({ type: "exit", at: EPOCH, exitCode: null, signal: null, durationMs: null, ...ended });
  return line.end(EPOCH)[0];
}

describe("the rows of docs/explanation/status.md", () => {
  test("are read", () => {
    expect(numbered.map(([n]) => Number(n))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(new Set(stops.flatMap(([stopped = ""]) => codesIn(stopped)))).toEqual(new Set(STOPS));
  });

  test.each(numbered)("row %s: %s, %s, %s is %s (%s)", (_, claim = "", process = "", other = "", status = "", reason = "") => {
    const claims = CLAIMS[claim] ?? [];
    const processes = processesIn(process);
    expect(claims.length * processes.length).toBeGreaterThan(0);
    for (const lines of claims) {
      for (const ended of processes) {
        const hasEnd = other.includes("terminal record") || lines.length > 0 || /signal|exit code 1|except/.test(process);
        const verdict = verdictOf(hasEnd ? "claude" : "generic", lines, ended as Process & object, other.includes("denied"));
        expect(verdict?.status).toBe(status === "as claimed" ? "failed" : status === "`null`" ? null : codesIn(status)[0]);
        const [said = ""] = codesIn(reason);
        if (/signal/.test(reason)) expect(verdict?.reason).toBe(ended?.signal);
        else if (/agent's reason/.test(reason)) expect(verdict?.reason).toBe(lines.includes(turns) ? "max_turns" : "completed");
        else expect(verdict?.reason).toBe(said.replace("<n>", String(ended?.exitCode)));
      }
    }
  });

  test.each(stops)("stopped %s, claim %s is %s (%s)", (stopped = "", claim = "", status = "", reason = "") => {
    const isFinal = claim === "final";
    expect(CLAIMED[claim]).toBeDefined();
    for (const stop of codesIn(stopped) as readonly Stop[]) {
      for (const lines of CLAIMED[claim] ?? []) {
        const verdict = verdictOf("claude", lines, { signal: "SIGTERM", stopped: stop });
        if (isFinal) expect(verdict?.status).toBe(lines.includes(turns) ? "failed" : "completed");
        else expect(verdict).toMatchObject({ status: codesIn(status)[0], reason: codesIn(reason)[0] });
      }
    }
  });
});

const STOPS: readonly Stop[] = [
  "recorder-died",
  "out-of-memory",
  "over-limit",
  "not-started",
  "log",
  "cancel",
  "timeout",
  "idle",
  "after-result",
];

function codesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
}
