/** What a terminal shows of a run: the live account, the watch screen, drawings. */

export { liveAccount } from "./account/index.ts";
export { graphDot, graphMermaid, graphSvg } from "./graph/index.ts";
export { rendererFor } from "./render/index.ts";
export { damagedRow, type RunRow, rowOf } from "./run-row.ts";
export { runList, type WatchedRun, watchLines, watchScreen } from "./watch/index.ts";
