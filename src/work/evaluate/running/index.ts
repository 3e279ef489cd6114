export { executeTrial } from "./execute-trial.ts";
export { patchOfRun } from "./rebuild-state.ts";
export { isUngraded, openRegrader, type Regrader } from "./regrader.ts";
export { templateOf } from "./templates.ts";
export { evaluationsFolder, openTrialHost, type TrialHost } from "./trial-host.ts";
