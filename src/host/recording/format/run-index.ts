import { closeSync, readFileSync } from "node:fs";
import { count, fits, object, parseObject, type Static } from "../../../pure/base/index.ts";
import { type AppendFile, openAppendFile, openToRead } from "../../files/index.ts";
import { json, own, recorded } from "../../sink/index.ts";
import { moment } from "./stored-record.ts";

/**
 * A line of `index.jsonl`: how many events come from how many records, and their end offsets, so that a reader can skip them. It does not
 * store the translator's state: see docs/decisions/0012.
 */
const entry = object({
  /** Events before this place. */
  event: count,
  /** Records before it; the next one begins at byte `recordsOffset` of `records.jsonl`. */
  record: count,
  recordsOffset: count,
  /** The bytes at which the next lines begin. */
  stdout: count,
  stderr: count,
  /** The time of the last record before it. */
  at: moment,
});
export type IndexEntry = Static<typeof entry>;

/** The index of a run while it is written. */
export interface RunIndex {
  /** Called between records; stores only a few of the places. */
  see(entry: IndexEntry): void;
  close(): void;
}

const EVERY_EVENTS = 1000;
const EVERY_BYTES = 1024 * 1024;

/** A short run has no index: the file is created with the first line. */
export function runIndex(path: string): RunIndex {
  let file: AppendFile | undefined;
  let events = 0;
  let bytes = 0;
  return {
    see(entry) {
      if (entry.event - events < EVERY_EVENTS && entry.stdout + entry.stderr - bytes < EVERY_BYTES) return;
      file ??= openAppendFile(path, { exclusive: true });
      file.append(own`${json(recorded(entry))}\n`);
      events = entry.event;
      bytes = entry.stdout + entry.stderr;
    },
    close: () => file?.close(),
  };
}

/** The lines; undefined for an invalid one. Empty if there is no index. */
export function readIndex(path: string): readonly (IndexEntry | undefined)[] {
  const fd = openToRead(path);
  if (fd === undefined) return [];
  try {
    const lines = readFileSync(fd, "utf8").split("\n");
    const rest = lines.pop();
    return rest === "" ? lines.map(entryOf) : [...lines.map(entryOf), undefined];
  } finally {
    closeSync(fd);
  }
}

function entryOf(line: string): IndexEntry | undefined {
  const value = parseObject(line);
  return fits(entry, value) ? value : undefined;
}
