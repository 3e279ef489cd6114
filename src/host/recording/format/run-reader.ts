import { createHash } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";
import type { ExitRecord, FactRecord, Stream } from "../../../pure/events/index.ts";
import type { Decode } from "../../../pure/pipeline/index.ts";
import { openToRead } from "../../files/index.ts";
import { type FindSecrets, nothingToFind, pieceMasker } from "../../secrets/index.ts";
import type { StoredRecord } from "./record-chain.ts";
import { recordLines, type StoredText } from "./record-lines.ts";
import type { IndexEntry } from "./run-index.ts";
import type { FileSeal, Seal, Truncation } from "./run-manifest.ts";
import { OUTPUT_FILES, type RunPaths } from "./run-paths.ts";
import { storedRecordOf } from "./stored-record.ts";

/** A piece of a recorded run: bytes of a stream with the time they were seen, or another record. */
export type Piece =
  | { readonly type: "bytes"; readonly stream: Stream; readonly bytes: Uint8Array; readonly at: number }
  | FactRecord
  | ExitRecord;

/** Yielded between two records: how far the reader has come. */
export type Place = { readonly type: "place" } & Omit<IndexEntry, "event">;

/** A place where the recording is not as its recorder left it. */
export interface Damage {
  readonly file: "records.jsonl" | "raw.jsonl" | "stderr.log";
  /** From 1; 0 (unknown) for `raw.jsonl` and `stderr.log`. */
  readonly line: number;
  readonly offset: number;
  readonly problem: string;
}

export interface ReaderOptions {
  /** The seal of a finished run. Anything after the sealed bytes is ignored. */
  readonly seal?: Pick<Seal, "files"> | undefined;
  readonly truncated?: readonly Truncation[] | undefined;
  /** Masks bytes that no recorder has recorded or masked yet. */
  readonly find?: FindSecrets;
}

const PIECE = 256 * 1024;

/**
 * Reads a run in the order in which it was recorded. The raw bytes are the truth; the records say when they came. Bytes without a record,
 * because it is damaged or was never written, get the time of the next one. Can be called again later, for a run that continues or that
 * another process has repaired.
 */
export function runReader(paths: RunPaths, decode: Decode, { seal, truncated = [], find = nothingToFind }: ReaderOptions = {}) {
  const records = openToRead(paths.records);
  const lines = records === undefined ? undefined : recordLines(records, decode);
  const damages: Damage[] = [];
  const open = (stream: Stream) => streamReader(paths[stream], stream, truncated, seal?.files[OUTPUT_FILES[stream]], damages);
  const streams = { stdout: open("stdout"), stderr: open("stderr") };
  let number = 0; // of the last line of records.jsonl
  let expected = 1; // the next record's number
  let lastAt: number | undefined;
  let ended = false;
  if (lines === undefined) damaged(0, 0, "it is missing");

  function damaged(line: number, offset: number, problem: string): void {
    damages.push({ file: "records.jsonl", line, offset, problem });
  }

  /** Counts records, and reports those out of order. */
  function recordOf({ text, offset }: StoredText): StoredRecord | undefined {
    number++;
    const record = storedRecordOf(text);
    if (record === undefined) damaged(number, offset, "this is not a record");
    else if (record.seq !== expected) damaged(number, offset, `found record ${record.seq} in place of ${expected}`);
    expected = (record?.seq ?? expected) + 1;
    lastAt = record?.at ?? lastAt;
    return record;
  }

  /** Lines that were seen together are yielded together. */
  function* pieces(texts: Iterable<StoredText>): Generator<Piece | Place> {
    let group: Group | undefined;
    for (const text of texts) {
      const record = recordOf(text);
      if (record === undefined) continue;
      const isSameGroup = record.type === "line" && record.stream === group?.stream && record.at === group.at;
      if (group !== undefined && !isSameGroup) yield* given(group);
      group = undefined;
      if (record.type === "line") {
        const { stream, at, seq, offset, length, unterminated } = record;
        group = { stream, at, upTo: offset + length + (unterminated ? 0 : 1), record: seq, recordsOffset: text.end };
        continue;
      }
      ended ||= record.type === "exit";
      if (record.type === "exit" || record.body.type === "process-observed") yield* rest(record.at);
      else if (record.truncation !== undefined) streams[record.truncation.stream].truncate(record.truncation);
      yield record;
    }
    if (group !== undefined) yield* given(group);
  }

  function* given({ stream, upTo, at, record, recordsOffset }: Group): Generator<Piece | Place> {
    yield* streams[stream].upTo(upTo, at);
    yield { type: "place", record, recordsOffset, stdout: streams.stdout.position, stderr: streams.stderr.position, at };
  }

  function* rest(at: number): Generator<Piece> {
    for (const stream of ["stdout", "stderr"] as const) {
      const secrets = pieceMasker(find);
      const masked = (bytes: Uint8Array): Piece => ({ type: "bytes", stream, bytes, at });
      for (const { bytes } of streams[stream].upTo(Number.POSITIVE_INFINITY, at)) yield masked(secrets.push(bytes).bytes);
      yield masked(secrets.end().bytes);
    }
  }

  return {
    /** Everything recorded since the last call. */
    *more(): Generator<Piece | Place> {
      for (const texts of lines?.more() ?? []) yield* pieces(texts);
    },
    /** For a run that is over: what its recorder did not record. Also checks the files as a whole. */
    *unrecorded(fallbackAt: number): Generator<Piece> {
      const { torn = 0, offset = 0 } = lines ?? {};
      if (torn > 0) damaged(number + 1, offset, "it ends in the middle of a record");
      else if (!ended && seal !== undefined && lines !== undefined) damaged(number + 1, offset, "it ends before the run does");
      if (!ended) yield* rest(lastAt ?? fallbackAt);
      for (const stream of ["stdout", "stderr"] as const) streams[stream].check();
    },
    /** Whether the last record was yielded. */
    get ended(): boolean {
      return ended;
    },
    get lastAt(): number | undefined {
      return lastAt;
    },
    damages: damages as readonly Damage[],
    close(): void {
      if (records !== undefined) closeSync(records);
      streams.stdout.close();
      streams.stderr.close();
    },
  };
}

/** Lines of a stream that were seen at the same time: up to this byte, and up to this record. */
interface Group extends Pick<Place, "record" | "recordsOffset" | "at"> {
  readonly stream: Stream;
  readonly upTo: number;
}

/** Reads one stream's file forward. Skips truncated bytes, ignores bytes after the seal, and checks the hash at the end. */
function streamReader(path: string, stream: Stream, truncated: readonly Truncation[], sealed: FileSeal | undefined, damages: Damage[]) {
  const fd = openToRead(path);
  const buffer = Buffer.allocUnsafe(PIECE);
  const last = truncated.filter((each) => each.stream === stream).at(-1);
  const hash = sealed === undefined || last !== undefined ? undefined : createHash("sha256");
  let position = last?.offset ?? 0;
  let base = last?.base ?? 0;
  const size = fd === undefined ? 0 : fstatSync(fd).size;
  if (sealed !== undefined && size !== sealed.bytes)
    damaged(Math.min(size, sealed.bytes), `it has ${size} bytes; ${sealed.bytes} were sealed`);

  function damaged(offset: number, problem: string): void {
    damages.push({ file: OUTPUT_FILES[stream], line: 0, offset, problem });
  }

  return {
    get position(): number {
      return position;
    },
    *upTo(end: number, at: number) {
      while (fd !== undefined) {
        const most = Math.min(PIECE, end - position, (sealed?.bytes ?? Number.POSITIVE_INFINITY) - (position - base));
        const count = most > 0 ? readSync(fd, buffer, 0, most, position - base) : 0;
        if (count === 0) return;
        position += count;
        const bytes = buffer.subarray(0, count);
        hash?.update(bytes);
        yield { type: "bytes", stream, bytes, at } as const;
      }
    },
    /** For a reader that was running at the time: the file continues at a different offset. */
    truncate({ offset, base: moved }: Truncation): void {
      if (offset < position) return;
      position = offset;
      base = moved;
    },
    check(): void {
      const isWhole = size === sealed?.bytes && position === size;
      if (isWhole && hash !== undefined && hash.digest("hex") !== sealed?.sha256) damaged(0, "it is not what was sealed");
    },
    close(): void {
      if (fd !== undefined) closeSync(fd);
    },
  };
}
