import { clipped, isObject } from "../base/index.ts";

/** Matches calls by a glob for the tool's name and globs for its parameters. All must match. */
export interface CallRule {
  readonly tool: string;
  readonly params?: Readonly<Record<string, string>>;
}

/**
 * The answer to a permission request, the same for every agent and over every wire. `once` allows this call. `always` also allows later
 * calls of the same run: the same call again, or every call that `rule` matches; deny rules still win. `approved` is specification 002's
 * spelling, `allow` an earlier one.
 */
export type RelayAnswer =
  | "once"
  | "always"
  | "deny"
  | "allow"
  | { readonly decision: "once"; readonly reason?: string }
  | { readonly decision: "always"; readonly rule?: CallRule; readonly reason?: string }
  | { readonly decision: "deny"; readonly reason?: string }
  | { readonly decision: "allow"; readonly always?: boolean | CallRule; readonly reason?: string }
  | { readonly approved: true; readonly always?: boolean | CallRule; readonly reason?: string }
  | { readonly approved: false; readonly reason?: string };

/** An answer that was read. */
export type RelayVerdict =
  | { readonly decision: "once"; readonly reason?: string }
  /** Without a rule: the same call again. */
  | { readonly decision: "always"; readonly rule?: CallRule; readonly reason?: string }
  | { readonly decision: "deny"; readonly reason: string };

export const NOT_PERMITTED = "It was not permitted.";
export const INVALID_ANSWER = "The answer is not valid. Answer once, always or deny.";

/** Reads an answer from anywhere. Only an answer that is exactly valid permits; everything else denies. */
export function readAnswer(answer: unknown): RelayVerdict {
  try {
    return verdictOf(answer) ?? { decision: "deny", reason: INVALID_ANSWER };
  } catch {
    return { decision: "deny", reason: INVALID_ANSWER }; // a getter threw
  }
}

function verdictOf(answer: unknown): RelayVerdict | undefined {
  if (typeof answer === "string") return verdictOf({ decision: answer });
  if (!isObject(answer)) return undefined;
  const fields = new Map(Object.entries(answer).filter(([, value]) => value !== undefined));
  const said = fields.get("reason");
  if (said !== undefined && typeof said !== "string") return undefined;
  const reason = said === undefined || said === "" ? {} : { reason: said };
  const has = (...names: readonly string[]) => [...fields.keys()].every((name) => name === "reason" || names.includes(name));
  const [decision, approved, always, rule] = ["decision", "approved", "always", "rule"].map((name) => fields.get(name));
  if ((decision === "deny" && has("decision")) || (approved === false && has("approved")))
    return { decision: "deny", reason: NOT_PERMITTED, ...reason };
  if (decision === "once" && has("decision")) return { decision: "once", ...reason };
  if (decision === "always" && has("decision", "rule")) {
    const read = rule === undefined ? undefined : ruleOf(rule);
    return rule !== undefined && read === undefined ? undefined : { decision: "always", ...(read && { rule: read }), ...reason };
  }
  if (!(decision === "allow" && has("decision", "always")) && !(approved === true && has("approved", "always"))) return undefined;
  if (always === undefined || always === false) return { decision: "once", ...reason };
  const read = always === true ? undefined : ruleOf(always);
  return always !== true && read === undefined ? undefined : { decision: "always", ...(read && { rule: read }), ...reason };
}

/** A copy: what was validated is what is used. */
function ruleOf(value: unknown): CallRule | undefined {
  if (!isObject(value)) return undefined;
  const { tool, params, ...rest } = value;
  if (typeof tool !== "string" || tool.trim() === "" || Object.keys(rest).length > 0) return undefined;
  if (params === undefined) return { tool };
  if (!isObject(params)) return undefined;
  const globs = Object.entries(params);
  return globs.every((each): each is [string, string] => typeof each[1] === "string")
    ? { tool, params: Object.fromEntries(globs) as Record<string, string> }
    : undefined;
}

const LONGEST_RULE = 300;

/** A rule in one line, for people: what `always` allows. */
export function ruleText(rule: { readonly tool: string; readonly params?: unknown }): string {
  return rule.params === undefined ? rule.tool : clipped(`${rule.tool} ${JSON.stringify(rule.params)}`, LONGEST_RULE);
}
