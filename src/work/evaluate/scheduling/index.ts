export { capturePlan } from "./capture-plan.ts";
export { defaultLimits, parseLimits } from "./limits.ts";
export { type Attempt, type Job, type Scheduled, type ScheduleOptions, schedule } from "./schedule.ts";
export { trialsPlan } from "./trials-plan.ts";
