export { capturePlan, openCapture } from "./capture-plan.ts";
export { inParallel } from "./in-parallel.ts";
export { type Limits, limitsOf } from "./limits.ts";
export { type Scheduled, schedule } from "./schedule.ts";
export type { TrialPlan } from "./trial-plan.ts";
export { openTrials, trialsPlan } from "./trials-plan.ts";
