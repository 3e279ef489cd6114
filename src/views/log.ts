import type { Event, EventBody } from "../core/event.ts";
import { nothing } from "../core/translator.ts";
import type { View } from "../core/view.ts";

/** An inner event with its envelope and its body side by side. */
export type LogRecord = Omit<Event, "body" | "call"> & EventBody;

/** The inner events themselves, whole: what every other view is made of. */
export const log: View<LogRecord> = {
  id: "log",
  title: "The inner events themselves",
  open: () => ({ push: ({ body, seq, at, from, provenance }) => [{ seq, at, ...body, from, provenance }], end: () => nothing }),
};
