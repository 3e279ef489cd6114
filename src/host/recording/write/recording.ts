import { createHash } from "node:crypto";
import { jsonLines } from "../../../pure/base/index.ts";
import type { Event, ExitRecord, Line, Stream } from "../../../pure/events/index.ts";
import { type Agent, eventLog, type RunInfo, runSummary } from "../../../pure/pipeline/index.ts";
import type { AppendFile } from "../../files/index.ts";
import { joined, own, recorded, type SafeText } from "../../sink/index.ts";
import { decode } from "../derive/index.ts";
import { type FileSeal, lineRecorder, type RecordChain, type RunIndex, type SafeFact } from "../format/index.ts";
import type { KeptView } from "./kept-views.ts";

export interface RecordingFiles {
  readonly records: AppendFile;
  readonly index: RunIndex;
  readonly views: readonly { readonly kept: KeptView; readonly file: AppendFile }[];
  /** Our side of the conversation, for an agent with a protocol. */
  readonly client?: AppendFile;
  /** Its requests to its model. */
  readonly wire?: AppendFile;
}

const NONE = own``;

/** The files that grow by whole records. */
export function appendedFiles({ records, views, client, wire }: RecordingFiles): readonly AppendFile[] {
  return [records, ...views.map(({ file }) => file), ...[client, wire].filter((file) => file !== undefined)];
}

/** Records bytes, translates them, writes the views, then calls `watch`: everything is on its way to disk before anyone sees it. */
export interface Recording {
  /** `masked` is how many places of the stream were masked so far. Returns the lines that end here, so that bytes are split only once. */
  bytes(stream: Stream, bytes: Uint8Array, at: number, masked: number): readonly Line[];
  fact(record: SafeFact): void;
  /** The last record. Unfinished lines are closed first. */
  exit(record: ExitRecord): void;
  /** The end for a log that can no longer be written: passes it to `watch`, if that has not happened, and writes nothing. */
  showEnd(record: ExitRecord): void;
  readonly summary: ReturnType<typeof runSummary>;
  readonly eventCount: number;
  /** The seals of the views; call after the exit. */
  seals(): Readonly<Record<string, FileSeal>>;
}

export function recording(
  agent: Agent,
  run: RunInfo,
  chain: RecordChain,
  files: RecordingFiles,
  watch: (events: readonly Event[]) => void,
): Recording {
  const log = eventLog(agent, run, (event) => void pending.push(event));
  const lines = { stdout: lineRecorder(chain, "stdout", { decode }), stderr: lineRecorder(chain, "stderr", { decode }) };
  const views = files.views.map(({ kept, file }) => ({ name: kept.file, file, view: kept.view.open(), hash: createHash("sha256") }));
  const summary = runSummary();
  let eventCount = 0;
  let pending: Event[] = []; // the events of the current input
  let ending: readonly Event[] | undefined;
  let isEndShown = false;

  function record(records: SafeText): void {
    if (records !== "") files.records.append(records);
  }

  function translate(stream: Stream, found: readonly Line[], at: number): void {
    for (const line of found) log.line(stream, line, at);
  }

  /** Turns unfinished lines into lines and returns their records. */
  function endLines(at: number): SafeText {
    let records = NONE;
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = lines[stream].end(at);
      translate(stream, rest.lines, at);
      records = joined(records, rest.records);
    }
    return records;
  }

  function taken(): readonly Event[] {
    const given = pending;
    pending = [];
    return given;
  }

  function publish(batch: readonly Event[]): void {
    if (batch.length === 0) return;
    eventCount += batch.length;
    for (const event of batch) summary.see(event);
    for (const { file, view, hash } of views) {
      const text = recorded(jsonLines(batch.flatMap((event): readonly object[] => view.push(event))));
      if (text === "") continue;
      file.append(text);
      hash.update(text);
    }
    watch(batch);
  }

  /** The events and records of the end. The streams can be ended only once, even if that cannot be recorded. */
  function endOf(exit: ExitRecord): { readonly events: readonly Event[]; readonly records: SafeText } {
    if (ending !== undefined) return { events: ending, records: NONE };
    const records = joined(endLines(exit.at), chain.add(exit));
    log.push(exit);
    log.end();
    ending = taken();
    return { events: ending, records };
  }

  return {
    summary,
    get eventCount() {
      return eventCount;
    },
    bytes(stream, bytes, at, masked) {
      const { lines: found, records } = lines[stream].bytes(bytes, at, masked);
      if (found.length === 0) return found;
      record(records);
      translate(stream, found, at);
      publish(taken());
      const offsets = { stdout: lines.stdout.offset, stderr: lines.stderr.offset };
      files.index.see({ event: eventCount, record: chain.seq, recordsOffset: files.records.size, ...offsets, at });
      return found;
    },
    fact(fact) {
      const ended = fact.body.type === "process-observed" ? endLines(fact.at) : NONE;
      record(joined(ended, chain.add(fact)));
      log.push(fact);
      publish(taken());
    },
    exit(exit) {
      const { events, records } = endOf(exit);
      record(records);
      publish(events);
      isEndShown = true;
    },
    showEnd(exit) {
      if (!isEndShown) watch(endOf(exit).events);
      isEndShown = true;
    },
    seals() {
      return Object.fromEntries(views.map(({ name, file, hash }) => [name, { bytes: file.size, sha256: hash.digest("hex") }]));
    },
  };
}
