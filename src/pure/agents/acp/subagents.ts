// Subagents, as the tool calls of the Agent Client Protocol tell of them. Part of acp.ts.

import { arrayOf, firstWord, isObject, type JsonObject, objectOf, wordOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";
import { isFailedAnswer } from "../goose/index.ts";
import type { AcpCall } from "./call.ts";
import { isBackground } from "./ending.ts";
import { isAgentTool } from "./tools.ts";

const NAME = ["subagent_type", "agent_name", "source", "agent", "subagent"];

/**
 * A subagent is named by the call that started it: that is what Claude's children carry, and its own id, if the agent tells one,
 * comes only with the result. Codex's subagents have ids of their own, and calls about them.
 */
export function acpSubagents() {
  const running = new Map<string, string | undefined>(); // the name, by the call
  const codex = new Set<string>(); // threads that have started and not ended

  /** Told once there is a sign of it, and not when it is asked for: a call that cannot be run starts nothing. */
  function start(out: EventBody[], call: AcpCall): void {
    const { callId, parent, title } = call;
    if (!isAgentTool(call.key) || running.has(callId)) return;
    const input = objectOf(call.input) ?? {};
    const name = firstWord(input, NAME);
    running.set(callId, name);
    const description = wordOf(input["description"]) ?? wordOf(input["instructions"]) ?? (call.input === undefined ? title : undefined);
    out.push({ type: "subagent-start", subagentId: callId, name, callId, description, parent });
  }

  /** Which tool a subagent uses; undefined where an update says nothing of one. Its output, which other updates hold, is contents. */
  function progress(out: EventBody[], call: AcpCall, line: JsonObject): string | undefined {
    if (!isAgentTool(call.key)) return undefined;
    start(out, call);
    const notification = objectOf(objectOf(line["_meta"])?.["toolNotification"]);
    const data = objectOf(objectOf(notification?.["params"])?.["data"]);
    return data?.["type"] === "subagent_tool_request" ? wordOf(objectOf(data["tool_call"])?.["name"]) : undefined;
  }

  function end(out: EventBody[], call: AcpCall, line: JsonObject, success: boolean | undefined, output: string | undefined): void {
    codexEnd(out, call);
    if (!isAgentTool(call.key)) return;
    const { callId, parent } = call;
    if (success !== false || !NOT_RUN.test(output ?? "")) start(out, call);
    if (!running.has(callId) || isBackground(call, line, output)) return;
    const name = running.get(callId);
    running.delete(callId);
    const isGood = call.key === "delegate" && isFailedAnswer(output ?? "") ? false : success;
    out.push({ type: "subagent-end", subagentId: callId, name, callId, success: isGood, parent });
  }

  /** codex-acp's calls about subagents: `spawnAgent`, `wait` and `closeAgent` as Codex has them, or what a subagent did. */
  function codexEnd(out: EventBody[], { callId, parent, title, input }: AcpCall): void {
    if (!isObject(input)) return;
    const thread = wordOf(input["agentThreadId"]);
    if (thread !== undefined) {
      const name = wordOf(input["agentPath"])?.split("/").filter(Boolean).at(-1);
      if (input["activityKind"] === "started") begin(thread, name);
      else if (input["activityKind"] === "completed") finish(thread, true, name);
      else if (input["activityKind"] === "interrupted") finish(thread, false, name);
    }
    const threads = arrayOf(input["receiverThreadIds"]);
    if (threads === undefined) return;
    if (title === "spawnAgent") for (const each of threads) if (typeof each === "string" && each !== "") begin(each, undefined);
    const states = objectOf(input["agentsStates"]) ?? {};
    for (const each of Object.keys(states)) {
      const status = objectOf(states[each])?.["status"];
      if (status === "completed" || status === "shutdown") finish(each, true, undefined);
      else if (status === "errored" || status === "failed" || status === "interrupted" || status === "notFound")
        finish(each, false, undefined);
    }

    function begin(subagentId: string, name: string | undefined): void {
      if (codex.has(subagentId)) return;
      codex.add(subagentId);
      out.push({ type: "subagent-start", subagentId, name, callId, parent });
    }

    function finish(subagentId: string, success: boolean, name: string | undefined): void {
      if (codex.delete(subagentId)) out.push({ type: "subagent-end", subagentId, name, callId, success, parent });
    }
  }

  return { start, progress, end };
}

/** What a call says that never got so far: an unknown tool, arguments that do not fit. */
const NOT_RUN = /^<tool_use_error>|^The \w+ tool was called with invalid arguments|^(Error: )?Failed to parse arguments/;
