// Claude Code's `task_*` lines: subagents, background commands, workflows.

import { arrayOf, isObject, type JsonObject, objectOf, stringOf, without, wordOf } from "../../base/index.ts";
import type { EventBody } from "../../events/index.ts";

interface Task {
  readonly isAgent: boolean;
  readonly callId: string | undefined;
  readonly name: string | undefined;
  ended: boolean;
}

const ENDED_WELL = new Set(["completed", "success", "done"]);
const ENDED_BADLY = new Set(["failed", "error", "errored", "killed", "stopped", "cancelled", "canceled"]);

/** Each reader returns the event of a line, `"again"` for a repeated fact, or undefined for a line it cannot read. */
export function claudeTasks() {
  const tasks = new Map<string, Task>();
  const byCall = new Map<string, string>();

  /** Only agents are subagents: `local_bash` is a background command, `local_workflow` the Workflow tool. */
  function started(line: JsonObject): EventBody | undefined {
    const subagentId = wordOf(line["task_id"]);
    if (subagentId === undefined) return undefined;
    const kind = wordOf(line["task_type"]);
    const name = wordOf(line["subagent_type"]);
    const callId = wordOf(line["tool_use_id"]);
    const isAgent = kind === undefined ? name !== undefined : kind.endsWith("_agent");
    tasks.set(subagentId, { isAgent, callId, name, ended: false });
    if (!isAgent) return progress(line);
    if (callId !== undefined) byCall.set(callId, subagentId);
    const description = wordOf(line["description"]);
    const parent = wordOf(line["parent_task_id"]);
    return { type: "subagent-start", subagentId, name, callId, description, parent };
  }

  /** `task_updated` and `task_notification` both report the end of a task. Neither names its kind. */
  function ended(line: JsonObject): EventBody | "again" | undefined {
    const subagentId = wordOf(line["task_id"]);
    if (subagentId === undefined) return undefined;
    const status = wordOf(objectOf(line["patch"])?.["status"]) ?? wordOf(line["status"]);
    const task = tasks.get(subagentId);
    if (task?.isAgent !== true || status === undefined || !(ENDED_WELL.has(status) || ENDED_BADLY.has(status)))
      return progress(line, status);
    if (task.ended) {
      tasks.delete(subagentId); // both lines have come
      return "again";
    }
    task.ended = true;
    const { name, callId } = task;
    return { type: "subagent-end", subagentId, success: ENDED_WELL.has(status), name, callId };
  }

  function progress(line: JsonObject, state?: string): EventBody | undefined {
    const taskId = wordOf(line["task_id"]);
    if (taskId === undefined) return undefined;
    const task = tasks.get(taskId);
    const callId = wordOf(line["tool_use_id"]) ?? task?.callId;
    const message = stringOf(line["summary"]) ?? stringOf(line["description"]);
    const parent = task?.isAgent ? taskId : undefined;
    return { type: "tool-progress", callId, message, state, parent, raw: without(line, ["workflow_progress", "summary"]) };
  }

  /** Only progress lines report the agents of a workflow, and each repeats the whole list. */
  function workflowAgents(line: JsonObject): EventBody[] {
    const out: EventBody[] = [];
    for (const entry of arrayOf(line["workflow_progress"]) ?? []) {
      const subagentId = wordOf(objectOf(entry)?.["agentId"]);
      if (!isObject(entry) || subagentId === undefined) continue;
      const name = wordOf(entry["label"]);
      const known = tasks.get(subagentId);
      const task = known ?? { isAgent: true, callId: wordOf(line["tool_use_id"]), name, ended: false };
      if (known === undefined) {
        tasks.set(subagentId, task);
        out.push({ type: "subagent-start", subagentId, name, callId: task.callId });
      }
      const state = wordOf(entry["state"]);
      if (task.ended || state === undefined || !(ENDED_WELL.has(state) || ENDED_BADLY.has(state))) continue;
      task.ended = true;
      out.push({ type: "subagent-end", subagentId, name, callId: task.callId, success: ENDED_WELL.has(state) });
    }
    return out;
  }

  /** A CLI without task lines still names the subagent in the result of the call that started it. */
  function fromResult(callId: string, detail: JsonObject | undefined, success: boolean | undefined): EventBody[] {
    const subagentId = wordOf(detail?.["agentId"]);
    if (subagentId === undefined || byCall.has(callId)) return [];
    byCall.set(callId, subagentId);
    const about = { subagentId, callId, name: wordOf(detail?.["agentType"]) };
    const start: EventBody = { type: "subagent-start", ...about };
    return success === undefined ? [start] : [start, { type: "subagent-end", ...about, success }];
  }

  return {
    started,
    ended,
    progress,
    workflowAgents,
    fromResult,
    /** The subagent behind a parent call: its id, or the call's id while that is unknown. */
    subagentOf: (callId: string, named?: string) => named ?? byCall.get(callId) ?? callId,
  };
}
