/** What the page and its server share: a row per event, lanes, results. */

export { clipEvent, WHOLE } from "./clip-event.ts";
export { holdsText } from "./holds-text.ts";
export type { LogState } from "./log-state.ts";
export type { ResultCase, ResultCell, ResultPair, ResultRow, ResultRun, ResultSide, ResultsPage, ResultTrial } from "./results-page.ts";
export type { RunPart } from "./run-part.ts";
export { type Lane, timeline } from "./timeline.ts";
export { FAILED, INNER, kindNumber, kinds, LEFT_OUT, operationOf, ROW_BYTES, readRow, type TimelineRow, writeRow } from "./timeline-row.ts";
export { type UsagePoint, usageCurve } from "./usage-curve.ts";
export { MOST_KEPT } from "./whole-run-views.ts";
