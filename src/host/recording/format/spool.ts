import { createHash } from "node:crypto";
import { closeSync, constants, fchmodSync, fdatasync, fdatasyncSync, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Stream } from "../../../pure/events/index.ts";
import { bytesOf, holdDirectory, logError } from "../../files/index.ts";
import { type Earlier, type FindSecrets, maskInPlace, pieceMasker } from "../../secrets/index.ts";
import { maskedLater, writeFully } from "../../sink/index.ts";
import type { FileSeal, Truncation } from "./run-manifest.ts";

/** Large enough to keep up with a flood, small enough to answer a signal in between. */
const PIECE = 256 * 1024;

/** How many bytes identify the position in a file. */
const REMEMBERED = 64;
const ASTERISK = 42;

/** The stream offset to start at, how much of the stream is no longer in the file, and the byte of the file to stop at, if any. */
export interface Part extends Earlier {
  readonly position: number;
  readonly base: number;
  readonly end?: number;
}

/** Shared by all spools. Two buffers of 256 KB per run cost a tenth of an evaluation's processor time in garbage collection. */
let piece: Buffer | undefined;
const sharedPiece = () => (piece ??= Buffer.allocUnsafeSlow(PIECE));

const START: Part = { position: 0, base: 0 };

/** A file that receives an agent's output, read while it grows. Both the result and the file are masked immediately. */
export interface Spool {
  readonly stream: Stream;
  /** What has arrived since the last call, or empty. Valid until the next call on any spool. */
  read(): Uint8Array;
  /** Whether the file holds unread bytes. An empty read does not show that: everything may be held back. */
  hasMore(): boolean;
  /** The bytes held back because a secret might have continued. Nothing comes after this. */
  rest(): Uint8Array;
  /** Undefined unless complete lines are held back because the next lines may hold the rest of a secret: then the number of the first. */
  readonly waiting: number | undefined;
  /** Those lines: the rest did not come. */
  giveUp(): Uint8Array;
  /** Set by a read that found fewer bytes than before, or different ones. */
  truncation(): Truncation | undefined;
  readonly truncations: readonly Truncation[];
  /** How many places were masked. */
  readonly masked: number;
  /** False if the file can no longer be found by its name. */
  isLinked(): boolean;
  /** Copies the contents to a new file with that name, after it was deleted. Does not write through a link. */
  restore(path: string): void;
  /** The size and hash of its contents. */
  seal(): FileSeal;
  sync(): Promise<void>;
  syncNow(): void;
  close(): void;
}

/** `from` is where another reader stopped. */
export function openSpool(path: string, stream: Stream, find: FindSecrets, from: Part = START): Spool {
  const fd = opened(path);
  const secrets = pieceMasker(find, from);
  const masks = maskInPlace(fd, path);
  const buffer = sharedPiece();
  const hash = createHash("sha256");
  const truncations: Truncation[] = [];
  const { end = Number.POSITIVE_INFINITY } = from;
  let position = from.position; // in the stream: how much of it we have read
  let base = from.base; // position − base is the offset in the file
  let released = 0;
  let found: Truncation | undefined;
  let last: Buffer = Buffer.alloc(0); // the last bytes read, right before `position`

  /** Whether the file still continues from where we stopped: after a truncation it may have grown to the same size or more. */
  function isSame(): boolean {
    const place = position - base - last.length;
    const now = Buffer.alloc(last.length);
    const count = place < 0 ? 0 : readSync(fd, now, 0, now.length, place);
    if (count !== now.length) return false;
    return now.equals(last) || now.every((byte, i) => byte === last[i] || byte === ASTERISK); // secrets may have been masked since
  }

  function truncated(): Uint8Array {
    base = position; // everything in the file now was written after this point
    last = Buffer.alloc(0);
    found = { stream, offset: position, base };
    truncations.push(found);
    return buffer.subarray(0, 0);
  }

  function release({ bytes, ranges }: ReturnType<typeof secrets.push>): Uint8Array {
    // Before the start of the file: it was truncated away.
    masks.overwrite(
      ranges.map(({ offset, length }) => ({ start: from.position + offset - base, end: from.position + offset + length - base })),
    );
    released += bytes.length;
    hash.update(bytes);
    return bytes;
  }

  return {
    stream,
    truncations,
    get masked() {
      return secrets.count;
    },
    read() {
      if (!isSame()) return truncated();
      const count = readSync(fd, buffer, 0, Math.min(PIECE, end - (position - base)), position - base);
      if (count > 0) {
        position += count;
        last = Buffer.from(Buffer.concat([last, buffer.subarray(Math.max(0, count - REMEMBERED), count)]).subarray(-REMEMBERED));
        return release(secrets.push(buffer.subarray(0, count)));
      }
      return fstatSync(fd).size >= position - base ? buffer.subarray(0, 0) : truncated();
    },
    hasMore: () => Math.min(fstatSync(fd).size, end) > position - base,
    rest: () => release(secrets.end()),
    get waiting() {
      return secrets.waiting;
    },
    giveUp: () => release(secrets.giveUp()),
    truncation() {
      const news = found;
      found = undefined;
      return news;
    },
    isLinked: () => fstatSync(fd).nlink > 0,
    restore(path) {
      if (isLink(dirname(dirname(path)))) throw new HarnessError("log", `Cannot restore ${path}: its directory is behind a symbolic link.`);
      const directory = holdDirectory(dirname(path));
      let copy: number | undefined;
      try {
        copy = createSpoolFile(directory.path(basename(path)));
        for (const bytes of bytesOf(fd)) {
          const { error } = writeFully(copy, maskedLater(bytes));
          if (error !== undefined) throw logError(`Cannot restore ${path}`, error);
        }
      } finally {
        if (copy !== undefined) closeSync(copy);
        directory.close();
      }
    },
    seal: () => (from === START && truncations.length === 0 ? { bytes: released, sha256: hash.digest("hex") } : sealOf(fd)),
    sync: () => promisify(fdatasync)(fd),
    syncNow: () => fdatasyncSync(fd),
    close() {
      masks.close();
      closeSync(fd);
    },
  };
}

/** Creates the file that the agent writes to, with mode 0600. The descriptor is for the agent. */
export function createSpoolFile(path: string): number {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
    fchmodSync(fd, 0o600); // the umask may have removed even our own rights
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw logError(`Cannot create ${path}`, error);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** The size and hash of an open file, from its start. */
export function sealOf(fd: number): FileSeal {
  const hash = createHash("sha256");
  let size = 0;
  for (const bytes of bytesOf(fd)) {
    hash.update(bytes);
    size += bytes.length;
  }
  return { bytes: size, sha256: hash.digest("hex") };
}

function opened(path: string): number {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) throw new HarnessError("log", `Cannot open ${path}: it is not a regular file.`);
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw error instanceof HarnessError ? error : logError(`Cannot open ${path}`, error);
  }
}
