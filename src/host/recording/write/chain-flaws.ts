import { createHash, type Hash } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import type { Stream } from "../../../pure/events/index.ts";
import { openToRead } from "../../files/index.ts";
import { decode } from "../derive/index.ts";
import {
  CHAIN_START,
  type IndexEntry,
  isLinked,
  OUTPUT_FILES,
  type RunPaths,
  readIndex,
  recordLines,
  type Seal,
  type StoredLine,
  type StoredText,
  sealOfFile,
  storedRecordOf,
} from "../format/index.ts";
import type { Flaw } from "./flaw.ts";

const STREAMS = ["stdout", "stderr"] as const;

/** The first flaw in each file: the raw bytes, the records that chain them, and the index that points into both. */
export function chainFlaws(paths: RunPaths, seal: Seal): readonly Flaw[] {
  const fd = openToRead(paths.records);
  const outputs = { stdout: output(paths, "stdout", seal), stderr: output(paths, "stderr", seal) };
  const index = indexCheck(readIndex(paths.index));
  try {
    const broken = fd === undefined ? { file: "records.jsonl", problem: "it is missing" } : walk(fd, outputs, index, seal);
    const rest = STREAMS.flatMap((stream) => (broken?.file === OUTPUT_FILES[stream] ? [] : outputs[stream].flaw()));
    return [...(broken === undefined ? index.flaws() : [broken]), ...rest];
  } finally {
    if (fd !== undefined) closeSync(fd);
    for (const stream of STREAMS) outputs[stream].close();
  }
}

/** Follows the chain to the first place where it breaks. */
function walk(fd: number, outputs: Outputs, index: ReturnType<typeof indexCheck>, seal: Seal): Flaw | undefined {
  const lines = recordLines(fd, decode);
  const chain = { seq: 0, head: CHAIN_START };
  for (const texts of lines.more()) {
    for (const text of texts) {
      const flaw = step(text, chain, outputs);
      if (flaw !== undefined) return flaw;
      index.see(chain.seq, text.end, outputs.stdout.end, outputs.stderr.end);
    }
  }
  const here = { file: "records.jsonl", line: chain.seq + 1, offset: lines.offset };
  if (lines.torn > 0) return { ...here, problem: "this is not a record" };
  if (chain.seq === seal.records && chain.head === seal.head) return undefined;
  return { ...here, problem: `it ends after ${chain.seq} records; ${seal.records} were sealed` };
}

/** Checks the next record and adds it to the chain. Returns what is wrong with it or with its bytes. */
function step({ text, offset }: StoredText, chain: { seq: number; head: string }, outputs: Outputs): Flaw | undefined {
  const here = { file: "records.jsonl", line: chain.seq + 1, offset };
  const record = storedRecordOf(text);
  if (record === undefined) return { ...here, problem: "this is not a record" };
  if (record.seq !== chain.seq + 1) return { ...here, problem: `found record ${record.seq} in place of ${chain.seq + 1}` };
  if (record.type === "line") {
    const bytes = outputs[record.stream];
    if (!bytes.follows(record)) return { ...here, problem: `its bytes begin at ${record.offset}, not at ${bytes.end}` };
    const isRight = bytes.isTruncated || (isLinked(text, bytes.hash(record), chain.head) && bytes.isEnded(record));
    if (!isRight && bytes.isChanged) return bytes.flawAt(record);
    if (!isRight) return { ...here, problem: "the record was changed" };
    bytes.pass(record);
  } else {
    if (!isLinked(text, createHash("sha256"), chain.head)) return { ...here, problem: "the record was changed" };
    if (record.type === "fact" && record.truncation !== undefined) outputs[record.truncation.stream].moveTo(record.truncation.offset);
  }
  chain.seq = record.seq;
  chain.head = record.hash;
  return undefined;
}

type Outputs = Readonly<Record<Stream, ReturnType<typeof output>>>;

/** The file of one stream, compared with its records one by one. */
function output(paths: RunPaths, stream: Stream, seal: Seal) {
  const path = paths[stream];
  const file = OUTPUT_FILES[stream];
  const sealed = seal.files[file];
  const found = sealOfFile(path);
  const isChanged = sealed === undefined || found?.sha256 !== sealed.sha256;
  const fd = openToRead(path);
  const buffer = Buffer.allocUnsafe(64 * 1024);
  let end = 0;
  let lines = 0;
  let hasMoved = false;

  return {
    isChanged,
    isTruncated: seal.truncated?.some((each) => each.stream === stream) === true,
    /** The byte up to which the records so far describe the file. */
    get end(): number {
      return end;
    },
    hash({ offset, length }: StoredLine): Hash {
      const hash = createHash("sha256");
      for (let done = 0; fd !== undefined && done < length; ) {
        const count = readSync(fd, buffer, 0, Math.min(buffer.length, length - done), offset + done);
        if (count === 0) break;
        hash.update(buffer.subarray(0, count));
        done += count;
      }
      return hash;
    },
    /** Whether the newline is there, which the hash does not cover. */
    isEnded({ offset, length, unterminated }: StoredLine): boolean {
      return unterminated === true || (fd !== undefined && readSync(fd, buffer, 0, 1, offset + length) === 1 && buffer[0] === 0x0a);
    },
    /** A line that had begun before the agent truncated its output began before that place. */
    follows: ({ offset }: StoredLine) => offset === end || (hasMoved && offset < end),
    pass({ offset, length, unterminated }: StoredLine): void {
      hasMoved = false;
      lines++;
      end = offset + length + (unterminated ? 0 : 1);
    },
    moveTo(offset: number): void {
      hasMoved = true;
      end = offset;
    },
    flawAt({ offset }: StoredLine): Flaw {
      if (found === undefined) return { file, problem: "it is missing" };
      return { file, line: lines + 1, offset, problem: "this is not what was recorded" };
    },
    /** What is wrong with the file as a whole. */
    flaw(): readonly Flaw[] {
      if (!isChanged) return [];
      if (found === undefined) return [{ file, problem: "it is missing" }];
      if (found.bytes === sealed?.bytes) return [{ file, problem: "it is not what was sealed" }];
      return [{ file, line: lines + 1, offset: end, problem: `it has ${found.bytes} bytes; ${sealed?.bytes ?? 0} were sealed` }];
    },
    close(): void {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

/** Checks that the places in the index match the records. */
function indexCheck(entries: readonly (IndexEntry | undefined)[]) {
  const file = "index.jsonl";
  let next = 0;
  let wrong = entries.indexOf(undefined);

  return {
    see(record: number, recordsOffset: number, stdout: number, stderr: number): void {
      const entry = entries[next];
      if (entry === undefined || entry.record > record) return;
      const isRight =
        entry.record === record && entry.recordsOffset === recordsOffset && entry.stdout === stdout && entry.stderr === stderr;
      if (!isRight && (wrong === -1 || next < wrong)) wrong = next;
      next++;
    },
    flaws(): readonly Flaw[] {
      const at = wrong === -1 && next < entries.length ? next : wrong;
      return at === -1 ? [] : [{ file, line: at + 1, problem: "this is not a place between two records" }];
    },
  };
}
