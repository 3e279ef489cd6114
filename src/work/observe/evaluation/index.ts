export { commandsIn } from "./commands-in.ts";
export { checkNames, evaluateRun } from "./evaluate-run.ts";
export { livePolicy } from "./live-policy.ts";
export { readPolicy } from "./read-policy.ts";
