import type { Event } from "../../../pure/events/index.ts";
import type { Agent, View, ViewOptions } from "../../../pure/pipeline/index.ts";
import { deriveRun } from "../derive/index.ts";
import { type RunManifest, readManifest, runPaths } from "../format/index.ts";
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
  const waits = view.needsSeal === true && manifest.observed === undefined;
  let isOver = false;
  let failure: unknown;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });

  /** What is complete only with the seal comes from disk. So does what holds the run, if it became too long for the recorder's memory. */
  async function* sealedBatches(): AsyncGenerator<readonly Out[], void> {
    await over;
    if (failure !== undefined) throw failure;
    yield* deriveRun(readManifest(runPaths(directory).manifest), directory, agent, view, options);
  }

  async function* batches(): AsyncGenerator<readonly Out[], void> {
    if (waits) return yield* sealedBatches();
    const last = yield* box.batches();
    if (last === "closed") return;
    if (last === "too-long") return yield* sealedBatches();
    let skip = last.overflowed;
    const isLive = () => Promise.resolve(!isOver);
    for await (const batch of deriveRun(manifest, directory, agent, view, { ...options, isLive })) {
      const rest = batch.slice(skip);
      skip = Math.max(0, skip - batch.length);
      if (rest.length > 0) yield rest;
    }
    if (failure !== undefined) throw failure;
  }

  return {
    push: (events) => (waits ? undefined : box.push(events)),
    close(error) {
      isOver = true;
      failure = error;
      box.close(error);
      end();
    },
    batches,
  };
}
