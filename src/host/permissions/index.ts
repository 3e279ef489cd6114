/** What a call may do: rules, answers, and paths judged by where they lead. */

export { askDecision } from "./ask-decision.ts";
export { isAbout, type JudgedCall, waysOf } from "./call-rule.ts";
export { commandsIn } from "./commands-in.ts";
export { type Deciders, decider, judgedCall, type LivePolicy } from "./decider.ts";
export { excessWatch } from "./excess.ts";
export { byLevel, byRule, type Verdict } from "./level.ts";
export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./permission.ts";
