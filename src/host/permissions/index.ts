/** What a call may do: rules, answers, and paths judged by where they lead. */

export { isAbout, type JudgedCall, waysOf } from "./call-rule.ts";
export { type Deciders, decider, type LivePolicy } from "./decider.ts";
export { byLevel, type Verdict } from "./level.ts";
export type { OnPermission, PermissionAnswer, PermissionOption, PermissionRequest } from "./permission.ts";
