import type { JsonObject } from "../../src/pure/base/index.ts";
import type { LogRecord, RecordRef } from "../../src/pure/events/index.ts";
import type { RunRow } from "../../src/pure/pipeline/index.ts";
import type { LogState, RunPart, UsagePoint } from "../../src/pure/timeline/index.ts";

/** An event as a page gets it: one that is very long comes with its long texts cut. */
export type PageEvent = LogRecord & { readonly clipped?: number };

export interface RunPage {
  readonly row: RunRow;
  /** Its run.json, without what concerns secrets. */
  readonly about: JsonObject;
  readonly log: LogState;
  /** Where it is not the whole run. */
  readonly part?: RunPart;
}

/** Where the events of a run come from: a server, or the file that the page itself is. */
export interface RunSource {
  page(): Promise<RunPage>;
  /** Sixteen bytes for each event from `from` (counted from 0) on; not necessarily all at once. */
  rows(from: number): Promise<ArrayBuffer>;
  /** Those of them that are there. */
  events(seqs: readonly number[]): Promise<readonly PageEvent[]>;
  /** Whole, and in order: the first of those from `from` to `to`, as many as come at once; none where there are none. */
  whole(from: number, to: number): Promise<readonly PageEvent[]>;
  /** One of them, whole. */
  event(seq: number): Promise<PageEvent>;
  raw(ref: RecordRef): Promise<string>;
  /** What an observed run changed; empty where no patch is kept. */
  patch(): Promise<string>;
  /** What had been used when. */
  usage(): Promise<readonly UsagePoint[]>;
  search(text: string, from: number): Promise<{ readonly seqs: readonly number[]; readonly next: number | null; readonly looked: number }>;
  /** Tells how far the log has come until it is whole, and when the server goes and comes back. */
  follow(told: (state: LogState) => void, connected: (isConnected: boolean) => void): () => void;
}
