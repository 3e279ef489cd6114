import type { BodyOf } from "./event.ts";
import type { ObservedBody } from "./observation.ts";

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
  /** Set where the end was ours and not the agent's. */
  readonly stopped?: Stop;
}

/**
 * Why a run was ended from outside: it ran or was silent for too long; somebody canceled it; it had told its result and
 * did not go; our log could not be written; it could not even be started; or its recorder died, and nobody saw the end.
 */
export type Stop = "timeout" | "idle" | "cancel" | "after-result" | "log" | "not-started" | "recorder-died";

/** Something that we did or noticed ourselves, in the place where it happened: it becomes the event it carries. */
export interface FactRecord {
  readonly type: "fact";
  readonly at: number;
  readonly body: FactBody;
}

/** What the recorder has to say, what was decided in the user's place, and what was observed of the agent from outside. */
export type FactBody = (BodyOf<"warning" | "error"> & { readonly code: string }) | BodyOf<"permission-decision"> | ObservedBody;

export type RunRecord = LineRecord | ExitRecord | FactRecord;
