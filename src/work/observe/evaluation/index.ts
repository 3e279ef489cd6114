export { checkNames, evaluateRun } from "./evaluate-run.ts";
export { readPolicy } from "./read-policy.ts";
