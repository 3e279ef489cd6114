import { isAbsolute, normalize, relative } from "node:path";
import { isLike, isObject, partsOf } from "../../pure/base/index.ts";
import { parsePatch } from "./parse-patch.ts";

/** The tool whose parameter is a command. */
export const SHELL = "shell";

/** The tool whose parameter names many files. */
const PATCH = "apply_patch";

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
  /** What the `path` of a call counts from, where that is absolute and the rule's glob is not. */
  readonly root?: string;
}

export type Decision =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason: string }
  /** No rule says: somebody has to. */
  | { readonly decision: "ask" };

/** Decides calls one after the other, and remembers which permissions have been used up. */
export type Decide = (tool: string, input: unknown) => Decision;

export function permissionDesk({ allowlist = [], allowOnce = [], deny = [], root }: AgentPermissions = {}): Decide {
  const once = [...allowOnce];
  return (tool, input) => {
    const refused = deny.find((rule) => isAbout(rule, tool, input, { root, allows: false }));
    if (refused !== undefined) return { decision: "deny", reason: reasonOf(refused) };
    if (allowlist.some((rule) => isAbout(rule, tool, input, { root, allows: true }))) return { decision: "allow" };
    const at = once.findIndex((rule) => isAbout(rule, tool, input, { root, allows: true }));
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
 * A command that is permitted by a glob must not go on with another one (`allows`); one that is refused is refused wherever it stands
 * in a command. A parameter that the call does not have fits nothing.
 */
function isAbout(
  rule: string | CallRule,
  tool: string,
  input: unknown,
  { root, allows }: { root: string | undefined; allows: boolean },
): boolean {
  if (typeof rule === "string") return isLike(tool, rule);
  if (!isLike(tool, rule.tool)) return false;
  return Object.entries(rule.params ?? {}).every(([name, glob]) => {
    const values = valuesOf(tool, input, name, root);
    const fits = (text: string) => {
      if (allows) return isLike(text, glob, { within: tool === SHELL });
      return isLike(text, glob) || (tool === SHELL && partsOf(text).some((part) => isLike(part, glob)));
    };
    return allows ? values.length > 0 && values.every(fits) : values.some(fits);
  });
}

/** What a call says under a name: nothing, or one thing; a patch has as many paths as it has files. */
function valuesOf(tool: string, input: unknown, name: string, root: string | undefined): readonly string[] {
  const params = isObject(input) ? input : {};
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  if (name !== "path") return value === undefined ? [] : [typeof value === "string" ? value : JSON.stringify(value)];
  const paths = tool === PATCH && value === undefined ? patchedPaths(params["patchText"]) : [value];
  return paths.filter((path) => typeof path === "string").map((path) => plainPath(path, root));
}

/** Those of a patch that cannot be read are none: it changes nothing. */
function patchedPaths(text: unknown): readonly string[] {
  try {
    return parsePatch(String(text)).flatMap((part) =>
      part.kind === "update" && part.moveTo !== undefined ? [part.path, part.moveTo] : [part.path],
    );
  } catch {
    return [];
  }
}

/** `src/../key` is no file in src. */
function plainPath(path: string, root: string | undefined): string {
  return normalize(root !== undefined && isAbsolute(path) ? relative(root, path) : path);
}
