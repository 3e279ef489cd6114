import { closeSync, fdatasync, fstatSync, ftruncateSync, lstatSync, readSync } from "node:fs";
import { promisify } from "node:util";
import { HarnessError } from "../../pure/base/index.ts";
import { bytesOfText, type SafeBytes, type SafeText, writeFully } from "../sink/index.ts";
import { logError } from "./log-error.ts";
import { openPrivate } from "./open-private.ts";

/** A file that only grows, by whole records. A record that could not be written completely is removed again. */
export interface AppendFile {
  readonly path: string;
  /** Counts complete records only. */
  readonly size: number;
  /** Returns when the whole record is in the file. If it throws, nothing was added, and the next append may succeed. */
  append(text: SafeText | SafeBytes): void;
  /** Whether the path still names this file, and the file has exactly the size we appended. */
  isIntact(): boolean;
  /** Returns when everything appended so far survives a power cut. */
  sync(): Promise<void>;
  close(): void;
}

const flush = promisify(fdatasync);

/** Opens or creates the file with mode 0600. Does not follow a link and does not wait on a pipe. */
export function openAppendFile(path: string, { exclusive = false }: { readonly exclusive?: boolean } = {}): AppendFile {
  let { fd, size } = openPrivate(path, { exclusive });
  /** The part of a record that was written but could not be removed yet. */
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
      const bytes = typeof text === "string" ? bytesOfText(text) : text;
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
      if (written > 0) torn = Buffer.from(bytes.subarray(0, written)); // a copy: the caller may reuse its buffer
      try {
        takeBack();
      } catch {
        // Report the first error. The next append retries the removal, so no record ever follows half a record.
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
      if (syncing === 0) closeNow(); // otherwise the descriptor number could already belong to another file
    },
  };
}

/** Removes exactly these bytes from the end of the file; throws if the file ends differently. Returns the new size. */
function withoutEnd(fd: number, bytes: Uint8Array): number {
  const start = fstatSync(fd).size - bytes.length;
  const end = Buffer.alloc(bytes.length);
  let count = 0;
  while (start >= 0 && count < end.length) {
    const read = readSync(fd, end, count, end.length - count, start + count);
    if (read === 0) break;
    count += read;
  }
  if (count < end.length || end.compare(bytes) !== 0) throw new Error("another process has changed the end of the file");
  ftruncateSync(fd, start);
  return start;
}
