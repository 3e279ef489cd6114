/** What the commands of observations do, in one piece that is loaded when one of them is called. */

export { runObservation } from "./run-observation.ts";
