import type { PageEvent, RunSource } from "./run-source.ts";

const AT_A_TIME = 500;

/** The first so many events, whole. */
export async function allEvents(source: RunSource, count: number, isWanted: () => boolean): Promise<readonly PageEvent[]> {
  const events: PageEvent[] = [];
  for (let from = 1; from <= count && isWanted(); from += AT_A_TIME) {
    const seqs = Array.from({ length: Math.min(AT_A_TIME, count - from + 1) }, (_, i) => from + i);
    for (const event of await source.events(seqs)) events.push(event.clipped === undefined ? event : await source.event(event.seq));
  }
  return events;
}
