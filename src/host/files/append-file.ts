import { closeSync, fdatasync, fstatSync, ftruncateSync, lstatSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { HarnessError } from "../../pure/base/index.ts";
import { logError } from "./log-error.ts";
import { openPrivate } from "./open-private.ts";
import { writeFully } from "./write-fully.ts";

/** A file that only grows, by whole records: what could not be written whole is taken back. */
export interface AppendFile {
  readonly path: string;
  /** How long it is, counting whole records only. */
  readonly size: number;
  /** Returns when all of it is in the file. Throws where it is not, and then none of it is; the next append may succeed again. */
  append(text: string | Uint8Array): void;
  /** Whether it is still there under its name, and as long as what was appended. */
  isIntact(): boolean;
  /** Returns when what was appended so far survives a power cut. */
  sync(): Promise<void>;
  close(): void;
}

const flush = promisify(fdatasync);

/** Opens it, or creates it, as ours alone (0600). Follows no link, and does not wait for the reader of a pipe. */
export function openAppendFile(path: string, { exclusive = false }: { readonly exclusive?: boolean } = {}): AppendFile {
  let { fd, size } = openPrivate(path, { exclusive });
  /** What of a record is in the file and could not be taken back yet. */
  let torn: Uint8Array | undefined;
  let syncing = 0;
  let isClosed = false;

  function takeBack(): void {
    if (torn === undefined) return;
    size = withoutEnd(fd, torn);
    torn = undefined;
  }

  function closeNow(): void {
    if (fd === -1) return;
    closeSync(fd);
    fd = -1;
  }

  return {
    path,
    get size() {
      return size;
    },
    append(text) {
      if (isClosed) throw new HarnessError("log", `Cannot write ${path}: it has been closed.`);
      const bytes = typeof text === "string" ? Buffer.from(text) : text;
      try {
        takeBack();
      } catch (error) {
        throw logError(`Cannot write ${path}`, error);
      }
      const { written, error } = writeFully(fd, bytes);
      if (error === undefined) {
        size += written;
        return;
      }
      if (written > 0) torn = Buffer.from(bytes.subarray(0, written)); // a copy: the caller may reuse its own
      try {
        takeBack();
      } catch {
        // The first error is the one to tell; the next append tries again, and writes nothing behind half a record.
      }
      throw logError(`Cannot write ${path}`, error);
    },
    isIntact() {
      const [here, named] = [fstatSync(fd), lstatSync(path, { throwIfNoEntry: false })];
      return named?.ino === here.ino && named.dev === here.dev && here.size === size;
    },
    async sync() {
      if (isClosed) return;
      syncing++;
      try {
        await flush(fd);
      } catch (error) {
        throw logError(`Cannot write ${path}`, error);
      } finally {
        syncing--;
        if (isClosed && syncing === 0) closeNow();
      }
    },
    close() {
      isClosed = true;
      if (syncing === 0) closeNow(); // else the number of the descriptor could be another file's by then
    },
  };
}

/**
 * Cuts these bytes off the end of the file, and nothing else: if the file ends otherwise, somebody else has written behind them,
 * and what is whole stays. Returns the new size.
 */
function withoutEnd(fd: number, bytes: Uint8Array): number {
  const start = fstatSync(fd).size - bytes.length;
  const end = Buffer.alloc(bytes.length);
  let count = 0;
  while (start >= 0 && count < end.length) {
    const read = readSync(fd, end, count, end.length - count, start + count);
    if (read === 0) break;
    count += read;
  }
  if (count < end.length || end.compare(bytes) !== 0) throw new Error("another process has changed its end");
  ftruncateSync(fd, start);
  return start;
}
