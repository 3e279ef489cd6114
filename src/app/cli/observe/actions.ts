/** What the commands of observations do, in one piece that is loaded when one of them is called. */

export { bundleRun } from "../bundle/bundle-run.ts";
export { checkRun } from "../check/check-run.ts";
export { verifyNamed } from "../verify/verify-named.ts";
export { runObservation } from "./run-observation.ts";
