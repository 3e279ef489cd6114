import { described, epochMs, list, named, object, optional, ordinal, type Static, type Variant, variants, yes } from "../base/index.ts";
import { addition, type Call, type Event, type EventBody, provenance, vocabulary } from "./event.ts";
import { recordRef } from "./record.ts";

const callLink = named(
  object({
    start: described(ordinal, "The number of the event that began it"),
    rivals: optional(list(ordinal), "Other calls that were open under the same id: which one is meant is unknown"),
    orchestrated: described(yes, "The call was reported as the start or end of a subagent"),
  }),
  "Call",
  "A tool call",
);
type CallLink = Static<typeof callLink>;

const { from: _, ...added } = addition;
const envelope = {
  seq: described(ordinal, "Events are counted from 1"),
  at: epochMs,
  from: described(list(recordRef), "The records it came from"),
  provenance: described(provenance, "How it is known: we observed it, the agent declared it, a rule derived it, or unknown"),
  ...added,
  call: optional(callLink, "The open call that this names or ends"),
};

/** An event as it is written: envelope and body in one object. A call is written as the number of its first event. */
export const logRecord = variants(vocabulary, {}, envelope);
export type LogRecord = Variant<typeof vocabulary, typeof envelope>;

export function recordOf({ seq, at, body, from, provenance, call }: Event): LogRecord {
  return call === undefined ? { seq, at, ...body, from, provenance } : { seq, at, ...body, from, provenance, call: linkOf(call) };
}

function linkOf({ start, rivals, orchestrated }: Call): CallLink {
  if (rivals.length === 0 && !orchestrated) return { start: start.seq }; // mostly
  return {
    start: start.seq,
    ...(rivals.length > 0 && { rivals: rivals.map(({ seq }) => seq) }),
    ...(orchestrated && { orchestrated }),
  };
}

/**
 * Reads records in order and returns the original events: `recordOf` gives each record again, and no call is paired anew. It keeps only
 * the starts of open calls. In part of a log, a call that began earlier is unknown.
 */
export function eventReader(): (record: LogRecord) => Event {
  const begun = new Map<string, Event<"tool-start">[]>();

  function callOf({ start, rivals = [], orchestrated }: CallLink, callId: string): Call | undefined {
    const open = begun.get(callId) ?? [];
    const first = open.find(({ seq }) => seq === start);
    return first && { start: first, rivals: open.filter(({ seq }) => rivals.includes(seq)), orchestrated: orchestrated === true };
  }

  return ({ call: link, ...record }) => {
    const { seq, at, from, provenance, ...rest } = record;
    const body = rest as EventBody;
    if (body.type === "tool-start") {
      const start = { seq, at, from, provenance, body };
      const open = begun.get(body.callId);
      if (open === undefined) begun.set(body.callId, [start]);
      else open.push(start);
      return start;
    }
    const call = link === undefined || !("callId" in body) ? undefined : callOf(link, body.callId ?? "");
    if (body.type === "tool-end") begun.delete(body.callId);
    return { seq, at, from, provenance, body, call };
  };
}
