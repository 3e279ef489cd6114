/** Builds walls around agents: what they see of files, processes and the network. */

export { type GraderWalls, graderWalls } from "./grader-walls.ts";
export { type Isolating, isolating, requireLevel, type Usual } from "./isolating.ts";
export { removeAbandonedWalls } from "./place.ts";
