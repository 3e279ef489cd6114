import { isObject, wordOf } from "../../pure/base/index.ts";
import { type Event, EXCEEDED, type FactBody, type ToolStartBody } from "../../pure/events/index.ts";
import type { Task } from "../../pure/pipeline/index.ts";
import { byLevel, byRule, type Verdict } from "./level.ts";
import type { PermissionRequest } from "./permission.ts";

const UNASKED: Verdict = { decision: "deny", reason: "hooks that never asked about a call" };

/** `mcp__server__tool`, `server__tool` and `server.tool` belong to MCP servers; the others fetch or search in the web. */
const LEAVES =
  /^(?:mcp_.+|[\w-]+(?:__|\.)[\w-]+|(?:call|use)_mcp_tool|web_?(?:fetch|search)|fetch(?:_web_content|_url)?|google_web_search|browser_action)$/i;

/**
 * Notices calls that succeeded although a deny rule or the level `read-only` forbids them, once per tool and rule. The agent's own report
 * decides: a call that it does not report, or whose effect is not known, is not noticed. Calls of MCP servers and of the web are known by
 * their tools' names. `isSandboxed`: at `read-only` its commands run, and
 * can change nothing. `isAsked`: whether its hooks have asked about any call yet; an agent that does not know hooks never does.
 */
export function excessWatch(task: Task, isSandboxed: boolean, isAsked?: () => boolean): (events: readonly Event[]) => readonly FactBody[] {
  const allowed = new Set<string>();
  const reported = new Set<string>();

  function forbids(start: ToolStartBody): Verdict | undefined {
    const request = requestOf(start);
    const { operations, command } = request;
    const isKnown = operations.length > 0 || LEAVES.test(start.tool);
    const isHeldBack = task.permissions === "read-only" && isKnown && !(isSandboxed && command !== undefined);
    const verdict = byRule(request, task, "sure") ?? (isHeldBack ? byLevel(request, "read-only") : undefined);
    return verdict?.decision === "deny" ? verdict : undefined;
  }

  function excessOf({ body, call }: Event): FactBody | undefined {
    if (body.type === "permission-decision" && body.decision === "allow" && body.callId !== undefined) allowed.add(body.callId);
    if (body.type !== "tool-end" || body.success !== true || call === undefined || allowed.has(body.callId)) return undefined;
    const start = body.operations === undefined ? call.start.body : { ...call.start.body, operations: body.operations };
    const verdict = isAsked?.() === false ? UNASKED : forbids(start);
    const key = `${start.tool} ${verdict?.reason}`;
    if (verdict === undefined || reported.has(key)) return undefined;
    reported.add(key);
    return {
      type: "warning",
      code: EXCEEDED,
      message: `The agent exceeded its permissions: ${start.tool} succeeded in spite of ${verdict.reason}.`,
    };
  }

  return (events) => events.flatMap((event) => excessOf(event) ?? []);
}

function requestOf({ tool, title, operations, input }: ToolStartBody): PermissionRequest {
  const found = operations.flatMap((operation) => (operation.kind === "command" ? [operation.command] : []))[0];
  const command = isObject(input) ? (wordOf(input["command"]) ?? wordOf(input["cmd"]) ?? found) : found;
  return { tool, title, operations, input, options: [], ...(command !== undefined && { command }) };
}
