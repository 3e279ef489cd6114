import type { Event } from "../core/event.ts";
import type { View, ViewOptions } from "../core/view.ts";

/** How many bytes of the agent's output may wait in memory, as records of a view, for a reader who is slow. */
const MOST_WAITING = 4 * 1024 * 1024;

/** What a live view gives: batches, until the run is over; or word that the reader must go on from the disk. */
export interface Outbox<Out> {
  push(events: readonly Event[], bytes: number): void;
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
  const waiting: { readonly batch: readonly Out[]; readonly bytes: number }[] = [];
  let size = 0;
  let given = 0;
  let overflowed = false;
  let closed = false;
  let failure: unknown;
  let wake: () => void = () => {};

  return {
    push(events, bytes) {
      if (overflowed) return;
      const batch = events.flatMap((event) => projection.push(event));
      if (batch.length === 0) return;
      if (size > 0 && size + bytes > MOST_WAITING) overflowed = true;
      else {
        waiting.push({ batch, bytes });
        size += bytes;
      }
      wake();
    },
    close(error) {
      closed = true;
      failure = error;
      wake();
    },
    async *batches() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) {
          size -= next.bytes;
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
