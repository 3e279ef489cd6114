import {
  byRule,
  everyName,
  isAbout,
  type JudgedCall,
  judgedCall,
  type LivePolicy,
  type PermissionRequest,
  undecided,
  undecidedBy,
  unshown,
  type Verdict,
  waysOf,
} from "../../../host/permissions/index.ts";
import { addedLines } from "../../../pure/agents/index.ts";
import { type Check, type CheckOptions, checks, type PlannedEffects, ruleCheck } from "../../../pure/checks/index.ts";
import { type CallRule, ruleText } from "../../../pure/events/index.ts";
import { nameOf, readWholePolicy } from "./read-policy.ts";

/**
 * The policy of a file, to decide calls before they run. It denies what its deny rules match and what would make one of its checks fail, as
 * far as the call shows that; a command that does not show it, unless an allow rule names the command; then it allows what its allow rules
 * match. About any other call it says nothing.
 */
export function livePolicy(file: string): LivePolicy {
  const { entries, allow, deny, hash } = readWholePolicy(file);
  const judges = entries.flatMap((entry): readonly { readonly check: Check; readonly options: CheckOptions }[] => {
    if (entry.kind === "module") return [];
    if (entry.kind === "rule") return [{ check: ruleCheck(entry.rule), options: {} }];
    const check = checks.find(({ id }) => id === nameOf(entry));
    return check === undefined ? [] : [{ check, options: entry.options }];
  });

  /** Why it cannot be decided whether the call is forbidden. */
  function gapOf(call: JudgedCall, allowed: readonly (string | CallRule)[]): string | undefined {
    if (call.shown === undefined) return undefined;
    for (const rule of deny) {
      const reason = typeof rule === "string" ? undecided(call, [rule], allowed) : undecidedBy(rule, call, allowed);
      if (reason !== undefined) return typeof rule === "string" ? reason : `deny ${textOf(rule)}: ${reason}`;
    }
    for (const { check } of judges) {
      const reason = check.needs === undefined ? undefined : unshown(call, [check.needs], allowed);
      if (reason !== undefined) return `${check.id}: ${reason}`;
    }
    return undefined;
  }

  const decide: LivePolicy = (request, root, more = []) => {
    const call = judgedCall(request, root);
    const denied = deny.find((rule) => matches(rule, request, call, false));
    if (denied !== undefined) return { decision: "deny", reason: `policy: deny ${textOf(denied)}` };
    const effects = effectsOf(request, root, call);
    for (const { check, options } of judges) {
      const reason = check.refuseCall?.(effects, options);
      if (reason !== undefined) return { decision: "deny", reason: `policy: ${check.id}: ${reason}` };
    }
    const lost = [...call.paths, ...(call.shown?.written ?? [])].find((way) => !way.isKnown || everyName(way) === undefined)?.places[0];
    const paths = judges.find(({ check }) => check.needs === "places");
    if (lost !== undefined && paths !== undefined)
      return { decision: "deny", reason: `policy: ${paths.check.id}: ${lost} leads to a place that is not known` };
    const gap = gapOf(call, [...allow, ...more]);
    if (gap !== undefined) return { decision: "deny", reason: `policy: ${gap}`, isOpen: true };
    const allowed = allow.find((rule) => matches(rule, request, call, true));
    return allowed === undefined ? undefined : { decision: "allow", reason: `policy: allow ${textOf(allowed)}` };
  };
  return Object.assign(decide, { id: `policy ${hash.slice(0, 16)}` });
}

function matches(rule: string | CallRule, request: PermissionRequest, call: JudgedCall, allows: boolean): boolean {
  if (typeof rule !== "string") return isAbout(rule, call, allows);
  const found: Verdict | undefined = byRule(request, allows ? { allow: [rule] } : { deny: [rule] });
  return found !== undefined;
}

function textOf(rule: string | CallRule): string {
  return typeof rule === "string" ? rule : ruleText(rule);
}

const FETCHES = /^(web_?(fetch|search)|fetch|google_web_search)$/i;

function effectsOf(
  { tool = "", kind, input, operations }: PermissionRequest,
  root: string | undefined,
  { shown }: JudgedCall,
): PlannedEffects {
  const written = operations.flatMap((operation) => (operation.kind === "write" ? [operation.path] : []));
  return {
    writes: [...waysOf(written, root), ...(shown?.written ?? [])].map((way) => everyName(way) ?? way.places),
    carried: shown?.carried ?? [],
    commands: shown?.texts ?? [],
    programs: shown?.programs ?? [],
    added: addedLines(tool, input),
    fetches: kind === "fetch" || FETCHES.test(tool) || shown?.connects === true,
  };
}
