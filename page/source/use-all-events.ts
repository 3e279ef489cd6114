import { useEffect, useState } from "preact/hooks";
import type { TimelineState } from "../timeline/use-timeline.ts";
import { allEvents } from "./all-events.ts";
import type { PageEvent, RunSource } from "./run-source.ts";

/** A longer run is derived in a terminal. */
export const MOST = 20_000;

export type AllEvents =
  | { readonly is: "too long" | "not over" | "coming" }
  | { readonly is: "here"; readonly events: readonly PageEvent[] };

/** All events of a run that is over, for what cannot be made of a window of them. */
export function useAllEvents(source: RunSource, { count, log }: TimelineState): AllEvents {
  const [events, setEvents] = useState<readonly PageEvent[]>();
  const isReady = log.done && count === log.count && count <= MOST;
  useEffect(() => {
    let isWanted = true;
    if (isReady) void allEvents(source, count, () => isWanted).then((all) => isWanted && setEvents(all));
    return () => {
      isWanted = false;
    };
  }, [source, isReady]);
  if (count > MOST) return { is: "too long" };
  if (!isReady) return { is: "not over" };
  return events === undefined ? { is: "coming" } : { is: "here", events };
}
