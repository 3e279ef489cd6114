/** The same run again, with the recorded model. */

export { type Divergence, type Rerun, rerun } from "./rerun.ts";
