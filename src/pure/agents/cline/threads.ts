// The agents of a Cline run (main agent, `spawn_agent` subagents, teammates), and which of them an unmarked line belongs to.

import { type JsonObject, objectOf, stringOf, wordOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";
import type { Translated } from "../../pipeline/index.ts";
import { withoutContents } from "./fields.ts";

interface Subagent {
  readonly parent: string;
  readonly callId: string | undefined;
  /** Its running subagents. */
  children: number;
  /** Calls that a hook announced and that have not appeared yet. */
  asked: number;
  /** Calls that appeared, and their ends: as hooks report them, and as the stream does. */
  begun: number;
  answered: number;
  finished: number;
}

/** The agent a line belongs to. If neither `parent` nor `isMain` is set, it is some subagent, and it is unknown which. */
export interface Owner {
  readonly parent: string | undefined;
  readonly isMain: boolean;
}

const MAIN: Owner = { parent: undefined, isMain: true };
const UNKNOWN_OWNER: Owner = { parent: undefined, isMain: false };

/** Finds the call that started an agent: the owner's oldest open call that has not started one. */
type SpawnCalls = (owner: string | undefined) => string | undefined;

export function clineThreads(spawnedBy: SpawnCalls) {
  let main: string | undefined;
  const live = new Map<string, Subagent>();
  const leaves = new Set<string>(); // those that do not wait for a subagent
  const speaking = new Set<string>(); // those of them that do not wait for a call either
  const callers = new Map<string, string>(); // open call → the subagent that made it
  const asking = new Set<string>(); // those that have announced a call
  const ended = new Set<string>();
  const byCall = new Map<string, string>(); // call id → subagent
  const mates = new Map<string, string>(); // id in hooks → teammate's name
  const working = new Set<string>(); // teammates with an emitted start
  let failing: Owner | undefined; // a hook has just reported that this one failed; its error follows

  /**
   * A subagent's events appear among the main agent's, unmarked. Its starter waits, so the innermost agent is the one
   * speaking. If several run in parallel, it is the only one that does not wait for a call; otherwise the speaker is unknown.
   */
  function owner(): Owner {
    if (leaves.size === 0) return MAIN;
    if (leaves.size === 1) return ownedBy(leaves);
    return speaking.size === 1 ? ownedBy(speaking) : UNKNOWN_OWNER;
  }

  /**
   * Before a call appears, a hook announces it and names the agent. So if several agents run, the call belongs to the one that
   * announced it.
   */
  function ownerOfCall(callId: string | undefined): Owner {
    const who = leaves.size === 0 ? MAIN : leaves.size === 1 ? ownedBy(leaves) : asking.size === 1 ? ownedBy(asking) : UNKNOWN_OWNER;
    const subagent = who.parent === undefined ? undefined : live.get(who.parent);
    if (subagent === undefined || who.parent === undefined) return who;
    subagent.begun++;
    if (callId !== undefined) callers.set(callId, who.parent);
    if (subagent.asked > 0) announce(who.parent, subagent, -1);
    else settle(who.parent, subagent);
    return who;
  }

  /** Whether it can be speaking: an agent waits for the answers to all its calls. */
  function settle(id: string, { asked, begun, answered, finished }: Subagent): void {
    if (leaves.has(id) && asked === 0 && begun <= Math.max(answered, finished)) speaking.add(id);
    else speaking.delete(id);
  }

  function ownedBy(who: ReadonlySet<string>): Owner {
    const [parent] = who;
    return { parent, isMain: false };
  }

  function announce(id: string, subagent: Subagent, by: 1 | -1): void {
    subagent.asked += by;
    if (subagent.asked > 0) asking.add(id);
    else asking.delete(id);
    settle(id, subagent);
  }

  // hooks ─────────────────────────────────────────────────────────────────────

  /** Hooks are bookkeeping, but only they show which subagent starts, calls and ends. */
  function hook(out: Translated[], line: JsonObject): void {
    const id = wordOf(line["agentId"]) ?? wordOf(line["agent_id"]);
    if (id === undefined) return;
    const parent = wordOf(line["parentAgentId"]) ?? wordOf(line["parent_agent_id"]);
    switch (line["hookEventName"]) {
      case "agent_start":
      case "agent_resume":
        if (parent === undefined)
          main ??= id; // a teammate has no parent either; `team_event` reports it
        else start(out, id, parent);
        return;
      case "agent_end":
        if (parent !== undefined) end(out, id, parent, true);
        return;
      case "agent_error":
        failing = parent === undefined ? MAIN : { parent: id, isMain: false };
        if (parent !== undefined) end(out, id, parent, false);
        return;
      case "tool_call":
        return asks(id);
      case "tool_result":
        return answered(id);
    }
  }

  function start(out: Translated[], subagentId: string, startedBy: string): void {
    if (live.has(subagentId)) return;
    ended.delete(subagentId);
    const parent = nameOf(startedBy);
    const callId = spawnedBy(parent);
    if (callId !== undefined) byCall.set(callId, subagentId);
    out.push({ type: "subagent-start", subagentId, callId, parent });
    if (mates.has(startedBy)) return; // a teammate's subagent does not block the main thread
    live.set(subagentId, { parent: startedBy, callId, children: 0, asked: 0, begun: 0, answered: 0, finished: 0 });
    leaves.add(subagentId);
    speaking.add(subagentId);
    const starter = live.get(startedBy);
    if (starter === undefined) return;
    starter.children++;
    leaves.delete(startedBy);
    speaking.delete(startedBy);
  }

  function end(out: Translated[], subagentId: string, startedBy: string, success: boolean): void {
    if (ended.has(subagentId)) return;
    ended.add(subagentId);
    const subagent = live.get(subagentId);
    out.push({ type: "subagent-end", subagentId, callId: subagent?.callId, success, parent: nameOf(startedBy) });
    live.delete(subagentId);
    leaves.delete(subagentId);
    speaking.delete(subagentId);
    asking.delete(subagentId);
    const starter = subagent === undefined ? undefined : live.get(subagent.parent);
    if (subagent === undefined || starter === undefined || --starter.children > 0) return;
    leaves.add(subagent.parent);
    settle(subagent.parent, starter);
  }

  /** The agent's name as a `parent`; undefined for the main agent. */
  function nameOf(id: string): string | undefined {
    return mates.get(id) ?? (id === main || !(live.has(id) || ended.has(id)) ? undefined : id);
  }

  function asks(id: string): void {
    const subagent = live.get(id);
    if (subagent !== undefined) announce(id, subagent, 1);
  }

  /** The result of an unmatched call also removes its announcement. */
  function answered(id: string): void {
    const subagent = live.get(id);
    if (subagent === undefined) return;
    if (subagent.answered < subagent.begun) {
      subagent.answered++;
      settle(id, subagent);
    } else if (subagent.asked > 0) announce(id, subagent, -1);
  }

  // calls and errors ──────────────────────────────────────────────────────────

  /** The stream shows the end of a call. */
  function callFinished(callId: string): void {
    const id = callers.get(callId);
    const subagent = id === undefined ? undefined : live.get(id);
    callers.delete(callId);
    if (id === undefined || subagent === undefined) return;
    subagent.finished++;
    settle(id, subagent);
  }

  /** The answer of `spawn_agent` ends a subagent if no hook has. */
  function callEnded(out: Translated[], callId: string, success: boolean | undefined): void {
    const subagentId = byCall.get(callId);
    const subagent = subagentId === undefined ? undefined : live.get(subagentId);
    byCall.delete(callId);
    if (subagentId !== undefined && subagent !== undefined) end(out, subagentId, subagent.parent, success !== false);
  }

  /** An agent's last error comes after the hook that ended it. */
  function ownerOfError(): Owner {
    const who = failing ?? owner();
    failing = undefined;
    return who;
  }

  // teams ─────────────────────────────────────────────────────────────────────

  /**
   * A teammate starts when it is spawned, ends with its task, and starts again with the next task. Repeated reports become
   * notices. Returns false for a record that reports neither a start nor an end.
   */
  function team(out: Translated[], event: JsonObject, callOf: (tool: string, teammate: string) => string | undefined): boolean {
    const subagentId = wordOf(event["agentId"]);
    if (subagentId === undefined) return false;
    switch (event["type"]) {
      case "teammate_spawned": {
        const id = wordOf(objectOf(event["teammate"])?.["runtimeAgentId"]);
        if (id !== undefined) mates.set(id, subagentId);
        return begin(out, subagentId, callOf("team_spawn_teammate", subagentId), stringOf(event["role"]));
      }
      case "task_start":
        return begin(out, subagentId, callOf("team_run_task", subagentId), stringOf(event["message"]));
      case "task_end": {
        const status = wordOf(event["status"]);
        const success = status === undefined ? undefined : status === "completed";
        return finish(out, subagentId, callOf("team_run_task", subagentId), success);
      }
      case "teammate_shutdown":
        return finish(out, subagentId, callOf("team_shutdown_teammate", subagentId), undefined);
      default:
        return false;
    }
  }

  function begin(out: Translated[], subagentId: string, callId: string | undefined, description: string | undefined): boolean {
    if (working.has(subagentId)) out.push({ type: "notice", kind: "teammate_started", message: description, parent: subagentId });
    else out.push({ type: "subagent-start", subagentId, name: subagentId, callId, description });
    working.add(subagentId);
    return true;
  }

  function finish(out: Translated[], subagentId: string, callId: string | undefined, success: boolean | undefined): boolean {
    if (working.delete(subagentId)) out.push({ type: "subagent-end", subagentId, name: subagentId, callId, success });
    else out.push({ type: "notice", kind: "teammate_ended", parent: subagentId });
    return true;
  }

  return { owner, canSpeak: (id: string) => speaking.has(id), ownerOfCall, ownerOfError, hook, callFinished, callEnded, team };
}

/** Team events that are not work: queued runs, messages, missions, outcomes. */
export function teamNotice(event: JsonObject): EventBody {
  const kind = wordOf(event["type"]) ?? "team_event";
  const parent = wordOf(event["agentId"]) ?? wordOf(objectOf(event["run"])?.["agentId"]);
  const message = stringOf(event["message"]) ?? stringOf(objectOf(event["entry"])?.["summary"]);
  if (kind === "run_progress") return { type: "tool-progress", message, state: kind, parent }; // the teammate's own events report the same
  return { type: "notice", kind, message, parent, raw: withoutContents(event) };
}
