import type { Event } from "../../../pure/events/index.ts";
import type { View, ViewOptions } from "../../../pure/pipeline/index.ts";

/** How much may wait in memory for a reader who is slow: the bytes of the lines that the records came from, and what a record costs itself. */
const MOST_WAITING = 4 * 1024 * 1024;
const RECORD_COST = 256;

/** What a live view gives: batches, until the run is over; or word that the reader must go on from the disk. */
export interface Outbox<Out> {
  push(events: readonly Event[]): void;
  /** No more will come; the error is thrown to the reader after the last batch. */
  close(error?: unknown): void;
  batches(): AsyncGenerator<readonly Out[], "closed" | { readonly overflowed: number }>;
}

/**
 * Hands records of a view to one reader without ever waiting for it: a slow reader must not slow the recorder, nor cost
 * memory. When too much waits, no more is kept, and the reader is told how many records it got: since a re-derivation gives
 * the same records as the live run, it can go on behind them.
 */
export function outbox<Out extends object>(view: View<Out>, options: ViewOptions): Outbox<Out> {
  const projection = view.open(options);
  const waiting: { readonly batch: readonly Out[]; readonly weight: number }[] = [];
  let size = 0;
  let given = 0;
  let overflowed = false;
  let closed = false;
  let failure: unknown;
  let wake: () => void = () => {};

  /** A view that fails is its reader's to hear of: the recording goes on. */
  function projected(events: readonly Event[]): readonly Out[] {
    try {
      return events.flatMap((event) => projection.push(event));
    } catch (error) {
      close(error);
      return [];
    }
  }

  function close(error?: unknown): void {
    if (!closed) failure = error;
    closed = true;
    wake();
  }

  return {
    close,
    push(events) {
      if (overflowed || closed) return;
      const batch = projected(events);
      if (batch.length === 0) return;
      const weight = weightOf(events) + batch.length * RECORD_COST;
      if (size > 0 && size + weight > MOST_WAITING) overflowed = true;
      else {
        waiting.push({ batch, weight });
        size += weight;
      }
      wake();
    },
    async *batches() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) {
          size -= next.weight;
          given += next.batch.length;
          yield next.batch;
        } else if (overflowed) return { overflowed: given };
        else if (closed) {
          if (failure !== undefined) throw failure;
          return "closed";
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
  };
}

function weightOf(events: readonly Event[]): number {
  let weight = 0;
  for (const { from } of events) for (const { length } of from) weight += length;
  return weight;
}
