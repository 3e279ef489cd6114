import { describe, expect, test } from "vitest";
import { excessWatch } from "../../../src/host/permissions/excess.ts";
import type { Event, EventBody, Operation, ToolStartBody } from "../../../src/pure/events/index.ts";
import type { Task } from "../../../src/pure/pipeline/index.ts";

const WRITE: Operation = { kind: "write", path: "/w/a.txt" };
const RUN: Operation = { kind: "command", command: "npm test" };
const READ: Operation = { kind: "read", path: "/w/a.txt" };

/** The events of one call that ended. */
function called(tool: string, operations: readonly Operation[], end: { success?: boolean; input?: unknown } = {}): readonly Event[] {
  const start: ToolStartBody = { type: "tool-start", callId: "c", tool, input: end.input ?? {}, operations };
  const success = "success" in end ? end.success : true;
  const bodies: readonly EventBody[] = [start, { type: "tool-end", callId: "c", ...(success !== undefined && { success }) }];
  const first = event(start) as Event<"tool-start">;
  return bodies.map((body) => ({ ...event(body), call: { start: first, rivals: [], orchestrated: false } }));
}

function event(body: EventBody): Event {
  return { seq: 1, at: 0, from: [], provenance: "declared", body };
}

function excess(task: Partial<Task>, events: readonly Event[], isSandboxed = false): readonly string[] {
  return excessWatch({ prompt: "Go.", ...task }, isSandboxed)(events).map((fact) => ("message" in fact ? (fact.message ?? "") : ""));
}

describe("X1: what exceeds the level is noticed", () => {
  test.each([
    ["a write", called("bash", [WRITE])],
    ["a command", called("bash", [RUN])],
    ["a write among reads", called("bash", [READ, WRITE])],
    ["a call of an MCP server", called("demo__echo", [])],
    ["a call of an MCP server, as Claude Code spells it", called("mcp__demo__echo", [])],
    ["a call of an MCP server, as Codex spells it", called("demo.echo", [])],
    ["a fetch", called("fetch_web_content", [])],
    ["a search in the web", called("WebSearch", [])],
  ])("%s that succeeded at read-only", (_, events) => {
    const message = /^The agent exceeded its permissions: \S+ succeeded in spite of permissions read-only\.$/;
    expect(excess({ permissions: "read-only" }, events)).toEqual([expect.stringMatching(message)]);
    for (const permissions of ["full", "default"] as const) expect(excess({ permissions }, events)).toEqual([]);
  });

  test.each([
    ["a read", called("Read", [READ])],
    ["a command that reads", called("Bash", [READ], { input: { command: "cat a.txt" } })],
    ["a denied write", called("Write", [WRITE], { success: false })],
    ["a write whose end is not reported", called("Write", [WRITE], { success: undefined })],
    ["a call of unknown effect", called("todo_write", [])],
    ["a call of an MCP server that was denied", called("mcp__demo__echo", [], { success: false })],
  ])("%s does not exceed read-only", (_, events) => {
    expect(excess({ permissions: "read-only" }, events)).toEqual([]);
  });

  test("a command in a sandbox does not, a patch outside it does", () => {
    const command = { command: "echo x > a.txt || true" };
    expect(excess({ permissions: "read-only" }, called("command_execution", [WRITE], { input: command }), true)).toEqual([]);
    expect(excess({ permissions: "read-only" }, called("file_change", [WRITE]), true)).toHaveLength(1);
  });

  test("a call that a rule or a user allowed does not", () => {
    expect(excess({ permissions: "read-only", allow: ["npm *"] }, called("bash", [RUN]))).toEqual([]);
    const decision = event({ type: "permission-decision", callId: "c", decision: "allow" });
    expect(excess({ permissions: "read-only" }, [decision, ...called("bash", [RUN])])).toEqual([]);
  });
});

test.each([
  ["execute", called("Bash", [RUN]), 1],
  ["npm *", called("Bash", [RUN]), 1],
  ["execute", called("Bash", [WRITE], { input: { command: "echo x > a.txt" } }), 1],
  ["echo *", called("Bash", [WRITE], { input: { command: "echo x > a.txt" } }), 1],
  ["bash", called("Bash", [RUN]), 1],
  ["edit", called("Write", [WRITE]), 1],
  ["mcp__*", called("mcp__demo__echo", []), 1],
  ["execute", called("Write", [WRITE]), 0],
  ["git *", called("Bash", [RUN]), 0],
])("a deny rule that was not enforced: %s", (rule, events, count) => {
  expect(excess({ permissions: "full", deny: [rule] }, events)).toHaveLength(count);
});

test("an agent whose hooks never ask is noticed", () => {
  let isAsked = false;
  const watch = excessWatch({ prompt: "Go.", permissions: "full" }, false, () => isAsked);
  expect(watch(called("Write", [WRITE], { success: false }))).toEqual([]);
  expect(watch(called("Write", [WRITE]))).toEqual([
    expect.objectContaining({
      message: "The agent exceeded its permissions: Write succeeded in spite of hooks that never asked about a call.",
    }),
  ]);
  isAsked = true;
  expect(watch(called("Edit", [WRITE]))).toEqual([]);
});

test("the same tool and rule are reported once", () => {
  const watch = excessWatch({ prompt: "Go.", permissions: "read-only" }, false);
  expect(watch([...called("bash", [RUN]), ...called("bash", [RUN])])).toHaveLength(1);
  expect(watch(called("bash", [RUN]))).toEqual([]);
  expect(watch(called("Write", [WRITE]))).toHaveLength(1);
});
