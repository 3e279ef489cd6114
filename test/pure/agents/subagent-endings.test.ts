import { expect, test } from "vitest";
import { decode } from "../../../src/host/recording/derive/decode.ts";
import { agents } from "../../../src/pure/agents/agents.ts";
import { pipeline } from "../../../src/pure/pipeline/pipeline.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";

type Line = readonly ["stdout" | "stderr", object | string];

function activities(agent: keyof typeof agents, lines: readonly Line[]) {
  const line = pipeline(agents[agent], activity, { startedAt: 0 }, decode);
  const said = lines.flatMap(([stream, each], index) => [
    ...line.bytes(stream, Buffer.from(`${typeof each === "string" ? each : JSON.stringify(each)}\n`), index),
  ]);
  return [...said, ...line.end(lines.length)];
}

const use = (id: string, name: string): Line => [
  "stdout",
  { type: "tool_use", tool_name: "invoke_agent", tool_id: id, parameters: { agent_name: name, prompt: "Go." } },
];
const result = (id: string): Line => ["stdout", { type: "tool_result", tool_id: id, status: "success" }];
const failed = (name: string): Line => ["stderr", `Subagent '${name}' failed: _ApiError: {"error":{"code":400}}`];

test("X5: a Gemini subagent whose model failed has failed, though its result says success", () => {
  const ends = activities("gemini", [use("a", "generalist"), failed("generalist"), result("a"), use("b", "generalist"), result("b")]);
  expect(ends.flatMap((each) => (each.type === "orchestration" ? [each.action] : []))).toEqual([
    "subagent_started",
    "subagent_failed",
    "subagent_started",
    "subagent_completed",
  ]);
});

test("X5: of two Gemini subagents with one name, it is unknown which one failed", () => {
  const ends = activities("gemini", [use("a", "generalist"), use("b", "generalist"), failed("generalist"), result("a"), result("b")]);
  expect(ends.filter((each) => each.type === "orchestration" && each.action === "subagent_failed")).toEqual([]);
});

test("X5: over ACP a Gemini subagent whose model failed has failed too, though its call is completed", () => {
  const delegation = (update: string, status: string): Line => [
    "stdout",
    {
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        sessionId: "s",
        update: { sessionUpdate: update, toolCallId: "invoke_agent__1", title: "Delegating to agent 'generalist'", kind: "think", status },
      },
    },
  ];
  const init: Line = ["stdout", { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1, agentInfo: { name: "gemini-cli", version: "1" } } }];
  const actions = (...said: readonly Line[]) =>
    activities("gemini-acp", [init, delegation("tool_call", "in_progress"), ...said, delegation("tool_call_update", "completed")]).flatMap(
      (each) => (each.type === "orchestration" ? [each.action, each.subagentName] : []),
    );
  expect(actions(failed("generalist"))).toEqual(["subagent_started", "generalist", "subagent_failed", "generalist"]);
  expect(actions(failed("other"))).toEqual(["subagent_started", "generalist", "subagent_completed", "generalist"]);
});

test("X4: a command of Copilot over ACP that exits with 7 has failed, though its status is completed", () => {
  const update = (more: object): Line => [
    "stdout",
    { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: { toolCallId: "c", ...more } } },
  ];
  const [command] = activities("acp", [
    update({ sessionUpdate: "tool_call", title: "Run it", kind: "execute", status: "pending", rawInput: { command: "make" } }),
    update({
      sessionUpdate: "tool_call_update",
      status: "completed",
      rawOutput: { content: "no\n(exit 7)", contents: [{ type: "terminal", text: "no", exitCode: 7 }] },
    }),
  ]).filter(({ type }) => type === "command");
  expect(command).toMatchObject({ command: "make", exitCode: 7, isSuccess: false });
});
