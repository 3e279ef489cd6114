import { isLike } from "../../pure/base/index.ts";
import type { CallRule, Operation } from "../../pure/events/index.ts";
import type { Permissions, Task } from "../../pure/pipeline/index.ts";
import { isAboutPrograms, type JudgedCall, unshown } from "./call-rule.ts";
import type { PermissionRequest } from "./permission.ts";
import { shownCommand } from "./shown-command.ts";

export interface Verdict {
  readonly decision: "allow" | "deny";
  /** Which rule decided, in a few words. */
  readonly reason: string;
  /** A denial because the call does not show enough: an allow rule for it or a user may still allow it. */
  readonly isOpen?: boolean;
  /** The chosen option, if the agent offered it. */
  readonly optionId?: string;
}

/**
 * The user's rule for this request; deny wins over allow. Undefined if no rule matches. A command with an argument that is not known is
 * denied if it could match, unless only what is sure `isWanted`.
 */
export function byRule(
  request: PermissionRequest,
  { allow = [], deny = [] }: Pick<Task, "allow" | "deny">,
  isWanted: "sure" | "possible" = "possible",
): Verdict | undefined {
  const refused = deny.find((pattern) => isDenied(request, pattern, isWanted));
  if (refused !== undefined) return { decision: "deny", reason: `deny ${refused}` };
  const allowed = allow.find((pattern) => isAllowed(request, pattern));
  return allowed === undefined ? undefined : { decision: "allow", reason: `allow ${allowed}` };
}

/** What the permission level decides if no rule matches and no one is asked. */
export function byLevel(request: PermissionRequest, permissions: Permissions): Verdict {
  const reason = `permissions ${permissions}`;
  if (permissions === "full") return { decision: "allow", reason };
  return { decision: permissions === "read-only" && onlyReads(request) ? "allow" : "deny", reason };
}

/** The kinds that rules name, for agents that do not report one. */
const KINDS: Readonly<Record<Operation["kind"], string>> = {
  read: "read",
  write: "edit",
  search: "search",
  list: "read",
  command: "execute",
  skill: "read",
};

/** A title is often the command, sometimes in quotes. */
function linesOf({ title, command }: PermissionRequest): readonly string[] {
  return [command, title?.replace(/^`(.*)`$/s, "$1")].filter((line) => line !== undefined);
}

/** Every kind that the call has, as reported and as far as we understand it. */
function kindsOf({ kind, command, operations }: PermissionRequest): readonly string[] {
  const known = [...(command === undefined ? [] : ["execute"]), ...operations.map((operation) => KINDS[operation.kind])];
  return [...new Set([...(kind === undefined ? [] : [kind]), ...known])];
}

/** The kind by which a rule may allow the call: the reported one, if it says anything; else the only one that it has. */
function allowedKind(request: PermissionRequest): string | undefined {
  const { kind, command } = request;
  const kinds = kindsOf(request).filter((each) => each !== "other");
  if (kind !== undefined && kind !== "other") return kind;
  if (command !== undefined) return "execute";
  return kinds.length === 1 ? kinds[0] : undefined;
}

function isAllowed(request: PermissionRequest, pattern: string): boolean {
  const names = [request.tool, request.kind, allowedKind(request)].filter((name) => name !== undefined);
  return names.some((name) => isLike(name, pattern)) || linesOf(request).some((line) => isLike(line, pattern, { within: true }));
}

function isDenied(request: PermissionRequest, pattern: string, isWanted: "sure" | "possible"): boolean {
  const commands = request.operations.flatMap((operation) => (operation.kind === "command" ? [operation.command] : []));
  const lines = [...linesOf(request), ...commands];
  const names = [...(request.tool === undefined ? [] : [request.tool]), ...kindsOf(request)];
  return names.some((text) => isLike(text, pattern)) || lines.some((line) => shownCommand(line, undefined).runs(pattern, isWanted));
}

/** Why a deny rule cannot be decided: it is about programs, and the command does not show all that it runs. */
export function undecided(call: JudgedCall, deny: readonly string[], allow: readonly (string | CallRule)[]): string | undefined {
  const rule = deny.find(isAboutPrograms);
  const reason = rule === undefined ? undefined : unshown(call, ["programs"], allow);
  return reason === undefined ? undefined : `deny ${rule}: ${reason}`;
}

const READING = new Set<Operation["kind"]>(["read", "search", "list", "skill"]);
/** Not `fetch`, which could send away what was read. */
const READING_KINDS = new Set<string | undefined>(["read", "search", "think"]);

/** Our own understanding of the call decides; without any, the kind the agent reports. */
function onlyReads({ kind, operations }: PermissionRequest): boolean {
  return operations.length > 0 ? operations.every((operation) => READING.has(operation.kind)) : READING_KINDS.has(kind);
}
