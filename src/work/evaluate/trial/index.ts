export { type Configuration, caseHash, differences, hashOf } from "./configuration.ts";
export { changesSince, keepConfiguration } from "./configurations.ts";
export { type Graded, isGraded } from "./grade.ts";
export type { Grader, GraderInput } from "./grader.ts";
export { isLost } from "./is-lost.ts";
export type { CaptureLine, LostAttempt, RunFacts, Stopping, TrialEntry, TrialLine, TrialStatistics } from "./result-line.ts";
export { makeTrialFolders, type TrialFolders } from "./trial-folders.ts";
export type { Entrant, PreparedTemplate, Trial } from "./trial-spec.ts";
