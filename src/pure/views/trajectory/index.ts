export { TRAJECTORY_VERSION, type TrajectoryStep, trajectorySchema, trajectoryStep } from "./schema.ts";
export { trajectory } from "./view.ts";
