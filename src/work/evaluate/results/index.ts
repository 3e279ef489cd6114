export { capturesOf } from "./captures-of.ts";
export { checkMixed } from "./check-mixed.ts";
export { type Journal, openJournal } from "./journal.ts";
export { openResults, type ResultOptions } from "./open-results.ts";
export { type ReadLine, readResults, trialsIn } from "./read-results.ts";
export { type Replacement, replaceLines } from "./replace-lines.ts";
export type { Finished, OpenLine, ResultFile } from "./result-file.ts";
export { trialNumbers } from "./trial-statistics.ts";
