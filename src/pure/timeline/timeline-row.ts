import { type EventType, vocabulary } from "../events/index.ts";

/**
 * One event in sixteen bytes: what a list, a minimap and a filter need, so that a million events take sixteen megabytes.
 * Little-endian: `ms` u32, `link` u32, `bytes` u32, `lane` u16, `kind` u8, `flags` u8.
 */
export interface TimelineRow {
  /** Milliseconds after the first event. */
  readonly ms: number;
  /** For an end: the `seq` of its start. 0: none. */
  readonly link: number;
  /** The length of the event as a line of the `log` view, without its newline. */
  readonly bytes: number;
  /** 0 is the main thread; the others are subagents in order of appearance. */
  readonly lane: number;
  readonly kind: number;
  readonly flags: number;
}

export const ROW_BYTES = 16;

/** A type's position in this list is its number. */
export const kinds = Object.keys(vocabulary) as readonly EventType[];

/** A type that is not in this list. */
export const OTHER_KIND = 255;

/** An event that is missing because the file holds only part of a run. */
export const LEFT_OUT = 254;

const numbers: ReadonlyMap<string, number> = new Map(kinds.map((kind, i) => [kind, i]));

export function kindNumber(type: string): number {
  return numbers.get(type) ?? OTHER_KIND;
}

/** The event reports a failure. */
export const FAILED = 0b1;
/** A message from the user. */
export const BY_USER = 0b10;
/** A notice that only marks a step inside the agent, such as the start of a model call. */
export const INNER = 0b100;
/** The upper four bits hold the kind of the call's first operation, as a position in `operationKinds` plus one; 0: none. */
const OPERATION_SHIFT = 4;

export const operationKinds = ["read", "write", "search", "list", "command", "skill"] as const;

export function operationFlag(kind: string | undefined): number {
  return (operationKinds.indexOf(kind as (typeof operationKinds)[number]) + 1) << OPERATION_SHIFT;
}

export function operationOf(flags: number): (typeof operationKinds)[number] | undefined {
  return operationKinds[(flags >> OPERATION_SHIFT) - 1];
}

const MOST = 0xffff_ffff;

export function writeRow(view: DataView, at: number, { ms, link, bytes, lane, kind, flags }: TimelineRow): void {
  view.setUint32(at, Math.min(Math.max(0, ms), MOST), true);
  view.setUint32(at + 4, Math.min(link, MOST), true);
  view.setUint32(at + 8, Math.min(bytes, MOST), true);
  view.setUint16(at + 12, Math.min(lane, 0xffff), true);
  view.setUint8(at + 14, kind);
  view.setUint8(at + 15, flags);
}

export function readRow(view: DataView, at: number): TimelineRow {
  return {
    ms: view.getUint32(at, true),
    link: view.getUint32(at + 4, true),
    bytes: view.getUint32(at + 8, true),
    lane: view.getUint16(at + 12, true),
    kind: view.getUint8(at + 14),
    flags: view.getUint8(at + 15),
  };
}
