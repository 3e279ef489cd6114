import { nothing } from "../../base/index.ts";
import { type LogRecord, recordOf } from "../../events/index.ts";
import type { View } from "../../pipeline/index.ts";

/** The inner events themselves, whole: what every other view is made of. */
export const log: View<LogRecord> = {
  id: "log",
  title: "The inner events themselves",
  open: () => ({ push: (event) => [recordOf(event)], end: () => nothing }),
};
