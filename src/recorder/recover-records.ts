import { createHash } from "node:crypto";
import { appendFileSync, closeSync, existsSync, openSync, readSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { lineSplitter } from "../core/line-splitter.ts";
import type { ExitRecord, Stream } from "../core/record.ts";
import { decode } from "../derive/decode.ts";
import { openAppendFile } from "../store/append-file.ts";
import type { FindSecrets } from "../store/masker.ts";
import { CHAIN_START, recordChain, type StoredLine, storedRecordOf } from "../store/record-chain.ts";
import type { RunManifest, Truncation } from "../store/run-manifest.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { openSpool } from "../store/spool.ts";
import { setAside } from "./set-aside.ts";

export interface Recovered {
  readonly repairs: string[];
  readonly masked: number;
  readonly exit: ExitRecord;
  readonly seq: number;
  readonly head: string;
  readonly truncated: readonly Truncation[];
}

/** Makes `records.jsonl` whole: a torn end is set aside, and what the agent printed behind the last record is masked and recorded. */
export function recoverRecords(paths: RunPaths, manifest: RunManifest, find: FindSecrets): Recovered {
  const repairs: string[] = [];
  for (const path of [paths.stdout, paths.stderr, paths.records]) if (!existsSync(path)) writeFileSync(path, "", { mode: 0o600 });
  const kept = readWhole(paths.records, repairs);
  const chain = recordChain(kept.last ?? { seq: 0, hash: CHAIN_START });
  const truncated = kept.truncated;
  if (kept.exit !== undefined) return { repairs, masked: 0, exit: kept.exit, seq: chain.seq, head: chain.head, truncated };
  const records = openAppendFile(paths.records);
  try {
    let at = kept.last?.at ?? manifest.startedAt;
    let masked = 0;
    let lines = 0;
    for (const stream of ["stdout", "stderr"] as const) {
      const path = paths[stream];
      at = Math.max(at, Math.trunc(statSync(path).mtimeMs));
      const base = truncated.filter((each) => each.stream === stream).at(-1)?.base ?? 0;
      const spool = openSpool(path, stream, find, { position: kept.ends[stream], base });
      const add = lineRecorder(stream, kept.ends[stream], at, (body, hash) => {
        records.append(chain.add(body, hash));
        lines++;
      });
      while (spool.hasMore()) add.bytes(spool.read());
      add.bytes(spool.rest());
      add.end();
      masked += spool.masked;
      spool.close();
    }
    if (lines > 0) repairs.push(`${lines} lines that the agent had printed were not recorded yet`);
    const exit = unseenExit(manifest, at);
    records.append(chain.add(exit));
    return { repairs, masked, exit, seq: chain.seq, head: chain.head, truncated };
  } finally {
    records.close();
  }
}

/** What is told of an end that nobody saw, at the time of the last sign of life. */
function unseenExit(manifest: RunManifest, at: number): ExitRecord {
  if (manifest.ended !== undefined) return { type: "exit", ...manifest.ended, at: Math.max(at, manifest.ended.at) };
  return { type: "exit", at, exitCode: null, signal: null, durationMs: null, stopped: "recorder-died" };
}

/** Cuts bytes into lines and records each of them as found later. */
function lineRecorder(stream: Stream, from: number, at: number, record: (body: StoredLine, hash: ReturnType<typeof createHash>) => void) {
  let offset = from;
  let length = 0;
  let hash = createHash("sha256");

  function close(terminated: boolean): void {
    record({ type: "line", at, stream, offset, length, ...(terminated ? {} : { unterminated: true }), recovered: true }, hash);
    offset += length + 1;
    length = 0;
    hash = createHash("sha256");
  }

  return {
    bytes(bytes: Uint8Array): void {
      let start = 0;
      for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
        hash.update(bytes.subarray(start, end));
        length += end - start;
        close(true);
        start = end + 1;
      }
      hash.update(bytes.subarray(start));
      length += bytes.length - start;
    },
    end(): void {
      if (length > 0) close(false);
    },
  };
}

interface Whole {
  readonly last: { readonly seq: number; readonly hash: string; readonly at: number } | undefined;
  readonly ends: Record<Stream, number>;
  readonly exit: ExitRecord | undefined;
  readonly truncated: Truncation[];
}

/** Reads the records up to the first that is torn, damaged or out of order; what follows is set aside. */
function readWhole(path: string, repairs: string[]): Whole {
  const whole: { -readonly [K in keyof Whole]: Whole[K] } = {
    last: undefined,
    ends: { stdout: 0, stderr: 0 },
    exit: undefined,
    truncated: [],
  };
  const lines = lineSplitter(decode);
  const fd = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(256 * 1024);
  let good = 0;
  let isGood = true;
  try {
    for (let count = readSync(fd, buffer); count > 0 && isGood; count = readSync(fd, buffer)) {
      for (const line of lines.push(buffer.subarray(0, count))) {
        isGood &&= keep(whole, line.text);
        if (isGood) good = line.offset + line.length + 1;
      }
    }
  } finally {
    closeSync(fd);
  }
  const [last] = isGood ? lines.end() : [];
  if (last !== undefined && keep(whole, last.text)) {
    appendFileSync(path, "\n"); // all of it but its end was written
    repairs.push("the last record lacked its newline");
    return whole;
  }
  if (statSync(path).size > good) {
    const aside = setAside(path, good);
    truncateSync(path, good);
    repairs.push(`records.jsonl was torn or damaged at byte ${good}; what it held from there is kept as ${aside}`);
  }
  return whole;
}

/** Takes the record in if it is one, and the next one; false where it is not. */
function keep(whole: { -readonly [K in keyof Whole]: Whole[K] }, text: string): boolean {
  const record = storedRecordOf(text);
  if (record === undefined || whole.exit !== undefined || record.seq !== (whole.last?.seq ?? 0) + 1) return false;
  if (record.type === "line") {
    if (record.offset !== whole.ends[record.stream]) return false;
    whole.ends[record.stream] = record.offset + record.length + (record.unterminated ? 0 : 1);
  } else if (record.type === "exit") whole.exit = record;
  else if (record.truncation !== undefined) {
    whole.truncated.push(record.truncation);
    whole.ends[record.truncation.stream] = record.truncation.offset;
  }
  whole.last = { seq: record.seq, hash: record.hash, at: record.at };
  return true;
}
