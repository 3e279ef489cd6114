import { createHash, type Hash } from "node:crypto";
import type { Line, Stream } from "../../../pure/events/index.ts";
import { type Decode, lineSplitter } from "../../../pure/pipeline/index.ts";
import type { RecordChain, StoredLine } from "./record-chain.ts";

/** Cuts the bytes of one stream into lines and chains a record of each: the one way from output to records, live and after a crash. */
export interface LineRecorder {
  /** The lines that end in these bytes. `masked` is how many places of the stream were masked so far. */
  bytes(bytes: Uint8Array, at: number, masked?: number): Recorded;
  /** What the stream ended with before a newline did. */
  end(at: number): Recorded;
  /** Where in the stream the first line begins that has no record yet. */
  readonly offset: number;
}

/** Lines, and what `records.jsonl` says of them. */
export interface Recorded {
  readonly lines: readonly Line[];
  /** Empty where there are none. */
  readonly records: string;
}

/** How a recorder continues that another one has left: it marks what it finds as found later, and translates nothing. */
export interface LeftOff {
  readonly offset: number;
  readonly masked: number;
}

export function lineRecorder(
  chain: RecordChain,
  stream: Stream,
  how: { readonly decode: Decode } | { readonly from: LeftOff },
): LineRecorder {
  const from = "from" in how ? how.from : undefined;
  const splitter = "from" in how ? lineSplitter(() => "", 0, { piece, line }) : lineSplitter(how.decode, undefined, { piece, line });
  const start = from?.offset ?? 0;
  let offset = start;
  let pieces: Hash | undefined; // of a line that came in several
  let masked = from?.masked ?? 0;
  let told = masked;
  let now = 0;
  let records = "";

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
      ...(masked > told ? { masked } : {}),
    };
    records += chain.add(record, pieces?.update(rest) ?? rest);
    offset = record.offset + length + (terminated ? 1 : 0);
    pieces = undefined;
    told = masked;
  }

  function recorded(lines: readonly Line[]): Recorded {
    const given = { lines, records };
    records = "";
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
