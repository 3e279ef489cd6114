import { count, described, named, object, oneOf, ordinal, type Static } from "../base/index.ts";

/** A record is something the recorder observed. Records are numbered from 1 in the order of observation. */

export const stream = oneOf("stdout", "stderr");
export type Stream = Static<typeof stream>;

export const recordRef = named(
  object({
    record: described(ordinal, "Records are counted from 1"),
    stream,
    offset: count,
    length: described(count, "Without the newline"),
  }),
  "RecordRef",
  "The position of a line in the raw bytes",
);
export type RecordRef = Static<typeof recordRef>;

/** One line of a stream, without its newline. */
export interface Line {
  readonly offset: number;
  readonly length: number;
  /** The decoded line; for an oversize line only its beginning. */
  readonly text: string;
  /** False for a last line without a newline. */
  readonly terminated: boolean;
  /** Longer than the cap: complete on disk, never decoded. */
  readonly oversize: boolean;
  /** The bytes of a line that is neither UTF-8 nor JSON, in base64; only the first ones if there are many. */
  readonly base64?: string;
}

export interface LineRecord {
  readonly type: "line";
  readonly at: number;
  readonly stream: Stream;
  readonly line: Line;
}

/** How the agent's process ended, as far as anyone saw it. */
export interface ExitRecord {
  readonly type: "exit";
  readonly at: number;
  /** Null: not known. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  /** Set if we ended the process. */
  readonly stopped?: Stop;
}

/**
 * Why a run was ended from outside: it ran or stayed silent for too long; it was canceled; it had reported its result but did not exit;
 * our log could not be written; it could not be started; its recorder died, and no one saw the end; it needed more memory than its limit;
 * or it exceeded another limit.
 */
export const stop = oneOf(
  "timeout",
  "idle",
  "cancel",
  "after-result",
  "log",
  "not-started",
  "recorder-died",
  "out-of-memory",
  "over-limit",
);
export type Stop = Static<typeof stop>;
