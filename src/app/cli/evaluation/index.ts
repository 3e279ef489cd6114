export { evaluateCases } from "./evaluate-cases.ts";
export { judgeOf, neededGraderOptions } from "./grader-options-of.ts";
export { outputOf } from "./output-of.ts";
export { withStopSignals } from "./with-stop-signals.ts";
