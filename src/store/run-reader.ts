import { closeSync, constants, openSync, readSync } from "node:fs";
import { type Decode, lineSplitter } from "../core/line-splitter.ts";
import type { ExitRecord, NoticeRecord, Stream } from "../core/record.ts";
import { type StoredLine, storedRecordOf } from "./record-chain.ts";
import type { Truncation } from "./run-manifest.ts";
import type { RunPaths } from "./run-paths.ts";

/** Something that happened in a run, read back: bytes of a stream with the time they were seen, or another record. */
export type Piece =
  | { readonly type: "bytes"; readonly stream: Stream; readonly bytes: Uint8Array; readonly at: number }
  | NoticeRecord
  | ExitRecord;

/** A place in `records.jsonl` that no recorder wrote. */
export interface Damage {
  readonly line: number;
  readonly offset: number;
}

/** How much of `records.jsonl`, and of the output it speaks of, is read at a time. */
const PIECE = 256 * 1024;

/**
 * Reads a run back in the order in which it was recorded. The raw bytes are the truth and the records say when they came:
 * bytes that no record speaks of, because one is damaged or was never written, are given with the time of the next one.
 * It may be asked again later, for a run that goes on.
 */
export function runReader(paths: RunPaths, decode: Decode, truncated: readonly Truncation[] = []) {
  const records = openFile(paths.records);
  const streams = { stdout: streamReader(paths.stdout, truncated, "stdout"), stderr: streamReader(paths.stderr, truncated, "stderr") };
  const lines = lineSplitter(decode);
  const buffer = Buffer.allocUnsafeSlow(PIECE);
  const damages: Damage[] = [];
  let read = 0;
  let lineNumber = 0;
  let lastAt: number | undefined;
  let ended = false;

  /** Lines that were seen together are given together. */
  function* pieces(texts: Iterable<{ readonly text: string; readonly offset: number }>): Generator<Piece> {
    let group: { stream: Stream; at: number; upTo: number } | undefined;
    for (const { text, offset } of texts) {
      lineNumber++;
      const record = storedRecordOf(text);
      if (record === undefined) {
        damages.push({ line: lineNumber, offset });
        continue;
      }
      lastAt = record.at;
      const sameGroup = record.type === "line" && group !== undefined && record.stream === group.stream && record.at === group.at;
      if (group !== undefined && !sameGroup) yield* streams[group.stream].upTo(group.upTo, group.at);
      group = record.type === "line" ? { stream: record.stream, at: record.at, upTo: endOf(record) } : undefined;
      if (record.type === "line") continue;
      ended ||= record.type === "exit";
      if (record.type === "exit") yield* rest(record.at);
      yield record;
    }
    if (group !== undefined) yield* streams[group.stream].upTo(group.upTo, group.at);
  }

  function* rest(at: number): Generator<Piece> {
    for (const stream of ["stdout", "stderr"] as const) yield* streams[stream].upTo(Number.POSITIVE_INFINITY, at);
  }

  return {
    /** What is recorded and was not yet given. */
    *more(): Generator<Piece> {
      while (records !== undefined) {
        const count = readSync(records, buffer, 0, PIECE, read);
        if (count === 0) return;
        read += count;
        yield* pieces(lines.push(buffer.subarray(0, count)));
      }
    },
    /** For a run that is over: what its recorder did not come to record. A torn last record says nothing. */
    *unrecorded(fallbackAt: number): Generator<Piece> {
      if (!ended) yield* rest(lastAt ?? fallbackAt);
    },
    /** Whether the last record has been given. */
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

/** Where the line ends in its stream, newline included. */
function endOf({ offset, length, unterminated }: StoredLine): number {
  return offset + length + (unterminated ? 0 : 1);
}

/** One stream's file, read forward. What the agent truncated away is passed over. */
function streamReader(path: string, truncated: readonly Truncation[], stream: Stream) {
  const fd = openFile(path);
  const buffer = Buffer.allocUnsafe(PIECE);
  const last = truncated.filter((each) => each.stream === stream).at(-1);
  let position = last?.offset ?? 0;
  const base = last?.base ?? 0;

  return {
    *upTo(end: number, at: number): Generator<Piece> {
      while (fd !== undefined && position < end) {
        const count = readSync(fd, buffer, 0, Math.min(PIECE, end - position), position - base);
        if (count === 0) return;
        position += count;
        yield { type: "bytes", stream, bytes: buffer.subarray(0, count), at };
      }
    },
    close(): void {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

/** Undefined where there is no such file: a run may have lost any of them. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
