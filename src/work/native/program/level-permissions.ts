import { isLike } from "../../../pure/base/index.ts";
import type { CallRule } from "../../../pure/events/index.ts";
import type { Permissions } from "../../../pure/pipeline/index.ts";
import { type AgentPermissions, SHELL } from "../permissions.ts";
import { readingTools } from "../workspace-tools.ts";

/** The kinds of calls that a rule may name with every agent. */
const KINDS: readonly (readonly [kind: string, tools: readonly string[]])[] = [
  ["read", ["read", "list"]],
  ["search", ["search"]],
  ["edit", ["write", "edit", "apply_patch"]],
  ["execute", [SHELL]],
];

/** Turns `--permissions`, `--allow` and `--deny` into our agent's rules: a glob matches a tool, its kind, or a command. */
export function levelPermissions(level: Permissions, allow: readonly string[], deny: readonly string[]): AgentPermissions {
  return {
    allowlist: [...(level === "full" ? ["*"] : readingTools), ...allow.flatMap(rulesOf)],
    deny: deny.flatMap((glob) => rulesOf(glob).map((rule) => ({ ...rule, reason: `--deny ${glob}` }))),
  };
}

/** The reason for a denial when no user can be asked. */
export function refusalAt(level: Permissions): string {
  return `No user is available to approve it (--permissions ${level}).`;
}

function rulesOf(glob: string): readonly CallRule[] {
  const tools = KINDS.flatMap(([kind, names]) => (isLike(kind, glob) ? names : []));
  return [{ tool: glob }, { tool: SHELL, params: { command: glob } }, ...tools.map((tool) => ({ tool }))];
}
