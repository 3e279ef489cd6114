import type { Event } from "../../src/pure/events/event.ts";
import type { View, ViewOptions } from "../../src/pure/pipeline/view.ts";

/** What every view is made of, for tests that need several views of one input: it is translated once. */
export const events: View<Event> = {
  id: "events",
  title: "what every view is made of",
  open: () => ({ push: (event) => [event], end: () => [] }),
};

export function project<Out extends object>(told: readonly Event[], view: View<Out>, options?: ViewOptions): Out[] {
  const projection = view.open(options);
  return told.flatMap((event) => [...projection.push(event)]).concat(projection.end());
}
