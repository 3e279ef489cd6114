import { createHash, type Hash } from "node:crypto";
import type { Agent } from "../core/agent.ts";
import type { Event } from "../core/event.ts";
import type { RunInfo } from "../core/event-log.ts";
import { pipeline } from "../core/pipeline.ts";
import type { ExitRecord, Stream } from "../core/record.ts";
import { runSummary } from "../core/run-summary.ts";
import type { View } from "../core/view.ts";
import { decode } from "../derive/decode.ts";
import type { AppendFile } from "../store/append-file.ts";
import type { recordChain, StoredLine, StoredNotice } from "../store/record-chain.ts";
import type { FileSeal } from "../store/run-manifest.ts";
import { activity } from "../views/activity.ts";
import { stream } from "../views/stream.ts";

/** The inner events as they are: what the recorder hands to several views at once. */
const events: View<Event> = { id: "events", title: "", open: () => ({ push: (event) => [event], end: () => [] }) };

export interface RecordingFiles {
  readonly records: AppendFile;
  readonly events: AppendFile;
  readonly session: AppendFile;
}

/**
 * What happens to observed bytes, in this order: they are recorded, translated, written as the two views that every run
 * keeps, and shown to whoever watches. Everything is on its way to the disk before anybody sees it.
 */
export interface Recording {
  bytes(stream: Stream, bytes: Uint8Array, at: number): void;
  notice(record: StoredNotice): void;
  /** The last record. Unfinished lines are closed first. */
  exit(record: ExitRecord): void;
  readonly summary: ReturnType<typeof runSummary>;
  readonly eventCount: number;
  /** What the views of the run have become; after the exit. */
  seals(): { readonly events: FileSeal; readonly session: FileSeal };
}

interface OpenLine {
  start: number;
  length: number;
  hash: Hash;
}

export function recording(
  agent: Agent,
  run: RunInfo,
  chain: ReturnType<typeof recordChain>,
  files: RecordingFiles,
  watch: (events: readonly Event[], bytes: number) => void,
): Recording {
  const line = pipeline(agent, events, run, decode);
  const views = [
    { file: files.events, view: activity.open(), hash: createHash("sha256") },
    { file: files.session, view: stream.open(), hash: createHash("sha256") },
  ] as const;
  const summary = runSummary();
  const open: Record<Stream, OpenLine> = { stdout: newLine(0), stderr: newLine(0) };
  let eventCount = 0;

  function publish(batch: readonly Event[], bytes = 0): void {
    if (batch.length === 0) return;
    eventCount += batch.length;
    for (const event of batch) summary.see(event);
    for (const { file, view, hash } of views) {
      const text = jsonLines(batch.flatMap((event): readonly object[] => view.push(event)));
      if (text === "") continue;
      file.append(text);
      hash.update(text);
    }
    watch(batch, bytes);
  }

  /** The records of the lines that end in these bytes. */
  function recorded(stream: Stream, bytes: Uint8Array, at: number): string {
    let text = "";
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      text += closed(stream, bytes.subarray(from, end), at, true);
      from = end + 1;
    }
    const rest = bytes.subarray(from);
    open[stream].hash.update(rest);
    open[stream].length += rest.length;
    return text;
  }

  function closed(stream: Stream, rest: Uint8Array, at: number, terminated: boolean): string {
    const { start, length, hash } = open[stream];
    const body: StoredLine = {
      type: "line",
      at,
      stream,
      offset: start,
      length: length + rest.length,
      ...(terminated ? {} : { unterminated: true }),
    };
    open[stream] = newLine(start + body.length + (terminated ? 1 : 0));
    return chain.add(body, hash.update(rest));
  }

  return {
    summary,
    get eventCount() {
      return eventCount;
    },
    bytes(stream, bytes, at) {
      if (bytes.length === 0) return;
      const text = recorded(stream, bytes, at);
      if (text !== "") files.records.append(text);
      publish(line.bytes(stream, bytes, at), bytes.length);
    },
    seals() {
      const [events, session] = views;
      return {
        events: { bytes: events.file.size, sha256: events.hash.digest("hex") },
        session: { bytes: session.file.size, sha256: session.hash.digest("hex") },
      };
    },
    notice(record) {
      files.records.append(chain.add(record));
      publish(line.notice(record));
    },
    exit(record) {
      for (const stream of ["stdout", "stderr"] as const) {
        if (open[stream].length > 0) files.records.append(closed(stream, new Uint8Array(), record.at, false));
      }
      files.records.append(chain.add(record));
      line.exit(record);
      publish(line.end(record.at));
    },
  };
}

function jsonLines(records: readonly object[]): string {
  let text = "";
  for (const record of records) text += `${JSON.stringify(record)}\n`;
  return text;
}

function newLine(start: number): OpenLine {
  return { start, length: 0, hash: createHash("sha256") };
}
