import { useEffect, useMemo, useState } from "preact/hooks";
import type { PageEvent, RunSource } from "../source/index.ts";

/** A cache of the events near the visible rows. */
export interface Events {
  get(seq: number): PageEvent | undefined;
  /** Requests these events; a later call replaces the request. */
  want(seqs: readonly number[]): void;
  /** Loads a clipped event completely. */
  whole(seq: number): Promise<void>;
}

const MOST = 4000;
/** While the user scrolls on, nothing is fetched. */
const SETTLED_MS = 40;

export function useEvents(source: RunSource): Events {
  const [, setVersion] = useState(0);
  const events = useMemo(() => keptEvents(source, () => setVersion((version) => version + 1)), [source]);
  useEffect(() => events.stop, [events]);
  return events;
}

function keptEvents(source: RunSource, changed: () => void) {
  const kept = new Map<number, PageEvent>();
  const asked = new Set<number>();
  let wanted: readonly number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  let stopped = false;

  async function fetch(): Promise<void> {
    timer = undefined;
    const missing = wanted.filter((seq) => !kept.has(seq) && !asked.has(seq));
    if (missing.length === 0 || stopped) return;
    for (const seq of missing) asked.add(seq);
    try {
      for (const event of await source.events(missing)) keep(event);
    } catch {
      timer ??= setTimeout(() => void fetch(), 1500); // the server is down; try again
    } finally {
      for (const seq of missing) asked.delete(seq);
    }
    if (!stopped) changed();
  }

  function keep(event: PageEvent): void {
    kept.delete(event.seq);
    kept.set(event.seq, event);
    if (kept.size <= MOST) return;
    const needed = new Set(wanted);
    for (const seq of kept.keys()) {
      if (kept.size <= MOST) break;
      if (!needed.has(seq)) kept.delete(seq);
    }
  }

  return {
    get: (seq: number) => kept.get(seq),
    want(seqs: readonly number[]): void {
      wanted = seqs;
      if (seqs.every((seq) => kept.has(seq) || asked.has(seq))) return;
      clearTimeout(timer);
      timer = setTimeout(() => void fetch(), isFirst ? 0 : SETTLED_MS);
      isFirst = false;
    },
    async whole(seq: number): Promise<void> {
      keep(await source.event(seq));
      changed();
    },
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
