/** What the commands of evaluation do: loaded when one of them is called. */
export { captureCases } from "./capture-cases.ts";
export { runTrials } from "./run-trials.ts";
