export { executeTrial } from "./execute-trial.ts";
export { statePaths } from "./keep-state.ts";
export { rebuildState } from "./rebuild-state.ts";
export { templatePath } from "./templates.ts";
export { evaluationsFolder, openTrialHost, type TrialHost } from "./trial-host.ts";
