import type { JsonObject } from "../../src/pure/base/index.ts";
import type { LogRecord, RecordRef } from "../../src/pure/events/index.ts";
import type { RunRow } from "../../src/pure/pipeline/index.ts";
import type { LogState, RunPart, UsagePoint } from "../../src/pure/timeline/index.ts";

/** An event for the page. Long texts of a very long event are cut; `clipped` is its full size. */
export type PageEvent = LogRecord & { readonly clipped?: number };

export interface RunPage {
  readonly row: RunRow;
  /** Its run.json without secrets. */
  readonly about: JsonObject;
  readonly log: LogState;
  /** Set if this is only a part of the run. */
  readonly part?: RunPart;
}

/** The source of a run's events: a server, or the exported file itself. */
export interface RunSource {
  page(): Promise<RunPage>;
  /** 16 bytes per event from `from` (counted from 0) on, possibly in parts. */
  rows(from: number): Promise<ArrayBuffer>;
  /** The existing ones. */
  events(seqs: readonly number[]): Promise<readonly PageEvent[]>;
  /** The first complete events from `from` to `to`, in order, as many as fit into one response; empty if there are none. */
  whole(from: number, to: number): Promise<readonly PageEvent[]>;
  /** One complete event. */
  event(seq: number): Promise<PageEvent>;
  raw(ref: RecordRef): Promise<string>;
  /** The patch of an observed run; empty if there is none. */
  patch(): Promise<string>;
  /** Usage over time. */
  usage(): Promise<readonly UsagePoint[]>;
  search(text: string, from: number): Promise<{ readonly seqs: readonly number[]; readonly next: number | null; readonly looked: number }>;
  /** Reports progress until the log is complete, and whether the server is connected. */
  follow(onState: (state: LogState) => void, connected: (isConnected: boolean) => void): () => void;
}
