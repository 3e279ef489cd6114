// Cline's tool calls from `content_start` to `content_end`. Part of cline.ts.

import { fewMap, firstWord, isObject, type JsonObject, without, wordOf } from "../../base/index.ts";
import type { Ending, EventBody, Operation } from "../../events/index.ts";
import type { RunContext } from "../../pipeline/index.ts";
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

/** Tools whose input holds the text of a file, and where; what is repeated of a request leaves it out. */
const PAYLOAD = new Set(["editor", "write_to_file", "replace_in_file", "new_rule", "apply_patch"]);
const PAYLOAD_FIELDS = ["new_text", "old_text", "content", "diff", "input", "patch", "patchText"];

const CALL_ID = ["toolCallId", "tool_call_id", "callId"];
const TOOL = ["toolName", "tool_name", "tool", "name"];

export function clineCalls(run: RunContext) {
  const open = fewMap<string, OpenCall>();
  const spawning = new Map<string, Set<string>>(); // calls of `spawn_agent` that have started nobody yet, by owner
  const teamCalls = new Map<string, string>(); // the last call of a team tool about a teammate
  let refused = false;

  function start(out: EventBody[], event: JsonObject, parent: string | undefined): boolean {
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

  function progress(out: EventBody[], event: JsonObject): boolean {
    const callId = firstWord(event, CALL_ID);
    if (callId === undefined) return false;
    out.push({ type: "tool-progress", callId, parent: open.get(callId)?.parent }); // what it printed comes again with its result
    return true;
  }

  /** The call that ended; undefined for a result whose request was never seen. */
  function end(out: EventBody[], event: JsonObject): EndedCall | undefined {
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

  /** That a call was refused is told also where nobody has seen it asked for. */
  function refuse(
    out: EventBody[],
    callId: string | undefined,
    tool: string,
    rejected: string | undefined,
    parent: string | undefined,
  ): void {
    if (rejected === undefined || !isRefusal(rejected)) return;
    refused = true;
    out.push({ type: "permission-decision", callId, tool, decision: "deny", reason: rejected, parent });
  }

  /** The oldest open `spawn_agent` of an owner that has started nobody yet; it is then taken. */
  function takeSpawn(owner: string | undefined): string | undefined {
    const calls = spawning.get(owner ?? "");
    const first = calls?.values().next().value;
    if (first !== undefined) calls?.delete(first);
    return first;
  }

  /** The open call of a team tool that is about a teammate. */
  function openTeamCall(tool: string, teammate: string): string | undefined {
    const callId = teamCalls.get(`${tool} ${teammate}`);
    return callId !== undefined && open.has(callId) ? callId : undefined;
  }

  /** Whether the last thing that would have changed the world was refused. */
  const wasRefused = () => refused;

  return { start, progress, end, takeSpawn, openTeamCall, wasRefused };
}

/** Items that ended alike ended as the call did. Of the others each has its own end; which is whose cannot be told where one is missing. */
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
