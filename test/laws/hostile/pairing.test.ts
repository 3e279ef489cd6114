import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { log } from "../../../src/pure/views/log/view.ts";
import { events, project } from "../../support/events.ts";
import { feed } from "../../support/fixtures.ts";
import { runs } from "../../support/full.ts";

/** Case 32: ends before starts, duplicate ids, calls that never end. Every call is reported once, whatever order its lines have. */

const ids = fc.constantFrom("a", "b", "__proto__", "constructor", "a\u2028b", "\ud83d", "7", "toString");
const CONTENTS = "CANARY";

/** The lines of one call: its start, updates and ends. */
const formats: Readonly<Record<string, (id: string) => readonly [start: object, ...more: object[]]>> = {
  claude: (id) => [
    { type: "assistant", message: { id: "m", content: [{ type: "tool_use", id, name: "Bash", input: { command: "make" } }] } },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: CONTENTS }] } },
  ],
  codex: (id) => {
    const item = { id, type: "command_execution", command: "make", aggregated_output: CONTENTS };
    return [
      { type: "item.started", item: { ...item, aggregated_output: "", exit_code: null, status: "in_progress" } },
      { type: "item.updated", item: { ...item, exit_code: null } },
      { type: "item.completed", item: { ...item, exit_code: 0 } },
    ];
  },
  goose: (id) => {
    const value = { content: [{ type: "text", text: CONTENTS }], structuredContent: { stdout: CONTENTS, exit_code: 0 }, isError: false };
    return [
      gooseMessage("assistant", {
        type: "toolRequest",
        id,
        toolCall: { status: "success", value: { name: "shell", arguments: { command: "make" } } },
      }),
      gooseMessage("user", { type: "toolResponse", id, toolResult: { status: "success", value } }),
    ];
  },
  gemini: (id) => [
    { type: "tool_use", tool_id: id, tool_name: "run_shell_command", parameters: { command: "make" } },
    { type: "tool_result", tool_id: id, status: "success", output: CONTENTS },
    { type: "tool_result", tool_id: id, status: "error", error: { type: "x", message: CONTENTS } },
  ],
  pi: (id) => [
    { type: "tool_execution_start", toolCallId: id, toolName: "bash", args: { command: "make" } },
    { type: "tool_execution_update", toolCallId: id, toolName: "bash", partialResult: { content: [{ type: "text", text: CONTENTS }] } },
    {
      type: "tool_execution_end",
      toolCallId: id,
      toolName: "bash",
      result: { content: [{ type: "text", text: CONTENTS }] },
      isError: false,
    },
    {
      type: "message_end",
      message: { role: "toolResult", toolCallId: id, toolName: "bash", content: [{ type: "text", text: CONTENTS }], isError: true },
    },
  ],
  opencode: (id) => [opencodeCall(id, "running"), opencodeCall(id, "completed"), opencodeCall(id, "error")],
  kilo: (id) => [opencodeCall(id, "running"), opencodeCall(id, "completed"), opencodeCall(id, "error")],
  cline: (id) => {
    const event = { contentType: "tool", toolName: "run_commands", toolCallId: id };
    return [
      { type: "agent_event", event: { ...event, type: "content_start", input: { commands: ["make"] } } },
      { type: "agent_event", event: { ...event, type: "content_update", update: { stream: "stdout", chunk: CONTENTS } } },
      { type: "agent_event", event: { ...event, type: "content_end", output: [{ query: "make", result: CONTENTS, success: true }] } },
    ];
  },
  acp: (id) => {
    const content = [{ type: "content", content: { type: "text", text: CONTENTS } }];
    const update = (more: object) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s", update: { toolCallId: id, ...more } },
    });
    return [
      update({ sessionUpdate: "tool_call", kind: "execute", title: "make", rawInput: { command: "make" }, status: "pending" }),
      update({ sessionUpdate: "tool_call_update", status: "in_progress", content }),
      update({ sessionUpdate: "tool_call_update", status: "completed", content, rawOutput: { stdout: CONTENTS, exit_code: 0 } }),
    ];
  },
  native: ownCalls,
  rlm: ownCalls,
  antigravity: (id) => {
    const step = (state: string, more: object) => ({
      event: "step_update",
      step_update: { conversation_id: "c", step_index: id.length, state, step_type: "tool", tool_info: { name: "run_command", ...more } },
    });
    return [
      step("ACTIVE", { parameters: { CommandLine: "make" } }),
      step("DONE", { parameters: { CommandLine: "make" }, output: CONTENTS }),
    ];
  },
};

/** The calls of the agents in this package. */
function ownCalls(id: string): readonly [object, ...object[]] {
  const call = { runId: "agent", id, name: "shell" };
  return [
    { type: "tool_call", ...call, input: { command: "make" } },
    { type: "tool_progress", runId: "agent", id: `${id}/1`, toolCallId: id, name: "shell", content: CONTENTS },
    { type: "tool_result", ...call, output: { context: CONTENTS, result: { exitCode: 0 } } },
    { type: "tool_result", ...call, output: { error: CONTENTS } },
  ];
}

function gooseMessage(role: string, block: object): object {
  return { type: "message", message: { id: "m", role, created: 1, content: [block], metadata: { userVisible: true, agentVisible: true } } };
}

function opencodeCall(callID: string, status: string): object {
  const state = { status, input: { command: "make" }, output: CONTENTS, metadata: { exit: 0, output: CONTENTS } };
  return { type: "tool_use", timestamp: 1, sessionID: "s", part: { type: "tool", tool: "bash", callID, state } };
}

test("every format with calls is covered", () => {
  expect(Object.keys(formats).sort()).toEqual(
    Object.keys(agents)
      .filter((id) => id !== "generic" && !id.endsWith("-acp"))
      .sort(),
  );
});

describe.each(Object.keys(formats) as (keyof typeof agents)[])("%s", (id) => {
  const lines = formats[id] ?? (() => [{}]);
  const line = fc.tuple(ids, fc.nat(5)).map(([callId, which]) => {
    const all = lines(callId);
    return all[which % all.length] ?? all[0];
  });

  test("every start has an end, every end a start, and no contents leak", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (chaos) => {
        const input = Buffer.from(chaos.map((each) => `${JSON.stringify(each)}\n`).join(""));
        const open = new Set<string>();
        const given = feed(agents[id], events, [input]);
        for (const event of project(given, log)) {
          if (event.type === "tool-start") open.add(event.callId);
          if (event.type !== "tool-end") continue;
          expect(open.delete(event.callId)).toBe(true);
        }
        expect([...open]).toEqual([]);
        expect(JSON.stringify(project(given, activity))).not.toContain(CONTENTS);
      }),
      { numRuns: runs(200, 1_000) },
    );
  });

  test("a call in good order is one command that ended", () => {
    const [, ...rest] = lines("t");
    const input = Buffer.from([lines("t")[0], ...rest].map((each) => `${JSON.stringify(each)}\n`).join(""));
    const commands = feed(agents[id], activity, [input]).filter(({ type }) => type === "command");
    expect(commands.length).toBeGreaterThanOrEqual(1);
    expect(commands[0]).toMatchObject({ command: "make" });
  });

  test("a call that never ended is reported without a verdict", () => {
    const [event] = feed(agents[id], activity, [Buffer.from(`${JSON.stringify(lines("t")[0])}\n`)]);
    if (id === "opencode" || id === "kilo") return; // they print a call only after it ended
    expect(event).toMatchObject({ type: "command", command: "make" });
    expect(event).not.toHaveProperty("isSuccess");
  });
});
