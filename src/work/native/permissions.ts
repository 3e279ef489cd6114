import { isAbout, type JudgedCall, shownCommand, undecidedBy, waysOf } from "../../host/permissions/index.ts";
import { isObject, spelled } from "../../pure/base/index.ts";
import type { CallRule } from "../../pure/events/index.ts";
import { parsePatch } from "./edits/index.ts";

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
  /** The base of paths. Without it, links and absolute paths cannot be judged before the call. */
  readonly root?: string;
}

export type Decision =
  | { readonly decision: "allow" }
  | { readonly decision: "deny"; readonly reason: string }
  /** No rule matches, or (the reason) it cannot be decided whether a denial does: a user must decide. */
  | { readonly decision: "ask"; readonly reason?: string };

/** Decides calls one after the other and remembers which one-time permissions are used. */
export interface PermissionDesk {
  /** `directory`: the one in which a command runs, if that is not the root. */
  decide(tool: string, input: unknown, directory?: string): Decision;
  /**
   * Judges each file again when the call uses it: links may have changed since the decision. Takes its path from the root, without
   * links; returns why the call may not use it.
   */
  guard(tool: string, input: unknown, directory?: string): (place: string) => string | undefined;
  /** Whether a user has allowed it for always, by an answer. */
  isRemembered(tool: string, input: unknown, directory?: string): boolean;
  /** Allows later calls too: this call again, or what a rule matches. */
  allow(rule: CallRule | { readonly tool: string; readonly input: unknown; readonly directory?: string | undefined }): void;
}

export function permissionDesk({ allowlist = [], allowOnce = [], deny = [], root }: AgentPermissions = {}): PermissionDesk {
  const once = [...allowOnce];
  const rules = [...allowlist];
  const remembered: CallRule[] = [];
  const calls = new Set<string>();

  const refusalOf = (call: JudgedCall) => {
    const rule = deny.find((each) => isAbout(each, call, false));
    return rule === undefined ? undefined : reasonOf(rule);
  };

  const gapOf = (call: JudgedCall) => {
    for (const rule of deny) {
      const gap = typeof rule === "string" ? undefined : undecidedBy(rule, call, [...rules, ...once]);
      if (gap !== undefined) return `${reasonOf(rule)}: ${gap}`;
    }
    return undefined;
  };

  return {
    decide(tool, input, directory) {
      const call = callOf(tool, input, root, directory);
      const reason = refusalOf(call);
      if (reason !== undefined) return { decision: "deny", reason };
      if (calls.has(keyOf(tool, input, directory))) return { decision: "allow" };
      const gap = gapOf(call);
      if (gap !== undefined) return { decision: "ask", reason: gap };
      if (rules.some((rule) => isAbout(rule, call, true))) return { decision: "allow" };
      const at = once.findIndex((rule) => isAbout(rule, call, true));
      if (at === -1) return { decision: "ask" };
      once.splice(at, 1);
      return { decision: "allow" };
    },
    guard(tool, input, directory) {
      const call = callOf(tool, input, root, directory);
      const expected = new Set(call.paths.flatMap(({ places }) => places));
      return (place) => {
        const isExpected = root === undefined || expected.size === 0 || expected.has(place);
        return isExpected
          ? refusalOf({ ...call, paths: [{ places: [place], isKnown: true }] })
          : `It leads to ${place}, which was not decided on.`;
      };
    },
    isRemembered(tool, input, directory) {
      const call = callOf(tool, input, root, directory);
      return calls.has(keyOf(tool, input, directory)) || remembered.some((rule) => isAbout(rule, call, true));
    },
    allow(rule) {
      if ("input" in rule) calls.add(keyOf(rule.tool, rule.input, rule.directory));
      else {
        rules.push(rule);
        remembered.push(rule);
      }
    },
  };
}

/** Equal for equal calls. The same parameters in a different order, or in a different directory, are asked about again. */
function keyOf(tool: string, input: unknown, directory: string | undefined): string {
  return JSON.stringify([tool, input, directory]);
}

function reasonOf(rule: NonNullable<AgentPermissions["deny"]>[number]): string {
  if (typeof rule !== "string" && rule.reason !== undefined) return rule.reason;
  return `A rule refuses ${typeof rule === "string" ? rule : rule.tool}.`;
}

/** A patch has one path per file. */
function callOf(tool: string, input: unknown, root: string | undefined, directory: string | undefined): JudgedCall {
  const { path, patchText, command } = isObject(input) ? input : {};
  const paths = tool === PATCH && path === undefined ? patchedPaths(patchText) : typeof path === "string" ? [path] : [];
  const own = tool === SHELL && typeof command === "string" ? { command, shown: shownCommand(command, root, directory ?? root) } : {};
  return { names: [tool], input, paths: waysOf(paths, root), ...own };
}

/** A patch that cannot be parsed has no paths: it changes nothing. */
function patchedPaths(text: unknown): readonly string[] {
  try {
    return parsePatch(spelled(text)).flatMap((part) =>
      part.kind === "update" && part.moveTo !== undefined ? [part.path, part.moveTo] : [part.path],
    );
  } catch {
    return [];
  }
}
