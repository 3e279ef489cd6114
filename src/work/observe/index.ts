/** What happened, seen from outside the agent: files, commands, checks, a signed proof. */

export { type Bundle, type BundleOptions, bundle } from "./bundle.ts";
export { type CheckOptions, type CheckResult, check } from "./check.ts";
export { livePolicy } from "./evaluation/index.ts";
export { type Observation, type ObserveCall, type Observed, observe } from "./observe.ts";
export { readScenario } from "./read-scenario.ts";
export type { Scenario } from "./scenario.ts";
export { type Verification, type VerifyOptions, verify } from "./verify/index.ts";
