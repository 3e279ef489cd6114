import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, readSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { logError } from "../../host/files/index.ts";
import { recorded, writeFully } from "../../host/sink/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { ROW_BYTES, type TimelineRow, writeRow } from "../../pure/timeline/index.ts";

/** The events of a run as lines, and a row of fixed length for each, so that any window is one read. */
export interface LogFiles {
  readonly count: number;
  add(line: string, row: (bytes: number) => TimelineRow): void;
  /** Makes added events readable. */
  flush(): void;
  /** The rows of the events from `from` (counted from 0) to before `to`. */
  rows(from: number, to: number): Buffer;
  /** The position of the events from `from` to before `to` in the file of lines. */
  place(from: number, to: number): { readonly offset: number; readonly lengths: readonly number[] };
  bytes(offset: number, length: number): Buffer;
  close(): void;
}

/** The offset of every 256th event is kept in memory; the others are sums of lengths. */
const STRIDE = 256;
const PIECE = 256 * 1024;

/** Uses unlinked files in this directory: if the process dies, nothing stays behind. */
export function logFiles(directory: string): LogFiles {
  const lines = openNameless(directory);
  const index = openNameless(directory);
  const places: number[] = [];
  let text: string[] = [];
  let textBytes = 0;
  const pending = Buffer.alloc(ROW_BYTES * 4096);
  const view = new DataView(pending.buffer, pending.byteOffset, pending.byteLength);
  let rowsPending = 0;
  let count = 0;
  let offset = 0;
  let isClosed = false;

  function flush(): void {
    if (rowsPending === 0) return;
    write(lines, Buffer.from(text.join("")));
    write(index, pending.subarray(0, rowsPending * ROW_BYTES));
    count += rowsPending;
    text = [];
    textBytes = 0;
    rowsPending = 0;
  }

  return {
    get count() {
      return count;
    },
    add(line, row) {
      const bytes = Buffer.byteLength(line);
      if ((count + rowsPending) % STRIDE === 0) places.push(offset);
      writeRow(view, rowsPending * ROW_BYTES, row(bytes));
      text.push(line, "\n");
      rowsPending++;
      textBytes += bytes + 1;
      offset += bytes + 1;
      if (textBytes > PIECE || rowsPending === 4096) flush();
    },
    flush,
    rows: (from, to) => read(index, from * ROW_BYTES, Math.max(0, Math.min(to, count) - from) * ROW_BYTES),
    place(from, to) {
      const start = from - (from % STRIDE);
      const rows = read(index, start * ROW_BYTES, Math.max(0, Math.min(to, count) - start) * ROW_BYTES);
      const lengths = Array.from({ length: rows.length / ROW_BYTES }, (_, i) => rows.readUInt32LE(i * ROW_BYTES + 8));
      const before = lengths.slice(0, from - start).reduce((sum, length) => sum + length + 1, 0);
      return { offset: (places[start / STRIDE] ?? 0) + before, lengths: lengths.slice(from - start) };
    },
    bytes: (at, length) => read(lines, at, length),
    close() {
      if (isClosed) return;
      isClosed = true;
      for (const fd of [lines, index]) closeSync(fd);
    },
  };
}

function openNameless(directory: string): number {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_APPEND } = constants;
  const path = join(directory, randomBytes(12).toString("hex"));
  try {
    const fd = openSync(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND, 0o600);
    unlinkSync(path);
    return fd;
  } catch (error) {
    throw logError(`Cannot write the page's temporary files in ${directory}`, error, REMEDY);
  }
}

const REMEDY = "set XDG_CACHE_HOME to a directory with free space";

function write(fd: number, bytes: Buffer): void {
  const { error } = writeFully(fd, recorded(bytes));
  if (error !== undefined) throw logError("Cannot write the page's temporary files", error, REMEDY);
}

function read(fd: number, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, buffer, done, length - done, offset + done);
    if (count === 0) throw new HarnessError("log", "A temporary file of the page was truncated. Start harness view again.");
    done += count;
  }
  return buffer;
}
