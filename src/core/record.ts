/** A record is something the recorder observed. Records are numbered from 1 in the order of observation. */

export type Stream = "stdout" | "stderr";

/** Where in the raw bytes a record's line stands; `length` leaves out the newline. */
export interface RecordRef {
  readonly record: number;
  readonly stream: Stream;
  readonly offset: number;
  readonly length: number;
}

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
}

export type RunRecord = LineRecord | ExitRecord;
