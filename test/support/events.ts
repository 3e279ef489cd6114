import type { Event } from "../../src/pure/events/event.ts";
import type { View, ViewOptions } from "../../src/pure/pipeline/view.ts";

/** The inner events, for tests that need several views of one input: it is translated once. */
export const events: View<Event> = {
  id: "events",
  title: "the inner events",
  open: () => ({ push: (event) => [event], end: () => [] }),
};

export function project<Out extends object>(inner: readonly Event[], view: View<Out>, options?: ViewOptions): Out[] {
  const projection = view.open(options);
  return inner.flatMap((event) => [...projection.push(event)]).concat(projection.end());
}
