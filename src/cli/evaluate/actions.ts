/** What the commands of evaluation do: loaded when one of them is called. */
export { captureCases } from "./capture-cases.ts";
export { compareResults } from "./compare-results.ts";
export { gradeResults } from "./grade-results.ts";
export { runTrials } from "./run-trials.ts";
export { summarizeResults } from "./summarize-results.ts";
