export { runList } from "./run-list.ts";
export { watchLines } from "./watch-lines.ts";
export { watchScreen } from "./watch-screen.ts";
export type { WatchedRun } from "./watched-run.ts";
