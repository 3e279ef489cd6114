export { statePaths } from "./keep-state.ts";
export { defaultLimits, parseLimits } from "./limits.ts";
export { rebuildState } from "./rebuild-state.ts";
export { runTrial, type TrialAttempt } from "./run-trial.ts";
export { type Job, type Scheduled, type ScheduleOptions, schedule } from "./schedule.ts";
export { openTemplates, type Templates } from "./templates.ts";
