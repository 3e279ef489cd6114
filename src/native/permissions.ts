import { isLike } from "../core/glob.ts";
import { isObject } from "../core/json.ts";

/** Calls that are meant: a tool, by a glob of its name, and globs of what its parameters say. All of them have to fit. */
export interface CallRule {
  readonly tool: string;
  readonly params?: Readonly<Record<string, string>>;
}

/** Who may call what. A refusal wins; what no rule is about is asked. */
export interface AgentPermissions {
  /** Always permitted; a text is a tool's name. */
  readonly allowlist?: readonly (string | CallRule)[];
  /** Permitted once each. */
  readonly allowOnce?: readonly (string | CallRule)[];
  readonly deny?: readonly (string | (CallRule & { readonly reason?: string }))[];
}

export type Decision =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason: string }
  /** No rule says: somebody has to. */
  | { readonly decision: "ask" };

/** Decides calls one after the other, and remembers which permissions have been used up. */
export type Decide = (tool: string, input: unknown) => Decision;

export function permissionDesk({ allowlist = [], allowOnce = [], deny = [] }: AgentPermissions = {}): Decide {
  const once = [...allowOnce];
  return (tool, input) => {
    const refused = deny.find((rule) => isAbout(rule, tool, input, false));
    if (refused !== undefined) return { decision: "deny", reason: reasonOf(refused) };
    if (allowlist.some((rule) => isAbout(rule, tool, input, true))) return { decision: "allow" };
    const at = once.findIndex((rule) => isAbout(rule, tool, input, true));
    if (at === -1) return { decision: "ask" };
    once.splice(at, 1);
    return { decision: "allow" };
  };
}

function reasonOf(rule: NonNullable<AgentPermissions["deny"]>[number]): string {
  if (typeof rule !== "string" && rule.reason !== undefined) return rule.reason;
  return `A rule refuses ${typeof rule === "string" ? rule : rule.tool}.`;
}

/**
 * A parameter of a command that is permitted by a glob must not go on with another command (`within`); one that is refused is refused
 * wherever it stands in it. A parameter that the call does not have fits nothing.
 */
function isAbout(rule: string | CallRule, tool: string, input: unknown, within: boolean): boolean {
  if (typeof rule === "string") return isLike(tool, rule);
  if (!isLike(tool, rule.tool)) return false;
  const params = isObject(input) ? input : {};
  return Object.entries(rule.params ?? {}).every(([name, glob]) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return false;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return within
      ? isLike(text, glob, { within: tool === "shell" })
      : isLike(text, glob) || (tool === "shell" && isLike(text, `*${glob}*`));
  });
}
