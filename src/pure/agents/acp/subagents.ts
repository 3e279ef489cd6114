// Subagents, as tool calls of the Agent Client Protocol report them.

import { arrayOf, firstWord, isObject, type JsonObject, objectOf, wordOf } from "../../base/index.ts";
import type { Translated } from "../../pipeline/index.ts";
import { isFailedAnswer } from "../goose/index.ts";
import type { AcpCall } from "./call.ts";
import { isBackground } from "./ending.ts";
import { isAgentTool } from "./tools.ts";

const NAME = ["subagent_type", "agent_name", "source", "agent", "subagent"];

/**
 * The id of a subagent is the call that started it. Claude's children carry that id; the agent's own id, if any, comes only with
 * the result. Codex's subagents have their own ids, and calls that mention them.
 */
export function acpSubagents() {
  const running = new Map<string, string | undefined>(); // call id → name
  const failed = new Set<string>(); // calls of subagents that failed, whatever their result says
  const codex = new Set<string>(); // threads that started and have not ended

  /** Emits a start only when something shows that the subagent runs: a call that cannot run starts none. */
  function start(out: Translated[], call: AcpCall): void {
    const { callId, parent, title } = call;
    if (!isAgentTool(call.key) || running.has(callId)) return;
    const input = objectOf(call.input) ?? {};
    const name = firstWord(input, NAME) ?? GEMINI_AGENT.exec(title ?? "")?.[1];
    running.set(callId, name);
    const description = wordOf(input["description"]) ?? wordOf(input["instructions"]) ?? (call.input === undefined ? title : undefined);
    out.push({ type: "subagent-start", subagentId: callId, name, callId, description, parent });
  }

  /** The tool a subagent uses, if the update names one. Other updates hold its output, which is contents. */
  function progress(out: Translated[], call: AcpCall, line: JsonObject): string | undefined {
    if (!isAgentTool(call.key)) return undefined;
    start(out, call);
    const notification = objectOf(objectOf(line["_meta"])?.["toolNotification"]);
    const data = objectOf(objectOf(notification?.["params"])?.["data"]);
    return data?.["type"] === "subagent_tool_request" ? wordOf(objectOf(data["tool_call"])?.["name"]) : undefined;
  }

  function end(out: Translated[], call: AcpCall, line: JsonObject, success: boolean | undefined, output: string | undefined): void {
    codexEnd(out, call);
    if (!isAgentTool(call.key)) return;
    const { callId, parent } = call;
    if (success !== false || !NOT_RUN.test(output ?? "")) start(out, call);
    if (!running.has(callId) || isBackground(call, line, output)) return;
    const name = running.get(callId);
    running.delete(callId);
    failed.delete(callId);
    const isGood = call.key === "delegate" && isFailedAnswer(output ?? "") ? false : success;
    out.push({ type: "subagent-end", subagentId: callId, name, callId, success: isGood, parent });
  }

  /** codex-acp's calls about subagents: `spawnAgent`, `wait` and `closeAgent`, or what a subagent did. */
  function codexEnd(out: Translated[], { callId, parent, title, input }: AcpCall): void {
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

  /** Stderr says that a subagent failed. Of several with this name, it is unknown which one. */
  function fail(name: string | undefined): void {
    if (name === undefined) return;
    const named = [...running].filter(([callId, each]) => each === name && !failed.has(callId));
    if (named[0] !== undefined && named.length === 1) failed.add(named[0][0]);
  }

  return { start, progress, end, fail, hasFailed: (callId: string) => failed.has(callId) };
}

/** Gemini's calls have only a title. */
const GEMINI_AGENT = /^Delegating to agent '([^']+)'$/;

/** Output of a call that never ran: unknown tool or invalid arguments. */
const NOT_RUN = /^<tool_use_error>|^The \w+ tool was called with invalid arguments|^(Error: )?Failed to parse arguments/;
