import { isAbsolute, normalize, relative } from "node:path";
import { isLike, isObject, partsOf } from "../../pure/base/index.ts";
import type { CallRule } from "../../pure/events/index.ts";
import { parsePatch } from "./parse-patch.ts";

/** The tool with a command as its parameter. */
export const SHELL = "shell";

/** The tool with a parameter that names many files. */
const PATCH = "apply_patch";

/** Which calls are allowed. A denial wins; a call without a matching rule needs approval. */
export interface AgentPermissions {
  /** Always allowed; a string is a tool's name. */
  readonly allowlist?: readonly (string | CallRule)[];
  /** Allowed once each. */
  readonly allowOnce?: readonly (string | CallRule)[];
  readonly deny?: readonly (string | (CallRule & { readonly reason?: string }))[];
  /** The base for a call's absolute `path` if the rule's glob is relative. */
  readonly root?: string;
}

export type Decision =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason: string }
  /** No rule matches: a user must decide. */
  | { readonly decision: "ask" };

/** Decides calls one after the other and remembers which one-time permissions are used. */
export interface PermissionDesk {
  decide(tool: string, input: unknown): Decision;
  /** Allows later calls too: this call again, or what a rule matches. */
  allow(rule: CallRule | { readonly tool: string; readonly input: unknown }): void;
}

export function permissionDesk({ allowlist = [], allowOnce = [], deny = [], root }: AgentPermissions = {}): PermissionDesk {
  const once = [...allowOnce];
  const rules = [...allowlist];
  const calls = new Set<string>();

  function decide(tool: string, input: unknown): Decision {
    const refused = deny.find((rule) => isAbout(rule, tool, input, { root, allows: false }));
    if (refused !== undefined) return { decision: "deny", reason: reasonOf(refused) };
    if (calls.has(keyOf(tool, input))) return { decision: "allow" };
    if (rules.some((rule) => isAbout(rule, tool, input, { root, allows: true }))) return { decision: "allow" };
    const at = once.findIndex((rule) => isAbout(rule, tool, input, { root, allows: true }));
    if (at === -1) return { decision: "ask" };
    once.splice(at, 1);
    return { decision: "allow" };
  }

  return {
    decide,
    allow(rule) {
      if ("input" in rule) calls.add(keyOf(rule.tool, rule.input));
      else rules.push(rule);
    },
  };
}

/** Equal for equal calls. The same parameters in a different order are asked about again. */
function keyOf(tool: string, input: unknown): string {
  return JSON.stringify([tool, input]);
}

function reasonOf(rule: NonNullable<AgentPermissions["deny"]>[number]): string {
  if (typeof rule !== "string" && rule.reason !== undefined) return rule.reason;
  return `A rule refuses ${typeof rule === "string" ? rule : rule.tool}.`;
}

/**
 * An allowed command must not chain a further one (`allows`); a denied command is denied at any place in a command line. A parameter
 * that the call does not have matches nothing.
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

/** The values of a call's parameter: none or one; a patch has one path per file. */
function valuesOf(tool: string, input: unknown, name: string, root: string | undefined): readonly string[] {
  const params = isObject(input) ? input : {};
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  if (name !== "path") return value === undefined ? [] : [typeof value === "string" ? value : JSON.stringify(value)];
  const paths = tool === PATCH && value === undefined ? patchedPaths(params["patchText"]) : [value];
  return paths.filter((path) => typeof path === "string").map((path) => plainPath(path, root));
}

/** A patch that cannot be parsed has no paths: it changes nothing. */
function patchedPaths(text: unknown): readonly string[] {
  try {
    return parsePatch(String(text)).flatMap((part) =>
      part.kind === "update" && part.moveTo !== undefined ? [part.path, part.moveTo] : [part.path],
    );
  } catch {
    return [];
  }
}

/** Normalizes a path: `src/../key` is not in src. */
function plainPath(path: string, root: string | undefined): string {
  return normalize(root !== undefined && isAbsolute(path) ? relative(root, path) : path);
}
