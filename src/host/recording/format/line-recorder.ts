import { createHash, type Hash } from "node:crypto";
import type { Line, Stream } from "../../../pure/events/index.ts";
import { type Decode, lineSplitter } from "../../../pure/pipeline/index.ts";
import { joined, own, type SafeText } from "../../sink/index.ts";
import type { RecordChain, StoredLine } from "./record-chain.ts";

/** Cuts one stream into lines and chains a record for each: the only way from output to records, both live and after a crash. */
export interface LineRecorder {
  /** The lines that end in these bytes. `masked` is how many places of the stream were masked so far. */
  bytes(bytes: Uint8Array, at: number, masked?: number): Recorded;
  /** The unfinished last line. */
  end(at: number): Recorded;
  /** The stream offset of the first line without a record. */
  readonly offset: number;
}

/** Lines, and their records for `records.jsonl`. */
export interface Recorded {
  readonly lines: readonly Line[];
  /** Empty if there are none. */
  readonly records: SafeText;
}

/** Continues for a recorder that died: marks the lines as recovered and translates nothing. */
export interface LeftOff {
  readonly offset: number;
  readonly masked: number;
}

const NONE = own``;

export function lineRecorder(
  chain: RecordChain,
  stream: Stream,
  how: { readonly decode: Decode } | { readonly from: LeftOff },
): LineRecorder {
  const from = "from" in how ? how.from : undefined;
  const splitter = "from" in how ? lineSplitter(() => "", 0, { piece, line }) : lineSplitter(how.decode, undefined, { piece, line });
  const start = from?.offset ?? 0;
  let offset = start;
  let pieces: Hash | undefined; // of a line that came in several pieces
  let masked = from?.masked ?? 0;
  let reported = masked;
  let now = 0;
  let records = NONE;

  function piece(bytes: Uint8Array): void {
    pieces ??= createHash("sha256");
    pieces.update(bytes);
  }

  function line({ offset: place, length, terminated }: Line, rest: Uint8Array): void {
    const record: StoredLine = {
      type: "line",
      at: now,
      stream,
      offset: start + place,
      length,
      ...(terminated ? {} : { unterminated: true }),
      ...(from === undefined ? {} : { recovered: true }),
      ...(masked > reported ? { masked } : {}),
    };
    records = joined(records, chain.add(record, pieces?.update(rest) ?? rest));
    offset = record.offset + length + (terminated ? 1 : 0);
    pieces = undefined;
    reported = masked;
  }

  function recorded(lines: readonly Line[]): Recorded {
    const given = { lines, records };
    records = NONE;
    return given;
  }

  return {
    get offset() {
      return offset;
    },
    bytes(bytes, at, maskedSoFar = masked) {
      masked = maskedSoFar;
      now = at;
      return recorded(splitter.push(bytes));
    },
    end(at) {
      now = at;
      return recorded(splitter.end());
    },
  };
}
