import { isObject, wordOf } from "../../pure/base/index.ts";
import { type Event, EXCEEDED, type FactBody, type Operation, type ToolStartBody } from "../../pure/events/index.ts";
import type { Task } from "../../pure/pipeline/index.ts";
import { byLevel, byRule, type Verdict } from "./level.ts";
import type { PermissionRequest } from "./permission.ts";

/** The kinds of calls that rules name. */
const KINDS: Readonly<Record<Operation["kind"], string>> = {
  read: "read",
  write: "edit",
  search: "search",
  list: "read",
  command: "execute",
  skill: "read",
};

/**
 * Notices calls that succeeded although a deny rule or the level `read-only` forbids them, once per tool and rule. The agent's own report
 * decides: a call that it does not report, or whose effect is not known, is not noticed. `isSandboxed`: at `read-only` its commands run, and
 * can change nothing.
 */
export function excessWatch(task: Task, isSandboxed: boolean): (events: readonly Event[]) => readonly FactBody[] {
  const allowed = new Set<string>();
  const reported = new Set<string>();

  function forbids(start: ToolStartBody): Verdict | undefined {
    const requests = requestsOf(start);
    const rules = requests.flatMap((request) => byRule(request, task) ?? []);
    if (rules.length > 0) return rules.find(({ decision }) => decision === "deny");
    const isHeldBack = task.permissions === "read-only" && start.operations.length > 0 && !(isSandboxed && runsCommand(start));
    return isHeldBack ? requests.map((request) => byLevel(request, "read-only")).find(({ decision }) => decision === "deny") : undefined;
  }

  function excessOf({ body, call }: Event): FactBody | undefined {
    if (body.type === "permission-decision" && body.decision === "allow" && body.callId !== undefined) allowed.add(body.callId);
    if (body.type !== "tool-end" || body.success !== true || call === undefined || allowed.has(body.callId)) return undefined;
    const start = body.operations === undefined ? call.start.body : { ...call.start.body, operations: body.operations };
    const verdict = forbids(start);
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

/** A rule may be about the call, its command, or any of its operations. */
function requestsOf(start: ToolStartBody): readonly PermissionRequest[] {
  const { tool, title, operations, input } = start;
  const asked = { tool, title, operations, input, options: [] };
  const whole = runsCommand(start) ? { ...asked, kind: "execute", command: commandIn(input) } : asked;
  const parts = operations.map((operation) => {
    const command = operation.kind === "command" ? operation.command : undefined;
    return { ...asked, kind: KINDS[operation.kind], command, operations: [operation] };
  });
  return [whole, ...parts];
}

function runsCommand({ operations, input }: ToolStartBody): boolean {
  return operations.some(({ kind }) => kind === "command") || commandIn(input) !== undefined;
}

function commandIn(input: unknown): string | undefined {
  return isObject(input) ? (wordOf(input["command"]) ?? wordOf(input["cmd"])) : undefined;
}
