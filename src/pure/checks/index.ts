/** The questions a run is judged by, each a pure function of the evidence. */

export { type Check, type CheckOptions, type PlannedEffects, refusedOption, unknown, type Verdict, verdict } from "./check.ts";
export { checks, REQUIRED } from "./checks.ts";
export { evidenceFold, type RunEvidence } from "./evidence.ts";
export { patchFiles } from "./patch-files.ts";
export { PLACES, type Rule, ruleCheck } from "./rule-check.ts";
export { searchedEvidence } from "./searched-evidence.ts";
export { testFilesIn } from "./test-files.ts";
export { effectsIn } from "./traced-effects.ts";
export { weakenedIn } from "./weakened-in.ts";
