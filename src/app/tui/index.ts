/** Runs in a terminal: the live account and the watch screen. */

export { liveAccount } from "./account/index.ts";
export { listedRun } from "./listed-run.ts";
export { runList, type WatchedRun, watchLines, watchScreen } from "./watch/index.ts";
