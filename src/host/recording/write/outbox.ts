import { copied } from "../../../pure/base/index.ts";
import type { Event } from "../../../pure/events/index.ts";
import type { Projection, View, ViewOptions } from "../../../pure/pipeline/index.ts";
import { views } from "../../../pure/views/index.ts";
import { withinMemory } from "../derive/index.ts";

/** How much may wait in memory for a slow reader: the bytes of the lines behind the records, plus the cost of a record itself. */
const MOST_WAITING = 4 * 1024 * 1024;
const RECORD_COST = 256;

/** What a live view yields: batches until the run is over, or the news that the reader must continue from disk, or wait and begin there. */
export interface Outbox<Out> {
  push(events: readonly Event[]): void;
  /** No more will come. The error is thrown to the reader after the last batch. */
  close(error?: unknown): void;
  batches(): AsyncGenerator<readonly Out[], "closed" | "too-long" | { readonly overflowed: number }>;
}

/**
 * Passes the records of a view to one reader without ever waiting for it: a slow reader must neither slow the recorder down nor use memory.
 * When too much waits, no more is kept, and the reader learns how many records it got. A re-derivation gives the same records as the live
 * run, so the reader can continue after them.
 *
 * Events share objects with the translator and the kept views, so a caller only gets copies: our views hand out copies of their records,
 * and a caller's own view gets copies of the events.
 */
export function outbox<Out extends object>(view: View<Out>, options: ViewOptions): Outbox<Out> {
  let projection: Projection<Out> | undefined = withinMemory(view).open(options);
  const isOurs = (Object.values(views) as readonly View[]).includes(view);
  const waiting: { readonly batch: readonly Out[]; readonly weight: number }[] = [];
  let size = 0;
  let given = 0;
  let overflowed = false;
  let closed = false;
  let failure: unknown;
  let wake: () => void = () => {};

  /** If a view fails, only its reader gets the error; the recording continues. One that holds the run may be too long: then disk is tried. */
  function projected(events: readonly Event[]): readonly Out[] {
    try {
      return events.flatMap((event) => projection?.push(isOurs ? event : copied(event)) ?? []);
    } catch (error) {
      projection = undefined;
      if (view.holdsRun !== true) close(error);
      wake();
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
          yield isOurs ? next.batch.map(copied) : next.batch;
        } else if (overflowed) return { overflowed: given };
        else if (projection === undefined && failure === undefined) return "too-long";
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
