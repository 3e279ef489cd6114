import { createHash, type Hash, hash } from "node:crypto";
import type { ExitRecord, FactRecord, Stream } from "../../../pure/events/index.ts";
import { recorded, type Safe, type SafeText } from "../../sink/index.ts";
import type { Truncation } from "./run-manifest.ts";

/** A line in `records.jsonl`: the place of its bytes, not their contents. */
export interface StoredLine {
  readonly type: "line";
  readonly at: number;
  readonly stream: Stream;
  readonly offset: number;
  readonly length: number;
  /** The stream ended without a newline. */
  readonly unterminated?: true;
  /** Found in the raw bytes after its recorder had died; `at` is when the file was last written. */
  readonly recovered?: true;
  /** How many places of the stream had been masked by then; absent if unchanged since the previous line. */
  readonly masked?: number;
}

/** A record to write. The body of a fact is masked; the others hold only numbers and our words. */
export type NewRecord = StoredLine | SafeFact | ExitRecord;
export type SafeFact = StoredFact & { readonly body: Safe<FactRecord["body"]> };

/** The fact that a stream was truncated says where. */
export type StoredFact = FactRecord & { readonly truncation?: Truncation };

export type StoredBody = StoredLine | StoredFact | ExitRecord;

export type StoredRecord = { readonly seq: number; readonly hash: string } & StoredBody;

/** The hash before the first record. */
export const CHAIN_START = "0".repeat(64);

/**
 * Numbers records and chains them: `hash = sha256(the line's bytes, "\n", the previous hash, "\n", the record without its hash)`. The bytes
 * come first, so a line of any length can be hashed as it arrives, whatever the other stream does.
 */
export function recordChain(from: { readonly seq: number; readonly hash: string } = { seq: 0, hash: CHAIN_START }) {
  let { seq, hash: head } = from;

  return {
    /** The record as a line of `records.jsonl`. `bytes` are the line's bytes, or their hash so far; omit for other records. */
    add(body: NewRecord, bytes: Uint8Array | Hash = NO_BYTES): SafeText {
      seq++;
      const text = JSON.stringify({ seq, ...body });
      head = link(bytes, head, text);
      return recorded(`${text.slice(0, -1)},"hash":"${head}"}\n`);
    },
    get head(): string {
      return head;
    },
    get seq(): number {
      return seq;
    },
  };
}

export type RecordChain = ReturnType<typeof recordChain>;

/** Whether this line of the file is exactly what `add` returns for these bytes after a record with that hash. */
export function isLinked(text: string, bytes: Hash, previous: string): boolean {
  const body = text.slice(0, text.lastIndexOf(',"hash":"'));
  return text === `${body},"hash":"${link(bytes, previous, `${body}}`)}"}`;
}

/** The next line of a file that chains its lines without other bytes. `body` is a JSON object. */
export function chainedLine(seq: number, body: SafeText, previous: string): { readonly text: SafeText; readonly hash: string } {
  const text = `{"seq":${seq},${body.slice(1)}`;
  const hashed = link(NO_BYTES, previous, text);
  return { text: recorded(`${text.slice(0, -1)},"hash":"${hashed}"}\n`), hash: hashed };
}

const NO_BYTES = new Uint8Array();
/** Holds a short line and its record together: hashing them in one call takes half as long. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024);

function link(bytes: Uint8Array | Hash, previous: string, text: string): string {
  const rest = `\n${previous}\n${text}`;
  if (!(bytes instanceof Uint8Array)) return bytes.update(rest).digest("hex");
  if (bytes.length + 3 * rest.length > scratch.length) return createHash("sha256").update(bytes).update(rest).digest("hex");
  scratch.set(bytes);
  const end = bytes.length + scratch.write(rest, bytes.length);
  return hash("sha256", scratch.subarray(0, end));
}
