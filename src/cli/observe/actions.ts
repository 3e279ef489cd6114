/** What the commands of observations do, in one piece that is loaded when one of them is called. */

export { bundleRun } from "./bundle-run.ts";
export { checkRun } from "./check-run.ts";
export { runObservation } from "./run-observation.ts";
export { verifyNamed } from "./verify-named.ts";
