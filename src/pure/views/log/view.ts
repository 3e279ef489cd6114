import { nothing } from "../../base/index.ts";
import { type LogRecord, recordOf } from "../../events/index.ts";
import type { View } from "../../pipeline/index.ts";

/** The complete inner events, from which every other view is built. */
export const log: View<LogRecord> = {
  id: "log",
  title: "The events that all other views are made from",
  open: () => ({ push: (event) => [recordOf(event)], end: () => nothing }),
};
