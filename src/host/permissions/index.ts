/** What a call may do: rules, answers, and paths judged by where they lead. */

export { askDecision } from "./ask-decision.ts";
export { everyName, isAbout, type JudgedCall, undecidedBy, unshown, waysOf } from "./call-rule.ts";
export { type Deciders, decider, judgedCall, type LivePolicy } from "./decider.ts";
export { excessWatch } from "./excess.ts";
export { byLevel, byRule, undecided, type Verdict } from "./level.ts";
export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./permission.ts";
export { shownCommand } from "./shown-command.ts";
