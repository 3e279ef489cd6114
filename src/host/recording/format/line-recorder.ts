import { createHash } from "node:crypto";
import type { Stream } from "../../../pure/events/index.ts";
import type { RecordChain, StoredLine } from "./record-chain.ts";

/** Cuts the bytes of one stream into lines and chains a record of each: the one way from output to records, live and after a crash. */
export interface LineRecorder {
  /** Lines of `records.jsonl` for those that end in these bytes. `masked` is how many places of the stream were masked so far. */
  bytes(bytes: Uint8Array, at: number, masked?: number): string;
  /** The same for what the stream ended with before a newline did; empty where there is nothing. */
  end(at: number): string;
  /** Where in the stream the first line begins that has no record yet. */
  readonly offset: number;
}

const NEWLINE = 0x0a;
const NO_BYTES = new Uint8Array();

/** `from` is where a recorder goes on that another one has left; what it finds is then marked as found later. */
export function lineRecorder(
  chain: RecordChain,
  stream: Stream,
  from?: { readonly offset: number; readonly masked: number },
): LineRecorder {
  let offset = from?.offset ?? 0;
  let length = 0;
  let hash = createHash("sha256");
  let masked = from?.masked ?? 0;
  let told = masked;

  function close(rest: Uint8Array, at: number, isTerminated: boolean): string {
    const record: StoredLine = {
      type: "line",
      at,
      stream,
      offset,
      length: length + rest.length,
      ...(isTerminated ? {} : { unterminated: true }),
      ...(from === undefined ? {} : { recovered: true }),
      ...(masked > told ? { masked } : {}),
    };
    const text = chain.add(record, hash.update(rest));
    offset += record.length + (isTerminated ? 1 : 0);
    length = 0;
    hash = createHash("sha256");
    told = masked;
    return text;
  }

  return {
    get offset() {
      return offset;
    },
    bytes(bytes, at, maskedSoFar = masked) {
      masked = maskedSoFar;
      let text = "";
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        text += close(bytes.subarray(start, end), at, true);
        start = end + 1;
      }
      const rest = bytes.subarray(start);
      if (rest.length > 0) hash.update(rest);
      length += rest.length;
      return text;
    },
    end: (at) => (length === 0 ? "" : close(NO_BYTES, at, false)),
  };
}
