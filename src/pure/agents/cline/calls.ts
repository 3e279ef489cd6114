// Cline's tool calls, from `content_start` to `content_end`.

import { fewMap, firstWord, isObject, type JsonObject, without, wordOf } from "../../base/index.ts";
import type { Ending, Operation } from "../../events/index.ts";
import type { RunContext, Translated } from "../../pipeline/index.ts";
import { isRefusal } from "./fields.ts";
import { endedAlike, type Item, operationsOf, resultOf } from "./tools.ts";

interface OpenCall {
  readonly tool: string;
  readonly operations: readonly Operation[];
  readonly parent: string | undefined;
}

interface EndedCall {
  readonly callId: string;
  readonly tool: string;
  readonly success: boolean | undefined;
}

/** Tools with file text in their input, and its fields. A repeated request leaves them out. */
const PAYLOAD = new Set(["editor", "write_to_file", "replace_in_file", "new_rule", "apply_patch"]);
const PAYLOAD_FIELDS = ["new_text", "old_text", "content", "diff", "input", "patch", "patchText"];

const CALL_ID = ["toolCallId", "tool_call_id", "callId"];
const TOOL = ["toolName", "tool_name", "tool", "name"];

export function clineCalls(run: RunContext) {
  const open = fewMap<string, OpenCall>();
  const spawning = new Map<string, Set<string>>(); // by owner: `spawn_agent` calls that have not started an agent yet
  const teamCalls = new Map<string, string>(); // teammate → its last team call
  let refused = false;

  function start(out: Translated[], event: JsonObject, parent: string | undefined): boolean {
    const callId = firstWord(event, CALL_ID);
    const tool = firstWord(event, TOOL);
    if (callId === undefined || tool === undefined) return false;
    const input = event["input"] ?? event["arguments"] ?? null;
    const operations = operationsOf(tool, input, run.cwd);
    open.set(callId, { tool, operations, parent });
    if (tool === "spawn_agent") waitingFor(parent ?? "").add(callId);
    if (tool.startsWith("team_") && isObject(input)) teamCalls.set(`${tool} ${wordOf(input["agentId"])}`, callId);
    const request = operations.length === 0 || PAYLOAD.has(tool) ? withoutPayload(event, tool) : undefined;
    out.push({ type: "tool-start", callId, tool, input, operations, request, parent });
    return true;
  }

  function waitingFor(owner: string): Set<string> {
    const calls = spawning.get(owner) ?? new Set();
    spawning.set(owner, calls);
    return calls;
  }

  function progress(out: Translated[], event: JsonObject): boolean {
    const callId = firstWord(event, CALL_ID);
    if (callId === undefined) return false;
    out.push({ type: "tool-progress", callId, parent: open.get(callId)?.parent }); // the result repeats this output
    return true;
  }

  /** The call that ended; undefined for a result without a request. */
  function end(out: Translated[], event: JsonObject): EndedCall | undefined {
    const callId = firstWord(event, CALL_ID);
    const call = callId === undefined ? undefined : open.get(callId);
    const tool = call?.tool ?? firstWord(event, TOOL) ?? "";
    const { items, whole, rejected } = resultOf(tool, event);
    if (callId === undefined || call === undefined) {
      refuse(out, callId, tool, rejected, undefined);
      return undefined;
    }
    open.delete(callId);
    spawning.get(call.parent ?? "")?.delete(callId);
    refuse(out, callId, tool, rejected, call.parent);
    const acts = call.operations.some(({ kind }) => kind === "write" || kind === "command");
    if (acts && (items ?? [whole]).some(({ success }) => success === true)) refused = false;
    const { success, exitCode, output } = whole;
    const endings = endingsOf(call.operations, items);
    out.push({ type: "tool-end", callId, success, exitCode, output, endings, parent: call.parent });
    return { callId, tool: call.tool, success: whole.success };
  }

  /** Emits a denial even if the call itself was never seen. */
  function refuse(
    out: Translated[],
    callId: string | undefined,
    tool: string,
    rejected: string | undefined,
    parent: string | undefined,
  ): void {
    if (rejected === undefined || !isRefusal(rejected)) return;
    refused = true;
    out.push({ type: "permission-decision", callId, tool, decision: "deny", reason: rejected, parent });
  }

  /** Takes the owner's oldest open `spawn_agent` call that has not started an agent. */
  function takeSpawn(owner: string | undefined): string | undefined {
    const calls = spawning.get(owner ?? "");
    const first = calls?.values().next().value;
    if (first !== undefined) calls?.delete(first);
    return first;
  }

  /** The open call of a team tool about this teammate. */
  function openTeamCall(tool: string, teammate: string): string | undefined {
    const callId = teamCalls.get(`${tool} ${teammate}`);
    return callId !== undefined && open.has(callId) ? callId : undefined;
  }

  /** Whether the last call that would have changed something was denied. */
  const wasRefused = () => refused;

  return { start, progress, end, takeSpawn, openTeamCall, wasRefused, idOf: (event: JsonObject) => firstWord(event, CALL_ID) };
}

/**
 * If all items ended alike, the call's end says it. Otherwise each has its own end, unless one is missing and the assignment
 * would be a guess.
 */
function endingsOf(operations: readonly Operation[], items: readonly Item[] = []): readonly Ending[] | undefined {
  if (items.every((item) => endedAlike(item, items[0]))) return undefined;
  if (items.length !== operations.length) return operations.map(() => ({}));
  return items.map(({ success, exitCode }) => ({ success, exitCode }));
}

function withoutPayload(event: JsonObject, tool: string): JsonObject {
  const input = event["input"];
  if (!PAYLOAD.has(tool)) return event;
  return { ...event, input: isObject(input) ? without(input, PAYLOAD_FIELDS) : null };
}
