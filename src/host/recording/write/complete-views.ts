import { rmSync } from "node:fs";
import { jsonLines } from "../../../pure/base/index.ts";
import type { Event } from "../../../pure/events/index.ts";
import { type NetworkSum, runSummary } from "../../../pure/pipeline/index.ts";
import { recorded } from "../../sink/index.ts";
import { type FileSeal, type Place, runIndex } from "../format/index.ts";
import { breather } from "./breather.ts";
import { completeView } from "./complete-view.ts";
import type { KeptView } from "./kept-views.ts";

interface Completed {
  readonly summary: ReturnType<ReturnType<typeof runSummary>["summary"]>;
  readonly network: NetworkSum | undefined;
  readonly eventCount: number;
  readonly repairs: readonly string[];
  readonly seals: Readonly<Record<string, FileSeal>>;
}

/** Completes the run's views and rebuilds its index, in one pass over its events. */
export async function completeViews(
  kept: readonly { readonly kept: KeptView; readonly path: string }[],
  indexPath: string,
  events: (onPlace: (place: Place) => void) => AsyncIterable<readonly Event[]>,
): Promise<Completed> {
  const summary = runSummary();
  let eventCount = 0;
  rmSync(indexPath, { force: true }); // everything in it can be found again
  const index = runIndex(indexPath);
  const views = kept.map(({ kept: { view, file }, path }) => ({ name: file, view: view.open(), file: completeView(path) }));
  const breathe = breather();
  try {
    for await (const batch of events(({ type: _, ...place }) => index.see({ event: eventCount, ...place }))) {
      eventCount += batch.length;
      for (const event of batch) summary.see(event);
      for (const { view, file } of views) file.write(recorded(jsonLines(batch.flatMap((event): readonly object[] => view.push(event)))));
      await breathe();
    }
    const ended = views.map(({ name, file }) => ({ name, ...file.end() }));
    const seals = Object.fromEntries(ended.map(({ name, seal }) => [name, seal]));
    return { summary: summary.summary(), network: summary.network(), eventCount, repairs: ended.flatMap(({ repairs }) => repairs), seals };
  } finally {
    index.close();
    for (const { file } of views) file.close();
  }
}
