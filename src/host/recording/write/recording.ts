import { createHash } from "node:crypto";
import { jsonLines } from "../../../pure/base/index.ts";
import type { Event, ExitRecord, Stream } from "../../../pure/events/index.ts";
import { type Agent, innerEvents, pipeline, type RunInfo, runSummary } from "../../../pure/pipeline/index.ts";
import type { AppendFile } from "../../files/index.ts";
import { decode } from "../derive/index.ts";
import { type FileSeal, lineRecorder, type RecordChain, type RunIndex, type StoredFact } from "../format/index.ts";
import type { KeptView } from "./kept-views.ts";

export interface RecordingFiles {
  readonly records: AppendFile;
  readonly index: RunIndex;
  readonly views: readonly { readonly kept: KeptView; readonly file: AppendFile }[];
  /** Of an agent that is spoken with: what we said. */
  readonly client?: AppendFile;
}

/** Those that grow by whole records. */
export function appendedFiles({ records, views, client }: RecordingFiles): readonly AppendFile[] {
  return [records, ...views.map(({ file }) => file), ...(client === undefined ? [] : [client])];
}

/**
 * What happens to observed bytes, in this order: they are recorded, translated, written as the views that the run
 * keeps, and shown to whoever watches. Everything is on its way to the disk before anybody sees it.
 */
export interface Recording {
  /** `masked` is how many places of the stream were masked so far. */
  bytes(stream: Stream, bytes: Uint8Array, at: number, masked: number): void;
  fact(record: StoredFact): void;
  /** The last record. Unfinished lines are closed first. */
  exit(record: ExitRecord): void;
  /** The end for a log that cannot be written any more: whoever watches is told, if it was not, and nothing is written. */
  tellEnd(record: ExitRecord): void;
  readonly summary: ReturnType<typeof runSummary>;
  readonly eventCount: number;
  /** What the views of the run have become; after the exit. */
  seals(): Readonly<Record<string, FileSeal>>;
}

export function recording(
  agent: Agent,
  run: RunInfo,
  chain: RecordChain,
  files: RecordingFiles,
  watch: (events: readonly Event[]) => void,
): Recording {
  const line = pipeline(agent, innerEvents, run, decode);
  const lines = { stdout: lineRecorder(chain, "stdout"), stderr: lineRecorder(chain, "stderr") };
  const views = files.views.map(({ kept, file }) => ({ name: kept.file, file, view: kept.view.open(), hash: createHash("sha256") }));
  const summary = runSummary();
  let eventCount = 0;
  let ending: readonly Event[] | undefined;
  let isEndTold = false;

  function record(text: string): void {
    if (text !== "") files.records.append(text);
  }

  function endLines(at: number): void {
    for (const open of [lines.stdout, lines.stderr]) record(open.end(at));
  }

  function publish(batch: readonly Event[]): void {
    if (batch.length === 0) return;
    eventCount += batch.length;
    for (const event of batch) summary.see(event);
    for (const { file, view, hash } of views) {
      const text = jsonLines(batch.flatMap((event): readonly object[] => view.push(event)));
      if (text === "") continue;
      file.append(text);
      hash.update(text);
    }
    watch(batch);
  }

  /** The streams can be ended only once. */
  function endOf(exit: ExitRecord): readonly Event[] {
    if (ending !== undefined) return ending;
    line.exit(exit);
    ending = line.end(exit.at);
    return ending;
  }

  return {
    summary,
    get eventCount() {
      return eventCount;
    },
    bytes(stream, bytes, at, masked) {
      const text = lines[stream].bytes(bytes, at, masked);
      record(text);
      publish(line.bytes(stream, bytes, at));
      if (text === "") return;
      const offsets = { stdout: lines.stdout.offset, stderr: lines.stderr.offset };
      files.index.see({ event: eventCount, record: chain.seq, recordsOffset: files.records.size, ...offsets, at });
    },
    fact(fact) {
      if (fact.body.type === "process-observed") endLines(fact.at);
      record(chain.add(fact));
      publish(line.fact(fact));
    },
    exit(exit) {
      endLines(exit.at);
      record(chain.add(exit));
      publish(endOf(exit));
      isEndTold = true;
    },
    tellEnd(exit) {
      if (!isEndTold) watch(endOf(exit));
      isEndTold = true;
    },
    seals() {
      return Object.fromEntries(views.map(({ name, file, hash }) => [name, { bytes: file.size, sha256: hash.digest("hex") }]));
    },
  };
}
