export { evaluateCases } from "./evaluate-cases.ts";
export { judgeOf, neededGrader } from "./grader-of.ts";
export { resultsOf } from "./results-of.ts";
export { withScratch } from "./with-scratch.ts";
