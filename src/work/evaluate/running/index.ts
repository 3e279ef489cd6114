export { runTrial, type TrialAttempt } from "./execute-trial.ts";
export { statePaths } from "./keep-state.ts";
export { rebuildState } from "./rebuild-state.ts";
export { openTemplates, type Templates } from "./templates.ts";
