import { nothing } from "../../base/index.ts";
import type { Event, EventBody } from "../../events/index.ts";
import type { View } from "../../pipeline/index.ts";

/** An inner event with its envelope and its body side by side. */
export type LogRecord = Omit<Event, "body" | "call"> & OwnWords<EventBody>;

type OwnWords<Body> = Body extends EventBody ? Omit<Body, "said"> : never;

/** The inner events themselves, whole: what every other view is made of. What an agent said in the words of specification 002 is not repeated. */
export const log: View<LogRecord> = {
  id: "log",
  title: "The inner events themselves",
  open: () => ({ push: ({ body, seq, at, from, provenance }) => [{ seq, at, ...ownWords(body), from, provenance }], end: () => nothing }),
};

function ownWords(body: EventBody): EventBody {
  if (body.said === undefined) return body;
  const { said: _, ...own } = body;
  return own as EventBody;
}
