import { closeSync, existsSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import type { ExitRecord, FactBody, Stream } from "../../../pure/events/index.ts";
import { type AppendFile, openAppendFile, openToRead } from "../../files/index.ts";
import { writersOf } from "../../process/index.ts";
import { type FindSecrets, finishMasking, maskFact, maskText, nothingToFind } from "../../secrets/index.ts";
import {
  boundedFact,
  CHAIN_START,
  type FileSeal,
  lineRecorder,
  OUTPUT_FILES,
  openSpool,
  type RecordChain,
  type RunManifest,
  type RunPaths,
  recordChain,
  type Truncation,
} from "../format/index.ts";
import { breather } from "./breather.ts";
import { type KeptRecords, keptRecords } from "./kept-records.ts";
import type { ObservedSoFar } from "./late-evidence.ts";

const BEFORE = 256 * 1024;
const NEWLINE = 0x0a;

export interface Recovered {
  readonly repairs: string[];
  readonly masked: number;
  readonly exit: ExitRecord;
  readonly seq: number;
  readonly head: string;
  readonly truncated: readonly Truncation[];
  readonly seals: Readonly<Record<"raw.jsonl" | "stderr.log", FileSeal>>;
}

/**
 * Completes `records.jsonl`: sets a torn end aside, then masks and records what the agent printed after the last record. Can be interrupted
 * anywhere and repeated. When it resolves, everything is on disk.
 */
export async function recoverRecords(
  paths: RunPaths,
  manifest: RunManifest,
  find: FindSecrets,
  observeLate: (exit: ExitRecord, observed: ObservedSoFar) => Promise<readonly FactBody[]>,
): Promise<Recovered> {
  const kept = await keptRecords(paths.records);
  const chain = recordChain(kept.last ?? { seq: 0, hash: CHAIN_START });
  const records = openAppendFile(paths.records);
  try {
    const stdout = await recoverStream("stdout", paths.stdout, { kept, chain, records, find, notBefore: manifest.startedAt });
    const stderr = await recoverStream("stderr", paths.stderr, { kept, chain, records, find, notBefore: stdout.at });
    const repairs = [...kept.repairs, ...stdout.repairs, ...stderr.repairs];
    const late = kept.recovered + stdout.lines + stderr.lines;
    if (late > 0) repairs.push(`${late} lines that the agent had printed were not yet recorded`);
    if (kept.exit === undefined && kept.gone !== undefined) repairs.push("the observation after the agent's end was not finished");
    const exit = kept.exit ?? (kept.gone && { ...kept.gone, at: stderr.at }) ?? unseenExit(manifest, stderr.at);
    if (kept.exit === undefined) {
      const facts = await observeLate(exit, kept.observed);
      for (const body of facts) records.append(chain.add({ type: "fact", at: exit.at, body: boundedFact(maskFact(body, find)) }));
      records.append(chain.add(exit));
    }
    await records.sync();
    const { seq, head } = chain;
    const seals = { "raw.jsonl": stdout.seal, "stderr.log": stderr.seal };
    return { repairs, masked: stdout.masked + stderr.masked, exit, seq, head, truncated: kept.truncated, seals };
  } finally {
    records.close();
  }
}

interface Context {
  readonly kept: KeptRecords;
  readonly chain: RecordChain;
  readonly records: AppendFile;
  readonly find: FindSecrets;
  readonly notBefore: number;
}

/** Masks and records everything after the stream's last record, with the time at which the file was last written. */
async function recoverStream(stream: Stream, path: string, { kept, chain, records, find, notBefore }: Context) {
  const repairs: string[] = [];
  const name = OUTPUT_FILES[stream];
  if (!existsSync(path)) {
    openAppendFile(path, { exclusive: true }).close();
    repairs.push(`${name} was missing: what the agent printed there is lost`);
  }
  const { size, mtimeMs } = statSync(path);
  const writers = writersOf(path);
  if (writers.length > 0) {
    replaceHeld(path, stream);
    repairs.push(maskText(`${name} was still open in ${writers.join(", ")} and has been replaced with a copy`, find));
  }
  const at = Math.max(notBefore, kept.last?.at ?? 0, Math.min(Math.trunc(mtimeMs), Date.now()));
  const position = kept.ends[stream];
  const base = kept.truncated.filter((each) => each.stream === stream).at(-1)?.base ?? 0;
  if (size < position - base) repairs.push(`${name} has ${size} bytes; ${position - base} were recorded, and the rest is lost`);
  const before = { seq: chain.seq, masked: kept.masked[stream] + finishMasking(path) };
  await maskAgain(path, find, position - base);
  const spool = openSpool(path, stream, find, { position, base, before: linesBefore(path, position - base) });
  try {
    const lines = lineRecorder(chain, stream, { from: { offset: position, masked: before.masked } });
    let unheard = 0;
    const isOver = kept.exit !== undefined || kept.gone !== undefined;
    const take = (bytes: Uint8Array) => {
      if (!isOver) records.append(lines.bytes(bytes, at, before.masked + spool.masked).records);
      else unheard += bytes.length; // nothing can be recorded after the exit
    };
    const breathe = breather();
    while (spool.hasMore()) {
      take(spool.read());
      await breathe();
    }
    take(spool.rest());
    if (!isOver) records.append(lines.end(at).records);
    if (unheard > 0) repairs.push(`${unheard} bytes of ${name} were written after the agent's end`);
    await spool.sync();
    return { at, repairs, lines: chain.seq - before.seq, masked: before.masked + spool.masked, seal: spool.seal() };
  } finally {
    spool.close();
  }
}

/** Another process could write to the file after it is sealed: the run continues with a copy. */
function replaceHeld(path: string, stream: Stream): void {
  const copy = `${path}.new`;
  rmSync(copy, { force: true });
  const spool = openSpool(path, stream, nothingToFind);
  try {
    spool.restore(copy);
  } finally {
    spool.close();
  }
  renameSync(copy, path);
}

/** Recorded bytes were masked before, but after a power cut the record may be on disk and the mask may not. */
async function maskAgain(path: string, find: FindSecrets, end: number): Promise<void> {
  if (find.longest === 0) return;
  const spool = openSpool(path, "stdout", find, { position: 0, base: 0, end, isRecorded: true });
  const breathe = breather();
  try {
    for (; spool.hasMore(); await breathe()) spool.read();
    spool.rest();
  } finally {
    spool.close();
  }
}

/** The recorded lines before this offset in which a secret may have begun that continues after it. */
function linesBefore(path: string, offset: number): Uint8Array {
  const fd = offset > 0 ? openToRead(path) : undefined;
  if (fd === undefined) return Buffer.alloc(0);
  try {
    const bytes = Buffer.alloc(Math.min(offset, BEFORE));
    const size = readSync(fd, bytes, 0, bytes.length, offset - bytes.length);
    return size === bytes.length && bytes.at(-1) === NEWLINE ? bytes : Buffer.alloc(0);
  } finally {
    closeSync(fd);
  }
}

/** The exit record for an end that was not seen, at the time of the last sign of life. */
function unseenExit(manifest: RunManifest, at: number): ExitRecord {
  if (manifest.ended !== undefined) return { type: "exit", ...manifest.ended, at: Math.max(at, manifest.ended.at) };
  return { type: "exit", at, exitCode: null, signal: null, durationMs: null, stopped: "recorder-died" };
}
