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
  "Where in the raw bytes a line stands",
);
export type RecordRef = Static<typeof recordRef>;

/** One line of a stream, without its newline. */
export interface Line {
  readonly offset: number;
  readonly length: number;
  /** The decoded line; of an oversize line only the beginning. */
  readonly text: string;
  /** False for a last line that ended with the stream and not with a newline. */
  readonly terminated: boolean;
  /** Longer than the cap: kept whole on disk, never decoded. */
  readonly oversize: boolean;
  /** The bytes, in base64, of a line that is not UTF-8 and not JSON; the beginning of them if there are many. */
  readonly base64?: string;
}

export interface LineRecord {
  readonly type: "line";
  readonly at: number;
  readonly stream: Stream;
  readonly line: Line;
}

/** How the agent's process ended, as far as somebody saw it. */
export interface ExitRecord {
  readonly type: "exit";
  readonly at: number;
  /** Null: not known. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number | null;
  /** Set where the end was ours and not the agent's. */
  readonly stopped?: Stop;
}

/**
 * Why a run was ended from outside: it ran or was silent for too long; somebody canceled it; it had told its result and
 * did not go; our log could not be written; it could not even be started; or its recorder died, and nobody saw the end.
 */
export const stop = oneOf("timeout", "idle", "cancel", "after-result", "log", "not-started", "recorder-died");
export type Stop = Static<typeof stop>;
