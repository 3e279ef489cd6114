export { type CompareFlags, compareResults } from "./compare-results.ts";
export { evaluateCases } from "./evaluate-cases.ts";
export { followed } from "./followed.ts";
export { judgeOf, neededGraderOptions } from "./grader-options-of.ts";
export { outputOf } from "./output-of.ts";
export { withStopSignals } from "./with-stop-signals.ts";
