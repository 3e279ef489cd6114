/** Builds walls around agents: what they see of files, processes and the network. */

export { programInImage } from "./engine.ts";
export { graderWalls } from "./grader-walls.ts";
export { canIsolate, checkIsolation, type Isolating, isolating, requireLevel, type Usual } from "./isolating.ts";
export { removeAbandonedWalls } from "./place.ts";
