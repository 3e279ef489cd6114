export { AskError, ask, askJson } from "./ask.ts";
export { eachEvent } from "./each-event.ts";
export { exported } from "./exported.ts";
export type { PageEvent, RunPage, RunSource } from "./run-source.ts";
export { serverRun } from "./server-run.ts";
export { followRuns, type RunsState } from "./server-runs.ts";
export { keepToken, onNewToken } from "./token.ts";
