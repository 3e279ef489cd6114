import type { HarnessEvent } from "../events/index.ts";
import { addEvent, newStore } from "./store.ts";

/** Of each event, in order, the id of the node that it is, or is a piece of. */
export function nodeIdsOf(events: readonly HarnessEvent[]): readonly string[] {
  const store = newStore();
  return events.map((event) => {
    store.version++;
    return addEvent(store, event).id;
  });
}
