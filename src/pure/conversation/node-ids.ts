import type { HarnessEvent } from "../events/index.ts";
import { addEvent, newStore } from "./store.ts";

/** For each event, in order, the id of the node that it is or belongs to. */
export function nodeIdsOf(events: readonly HarnessEvent[]): readonly string[] {
  const store = newStore();
  return events.map((event) => {
    store.version++;
    return addEvent(store, event).id;
  });
}
