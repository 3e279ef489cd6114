import type { Permissions } from "../../../pure/pipeline/index.ts";
import { type AgentPermissions, type CallRule, SHELL } from "../permissions.ts";
import { readingTools } from "../workspace-tools.ts";

/** `--permissions`, `--allow` and `--deny` in the words of an agent of ours: a glob is of a tool, or of a command. */
export function levelPermissions(level: Permissions, allow: readonly string[], deny: readonly string[]): AgentPermissions {
  return {
    allowlist: [...(level === "full" ? ["*"] : readingTools), ...allow.flatMap(rulesOf)],
    deny: deny.flatMap((glob) => rulesOf(glob).map((rule) => ({ ...rule, reason: `--deny ${glob}` }))),
  };
}

/** What somebody is told who may not be asked. */
export function refusalAt(level: Permissions): string {
  return `Nobody is there to be asked (--permissions ${level}).`;
}

function rulesOf(glob: string): readonly CallRule[] {
  return [{ tool: glob }, { tool: SHELL, params: { command: glob } }];
}
