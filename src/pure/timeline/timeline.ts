import type { LogRecord } from "../events/index.ts";
import { BY_USER, FAILED, INNER, kindNumber, operationFlag, type TimelineRow } from "./timeline-row.ts";

/** A subagent, or the main thread. */
export interface Lane {
  /** Null: the main thread. */
  readonly id: string | null;
  readonly name: string | null;
  /** The lane that started it. */
  readonly from: number;
}

/** Further lanes share the last one. */
const MOST_LANES = 0xffff;

/** Makes the row of each event as it arrives. O(1); memory grows only with subagents. */
export function timeline() {
  const lanes: Lane[] = [{ id: null, name: null, from: 0 }];
  const laneOf = new Map<string, number>();
  /** The `seq` at which each subagent began. */
  const subagents = new Map<string, number>();
  let first: LogRecord | undefined;

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

  /** Part of a run may hold the end of a call that began before it. */
  function linked({ call }: LogRecord): number {
    return call === undefined || call.start < (first?.seq ?? 1) ? 0 : call.start;
  }

  function linkOf(record: LogRecord): number {
    switch (record.type) {
      case "tool-end":
      case "tool-progress":
        return linked(record);
      case "subagent-start":
        subagents.set(record.subagentId, record.seq);
        return 0;
      case "subagent-end": {
        const start = subagents.get(record.subagentId) ?? 0;
        subagents.delete(record.subagentId);
        return start;
      }
      default:
        return 0;
    }
  }

  return {
    lanes: lanes as readonly Lane[],
    row(record: LogRecord, bytes: number): TimelineRow {
      first ??= record;
      const own = lane(record.parent);
      if (record.type === "subagent-start" || record.type === "subagent-end") lane(record.subagentId, record.name, own);
      return { ms: record.at - first.at, link: linkOf(record), bytes, lane: own, kind: kindNumber(record.type), flags: flagsOf(record) };
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
    case "notice":
      return record.said === undefined ? 0 : INNER;
    case "run-end":
      return record.status === "completed" ? 0 : FAILED;
    default:
      return 0;
  }
}
