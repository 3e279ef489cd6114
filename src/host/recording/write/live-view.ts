import type { Event } from "../../../pure/events/index.ts";
import type { Agent, View, ViewOptions } from "../../../pure/pipeline/index.ts";
import { deriveRun } from "../derive/index.ts";
import type { RunManifest } from "../format/index.ts";
import { outbox } from "./outbox.ts";

/** The records of one view during a run, for one reader: from memory if it keeps up, otherwise from disk. */
export interface LiveView<Out> {
  push(events: readonly Event[]): void;
  /** The run is over. The error is thrown to the reader after the last batch. */
  close(error?: unknown): void;
  /** Read it once. */
  batches(): AsyncGenerator<readonly Out[], void>;
}

export function liveView<Out extends object>(
  { manifest, directory, agent }: { readonly manifest: RunManifest; readonly directory: string; readonly agent: Agent },
  view: View<Out>,
  options: ViewOptions,
): LiveView<Out> {
  const box = outbox(view, options);
  let isOver = false;
  let failure: unknown;

  async function* batches(): AsyncGenerator<readonly Out[], void> {
    const end = yield* box.batches();
    if (end === "closed") return;
    let skip = end.overflowed;
    const isLive = () => Promise.resolve(!isOver);
    for await (const batch of deriveRun(manifest, directory, agent, view, { ...options, isLive })) {
      const rest = batch.slice(skip);
      skip = Math.max(0, skip - batch.length);
      if (rest.length > 0) yield rest;
    }
    if (failure !== undefined) throw failure;
  }

  return {
    push: (events) => box.push(events),
    close(error) {
      isOver = true;
      failure = error;
      box.close(error);
    },
    batches,
  };
}
