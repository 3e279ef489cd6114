/** What a terminal shows of a run: the live account, the watch screen, drawings. */

export { liveAccount } from "./account/index.ts";
export { listedRun } from "./listed-run.ts";
export { runList, type WatchedRun, watchLines, watchScreen } from "./watch/index.ts";
