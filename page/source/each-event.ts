import type { PageEvent, RunSource } from "./run-source.ts";

const AT_A_TIME = 2000;

/** Complete events from `from` to `to` in order, in pieces, none of which is kept. Yields to the browser in between. */
export async function* eachEvent(source: RunSource, from: number, to: number): AsyncGenerator<readonly PageEvent[]> {
  for (let next = from; next <= to; ) {
    const events = await source.whole(next, Math.min(to, next + AT_A_TIME - 1));
    if (events.length === 0) return;
    yield events;
    next += events.length;
  }
}
