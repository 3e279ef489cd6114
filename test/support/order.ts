import type { LogRecord } from "../../src/pure/events/index.ts";

/** The last record that an event came from; undefined for what we concluded or saw ourselves. */
function endOf({ from, provenance }: LogRecord): number | undefined {
  return from.length === 0 || provenance === "derived" ? undefined : Math.max(...from.map(({ record }) => record));
}

/** Events that come after an event whose last byte came later. */
export function outOfOrder(events: readonly LogRecord[]): readonly string[] {
  let last = 0;
  return events.flatMap((event) => {
    const end = endOf(event);
    if (end === undefined || end >= last) {
      last = end ?? last;
      return [];
    }
    return [`${event.seq} ${event.type} ends in record ${end}, after an event of record ${last}`];
  });
}

/** Messages and thoughts that were joined although another event came between their pieces. */
export function joinedAcross(events: readonly LogRecord[]): readonly string[] {
  const ends = events.filter(({ type }) => !type.endsWith("-delta")).map((event) => ({ event, end: endOf(event) }));
  return events.flatMap((event) => {
    if ((event.type !== "message" && event.type !== "reasoning") || event.provenance === "derived") return [];
    const records = event.from.map(({ record }) => record);
    const [first, last] = [Math.min(...records), Math.max(...records)];
    const between = ends.find((other) => other.event !== event && other.end !== undefined && other.end > first && other.end < last);
    return between === undefined ? [] : [`${event.seq} ${event.type} was joined across ${between.event.seq} ${between.event.type}`];
  });
}

/** Texts that were reported twice from the same bytes. */
export function twice(events: readonly LogRecord[]): readonly string[] {
  const seen = new Set<string>();
  return events.flatMap((event) => {
    if (event.type !== "message" && event.type !== "reasoning") return [];
    const key = JSON.stringify([event.type, event.parent, event.text, event.from]);
    if (event.text === "" || !seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [`${event.seq} ${event.type} repeats an earlier one`];
  });
}
