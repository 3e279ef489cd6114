import {
  byRule,
  commandsIn,
  isAbout,
  type JudgedCall,
  judgedCall,
  type LivePolicy,
  type PermissionRequest,
  type Verdict,
  waysOf,
} from "../../../host/permissions/index.ts";
import { addedLines } from "../../../pure/agents/index.ts";
import { type Check, type CheckOptions, checks, type PlannedEffects, ruleCheck } from "../../../pure/checks/index.ts";
import { type CallRule, ruleText } from "../../../pure/events/index.ts";
import { programsIn, simpleCommands } from "../../../pure/shell/index.ts";
import { nameOf, readWholePolicy } from "./read-policy.ts";

/**
 * The policy of a file, to decide calls before they run. It denies what its deny rules match and what would make one of its checks fail, as
 * far as the call shows that; then it allows what its allow rules match. About any other call it says nothing.
 */
export function livePolicy(file: string): LivePolicy {
  const { entries, allow, deny } = readWholePolicy(file);
  const judges = entries.flatMap((entry): readonly { readonly check: Check; readonly options: CheckOptions }[] => {
    if (entry.kind === "module") return [];
    if (entry.kind === "rule") return [{ check: ruleCheck(entry.rule), options: {} }];
    const check = checks.find(({ id }) => id === nameOf(entry));
    return check === undefined ? [] : [{ check, options: entry.options }];
  });

  return (request, root) => {
    const call = judgedCall(request, root);
    const denied = deny.find((rule) => matches(rule, request, call, false));
    if (denied !== undefined) return { decision: "deny", reason: `policy: deny ${textOf(denied)}` };
    const effects = effectsOf(request, root);
    for (const { check, options } of judges) {
      const reason = check.refuseCall?.(effects, options);
      if (reason !== undefined) return { decision: "deny", reason: `policy: ${check.id}: ${reason}` };
    }
    const allowed = allow.find((rule) => matches(rule, request, call, true));
    return allowed === undefined ? undefined : { decision: "allow", reason: `policy: allow ${textOf(allowed)}` };
  };
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

function effectsOf({ tool = "", kind, command, input, operations }: PermissionRequest, root: string | undefined): PlannedEffects {
  const written = operations.flatMap((operation) => (operation.kind === "write" ? [operation.path] : []));
  return {
    writes: waysOf(written, root).map(({ places }) => places),
    commands: command === undefined ? [] : commandsIn(command),
    programs: command === undefined ? [] : (simpleCommands(command) ?? []).flatMap((argv) => programsIn(argv)),
    added: addedLines(tool, input),
    fetches: kind === "fetch" || FETCHES.test(tool),
  };
}
