/** What the commands of evaluation do: loaded when one of them is called. */

export { checkAdapter } from "../adapter-check/check-adapter.ts";
export { scaffoldAdapter } from "../adapter-scaffold/scaffold-adapter.ts";
export { printBalance } from "../balance/print-balance.ts";
export { calibrate } from "../calibrate/calibrate.ts";
export { captureCases } from "../capture/capture-cases.ts";
export { compareResults } from "../compare/compare-results.ts";
export { gradeResults } from "../grade/grade-results.ts";
export { preferAnswers } from "../prefer/prefer-answers.ts";
export { summarizeResults } from "../summarize/summarize-results.ts";
export { runTrials } from "../trials/run-trials.ts";
export { validateRefs } from "../validate-refs/validate-refs.ts";
