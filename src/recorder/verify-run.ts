import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { Agent } from "../core/agent.ts";
import { lineSplitter } from "../core/line-splitter.ts";
import type { Stream } from "../core/record.ts";
import type { View } from "../core/view.ts";
import { decode } from "../derive/decode.ts";
import { deriveRun } from "../derive/derive-run.ts";
import { CHAIN_START, expectedHash, type StoredLine, storedRecordOf } from "../store/record-chain.ts";
import type { FileSeal, RunManifest, Seal } from "../store/run-manifest.ts";
import type { RunPaths } from "../store/run-paths.ts";
import { activity } from "../views/activity.ts";
import { stream } from "../views/stream.ts";
import { fileSeal } from "./seal-run.ts";

/** Where a recording is not what it was when it was sealed. */
export interface Flaw {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** The byte. */
  readonly offset?: number;
  readonly problem: string;
}

/** Everything that is wrong with a sealed run: its files against the seal, its chain, and its views against what its bytes give. */
export async function verifyRun(manifest: RunManifest, paths: RunPaths, session: string, agent: Agent): Promise<readonly Flaw[]> {
  const { sealed } = manifest;
  if (sealed === undefined) return [{ file: "run.json", problem: "the run is not sealed" }];
  const flaws = [...chainFlaws(paths, sealed)];
  const files: readonly (readonly [string, string])[] = [
    ["raw.jsonl", paths.stdout],
    ["stderr.log", paths.stderr],
    ["prompt.txt", paths.prompt],
  ];
  for (const [name, path] of files) flaws.push(...fileFlaws(name, path, sealed.files[name]));
  if (sealed.truncated !== undefined)
    flaws.push({ file: "raw.jsonl", problem: "the agent truncated its own output: what was before is lost" });
  const derived = (view: View) => deriveRun(manifest, paths.directory, agent, view);
  flaws.push(...(await viewFlaws(paths.events, derived(activity))), ...(await viewFlaws(session, derived(stream))));
  return flaws;
}

function* chainFlaws(paths: RunPaths, seal: Seal): Generator<Flaw> {
  const file = "records.jsonl";
  if (!existsSync(paths.records)) return yield { file, problem: "it is missing" };
  const bytesOf = { stdout: lineBytes(paths.stdout), stderr: lineBytes(paths.stderr) };
  const isTruncated = new Set(seal.truncated?.map((each) => each.stream));
  let seq = 0;
  let head = CHAIN_START;
  const ends: Record<Stream, number> = { stdout: 0, stderr: 0 };
  try {
    for (const { text, offset, terminated } of linesOf(paths.records)) {
      seq++;
      const here = { file, line: seq, offset };
      const record = terminated ? storedRecordOf(text) : undefined;
      if (record === undefined) return yield { ...here, problem: "this is not a record" };
      if (record.seq !== seq) return yield { ...here, problem: `record ${record.seq} stands where ${seq} belongs` };
      const isLine = record.type === "line";
      if (isLine && !isTruncated.has(record.stream) && record.offset !== ends[record.stream]) {
        return yield {
          ...here,
          problem: `its bytes do not follow those of the record before (${record.offset}, not ${ends[record.stream]})`,
        };
      }
      if (isLine) ends[record.stream] = record.offset + record.length + (record.unterminated ? 0 : 1);
      const expected =
        isLine && isTruncated.has(record.stream)
          ? record.hash
          : expectedHash(text, isLine ? bytesOf[record.stream].hash(record) : createHash("sha256"), head);
      if (record.hash !== expected) {
        const where = isLine
          ? `${basename(paths[record.stream])} at byte ${record.offset}, or the record itself, was changed`
          : "the record was changed";
        return yield { ...here, problem: where };
      }
      head = record.hash;
    }
  } finally {
    bytesOf.stdout.close();
    bytesOf.stderr.close();
  }
  if (seq !== seal.records || head !== seal.head)
    yield { file, line: seq + 1, problem: `it ends after ${seq} records; ${seal.records} were sealed` };
}

/** Hashes the bytes of one line after another. */
function lineBytes(path: string) {
  const fd = existsSync(path) ? openSync(path, "r") : undefined;
  const buffer = Buffer.allocUnsafe(64 * 1024);
  return {
    hash({ offset, length }: StoredLine) {
      const hash = createHash("sha256");
      for (let done = 0; fd !== undefined && done < length; ) {
        const count = readSync(fd, buffer, 0, Math.min(buffer.length, length - done), offset + done);
        if (count === 0) break;
        hash.update(buffer.subarray(0, count));
        done += count;
      }
      return hash;
    },
    close: () => (fd === undefined ? undefined : closeSync(fd)),
  };
}

function* fileFlaws(file: string, path: string, sealed: FileSeal | undefined): Generator<Flaw> {
  if (sealed === undefined) return;
  if (!existsSync(path)) return yield { file, problem: "it is missing" };
  const { bytes, sha256 } = fileSeal(path);
  if (bytes !== sealed.bytes)
    yield { file, offset: Math.min(bytes, sealed.bytes), problem: `it has ${bytes} bytes; ${sealed.bytes} were sealed` };
  else if (sha256 !== sealed.sha256) yield { file, problem: "its contents are not what was sealed" };
}

/** The first line that is not what the bytes of the run give. */
async function viewFlaws(path: string, batches: AsyncIterable<readonly object[]>): Promise<readonly Flaw[]> {
  const file = basename(path);
  if (!existsSync(path)) return [{ file, problem: "it is missing" }];
  const lines = linesOf(path);
  let line = 0;
  try {
    for await (const batch of batches) {
      for (const record of batch) {
        line++;
        const next = lines.next();
        if (next.done) return [{ file, line, offset: statSync(path).size, problem: "it ends before the run does" }];
        if (next.value.text !== JSON.stringify(record))
          return [{ file, line, offset: next.value.offset, problem: "this is not what the run's bytes give" }];
      }
    }
    const more = lines.next();
    return more.done ? [] : [{ file, line: line + 1, offset: more.value.offset, problem: "it goes on after the run has ended" }];
  } finally {
    lines.return(undefined);
  }
}

function* linesOf(path: string) {
  const fd = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const lines = lineSplitter(decode, Number.MAX_SAFE_INTEGER);
  try {
    for (let count = readSync(fd, buffer); count > 0; count = readSync(fd, buffer)) yield* lines.push(buffer.subarray(0, count));
    yield* lines.end();
  } finally {
    closeSync(fd);
  }
}
