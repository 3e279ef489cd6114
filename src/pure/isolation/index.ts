/** What an isolated program can reach, and the evidence that it holds. */

export { type Box, containerArgs } from "./container.ts";
export {
  type Evidence,
  evidence,
  type Findings,
  findings,
  flawsOf,
  isolationText,
  type WallFacts,
  type WallLine,
  wallFacts,
  wallFactsOf,
  wallLines,
} from "./evidence.ts";
export { cleanGitConfig } from "./git-config.ts";
export { type Isolation, isAtLeast, isolationOf, type Level, levels } from "./level.ts";
export { seatbeltProfile } from "./seatbelt.ts";
export { keyFilter } from "./seccomp.ts";
export { bubblewrapArgs, type Mount, type Walls } from "./walls.ts";
