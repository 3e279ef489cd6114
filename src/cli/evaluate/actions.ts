/** What the commands of evaluation do: loaded when one of them is called. */
export { calibrate } from "./calibrate.ts";
export { captureCases } from "./capture-cases.ts";
export { checkAdapter } from "./check-adapter.ts";
export { compareResults } from "./compare-results.ts";
export { gradeResults } from "./grade-results.ts";
export { preferAnswers } from "./prefer-answers.ts";
export { printBalance } from "./print-balance.ts";
export { runTrials } from "./run-trials.ts";
export { scaffoldAdapter } from "./scaffold-adapter.ts";
export { summarizeResults } from "./summarize-results.ts";
export { validateRefs } from "./validate-refs.ts";
