export { TRAJECTORY_VERSION, type TrajectoryStep, trajectory } from "./view.ts";
