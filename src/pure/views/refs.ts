import { nothing } from "../base/index.ts";
import type { Event, RecordRef, Stream } from "../events/index.ts";
import { mapView, type View } from "../pipeline/index.ts";

/** What `--refs` adds to a record, so that records of different views join on `seq` and lead to the raw bytes. */
export interface Refs {
  seq: number;
  callId?: string;
  /** The smallest byte range that covers the lines it came from, and the stream it is a range of. */
  stream?: Stream;
  offset?: number;
  length?: number;
}

/** The same view, each record with the refs of the event that completed it. */
export function withRefs<Out extends object>(view: View<Out>): View<Out & Refs> {
  return mapView(view, (records, event) => {
    if (records.length === 0) return nothing;
    const refs = refsOf(event);
    return records.map((record) => ("stream" in record ? { ...record, ...refs, stream: record.stream } : { ...record, ...refs }));
  }) as View<Out & Refs>;
}

function refsOf(event: Event): Refs {
  const refs: Refs = { seq: event.seq };
  const { body } = event;
  if ("callId" in body && body.callId !== undefined) refs.callId = body.callId;
  const [first] = event.from;
  return first === undefined ? refs : { ...refs, stream: first.stream, ...cover(event.from, first) };
}

function cover(refs: readonly RecordRef[], first: RecordRef): { offset: number; length: number } {
  const last = refs[refs.length - 1] ?? first;
  return { offset: first.offset, length: last.offset + last.length - first.offset };
}
