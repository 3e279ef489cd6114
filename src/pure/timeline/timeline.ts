import type { LogRecord } from "../views/index.ts";
import { BY_USER, FAILED, kindNumber, operationFlag, type TimelineRow } from "./timeline-row.ts";

/** A subagent, or the main thread. */
export interface Lane {
  /** Null: the main thread. */
  readonly id: string | null;
  readonly name: string | null;
  /** The lane it was started from. */
  readonly from: number;
}

/** More lanes than this share the last one. */
const MOST_LANES = 0xffff;

/** The rows of a run's events, each as it comes: O(1), what is remembered grows with open calls and subagents only. */
export function timeline() {
  const lanes: Lane[] = [{ id: null, name: null, from: 0 }];
  const laneOf = new Map<string, number>();
  /** The `seq` at which a call or a subagent began. */
  const calls = new Map<string, number>();
  const subagents = new Map<string, number>();
  let first: number | undefined;

  function lane(id: string | undefined, name?: string, from = 0): number {
    if (id === undefined) return 0;
    const known = laneOf.get(id);
    if (known === undefined && lanes.length < MOST_LANES) {
      laneOf.set(id, lanes.length);
      return lanes.push({ id, name: name ?? null, from }) - 1;
    }
    const number = known ?? MOST_LANES - 1;
    const before = lanes[number];
    if (name !== undefined && before !== undefined && before.name === null) lanes[number] = { ...before, name, from };
    return number;
  }

  /** What an end ends, once. */
  function taken(begun: Map<string, number>, id: string): number {
    const seq = begun.get(id) ?? 0;
    begun.delete(id);
    return seq;
  }

  function linkOf(record: LogRecord): number {
    switch (record.type) {
      case "tool-start":
        calls.set(record.callId, record.seq);
        return 0;
      case "tool-end":
        return taken(calls, record.callId);
      case "tool-progress":
        return record.callId === undefined ? 0 : (calls.get(record.callId) ?? 0);
      case "subagent-start":
        subagents.set(record.subagentId, record.seq);
        return 0;
      case "subagent-end":
        return taken(subagents, record.subagentId);
      default:
        return 0;
    }
  }

  return {
    lanes: lanes as readonly Lane[],
    row(record: LogRecord, bytes: number): TimelineRow {
      first ??= record.at;
      const own = lane(record.parent);
      if (record.type === "subagent-start" || record.type === "subagent-end") lane(record.subagentId, record.name, own);
      return { ms: record.at - first, link: linkOf(record), bytes, lane: own, kind: kindNumber(record.type), flags: flagsOf(record) };
    },
  };
}

function flagsOf(record: LogRecord): number {
  switch (record.type) {
    case "tool-start":
      return operationFlag(record.operations[0]?.kind);
    case "tool-end":
      return record.success === false || record.interrupted ? FAILED : 0;
    case "subagent-end":
      return record.success === false ? FAILED : 0;
    case "permission-decision":
      return record.decision === "deny" ? FAILED : 0;
    case "message":
      return record.role === "user" ? BY_USER : 0;
    case "run-end":
      return record.status === "completed" ? 0 : FAILED;
    default:
      return 0;
  }
}
