import type { CallRule } from "../../../pure/events/index.ts";
import type { Permissions } from "../../../pure/pipeline/index.ts";
import { type AgentPermissions, SHELL } from "../permissions.ts";
import { readingTools } from "../workspace-tools.ts";

/** Turns `--permissions`, `--allow` and `--deny` into our agent's rules: a glob matches a tool, or a command. */
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
  return [{ tool: glob }, { tool: SHELL, params: { command: glob } }];
}
