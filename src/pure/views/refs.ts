import { count, nothing, type ObjectOf, optional, ordinal, text } from "../base/index.ts";
import { type Event, type RecordRef, stream } from "../events/index.ts";
import { mapView, type View } from "../pipeline/index.ts";

/** The smallest byte range that covers the source lines of a record. */
export const rangeRefs = {
  stream: optional(stream, "With --refs: the stream of the byte range"),
  offset: optional(count, "With --refs: the first byte of its source lines"),
  length: optional(count, "With --refs: the number of bytes they cover, without the last newline"),
};

/** The fields that `--refs` adds, so that records of different views join on `seq` and lead to the raw bytes. */
export const refs = {
  seq: optional(ordinal, "With --refs: the number of the event that completed this record"),
  callId: optional(text, "With --refs: the tool call it is about"),
  messageId: optional(text, "With --refs: the message it is a part of"),
  ...rangeRefs,
};
export type Refs = ObjectOf<typeof refs> & { readonly seq: number };

/** A view whose records carry the refs of the events that completed them. */
export function withRefs<Out extends object>(view: View<Out>): View<Out & Refs> {
  return mapView(view, (records, _, source) => {
    if (records.length === 0) return nothing;
    return records.map((record) => {
      const refs = refsOf(source(record));
      return "stream" in record ? { ...record, ...refs, stream: record.stream } : { ...record, ...refs };
    });
  }) as View<Out & Refs>;
}

function refsOf(event: Event): Refs {
  const { seq, body, from } = event;
  const refs: { seq: number; callId?: string; messageId?: string } = { seq };
  if ("callId" in body && body.callId !== undefined) refs.callId = body.callId;
  if ("messageId" in body && body.messageId !== undefined) refs.messageId = body.messageId;
  const [first] = from;
  return first === undefined ? refs : { ...refs, stream: first.stream, ...cover(from, first) };
}

function cover(refs: readonly RecordRef[], first: RecordRef): { offset: number; length: number } {
  const last = refs[refs.length - 1] ?? first;
  return { offset: first.offset, length: last.offset + last.length - first.offset };
}
