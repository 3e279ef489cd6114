import type * as Crypto from "node:crypto";
import type * as Files from "node:fs";
import { PIECE } from "./read-regular.ts";

/** Files to read, and the results, in memory that threads share. Only the thread that claimed a batch touches it until it is done. */
export interface FileBatch {
  /** The state, the number of files, the bytes of their paths, and whether contents are kept. */
  readonly head: Int32Array;
  /** The paths, separated by NUL. An empty one stands for a file that only the careful reader can read. */
  readonly names: Uint8Array;
  /** Five per file: size, or -1 if the careful reader must look; mode, mtime, number of names, ctime. */
  readonly numbers: Float64Array;
  /** The SHA-256 of each file, as text. */
  readonly digests: Uint8Array;
  /** The contents one after the other, if they are kept. */
  readonly bytes: Uint8Array;
}

export const HEAD = { state: 0, files: 1, names: 2, keeps: 3 } as const;
export const STATE = { filling: 0, ready: 1, claimed: 2, done: 3 } as const;

export const MOST_FILES = 256;
export const MOST_NAMES = 64 * 1024;
const MOST_BYTES = 2 * PIECE;

export function fileBatch(): FileBatch {
  return {
    head: new Int32Array(new SharedArrayBuffer(4 * 4)),
    names: new Uint8Array(new SharedArrayBuffer(MOST_NAMES)),
    numbers: new Float64Array(new SharedArrayBuffer(MOST_FILES * 5 * 8)),
    digests: new Uint8Array(new SharedArrayBuffer(MOST_FILES * 64)),
    bytes: new Uint8Array(new SharedArrayBuffer(MOST_BYTES)),
  };
}

/**
 * Reads the simple files: regular, read in a single call, and last changed before we started, so no one changed them while we read. All
 * others are left to the careful reader. Uses nothing from outside: threads get it as text.
 */
export function readFiles(
  { head, numbers, digests, bytes }: FileBatch,
  paths: readonly string[],
  { openSync, readSync, fstatSync, closeSync, constants }: typeof Files,
  { hash }: typeof Crypto,
): void {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const piece = bytes.length / 2;
  const keeps = head[3] === 1; // HEAD.keeps, a name that threads do not have
  const justBefore = Date.now() - 100; // TICK_MS of read-regular.ts, likewise
  const text = Buffer.from(digests.buffer);
  let end = 0;
  for (let file = 0; file < paths.length; file++) {
    const path = paths[file];
    numbers[5 * file] = -1;
    if (!path || end > piece) continue;
    let fd: number;
    try {
      fd = openSync(path, flags);
    } catch {
      continue;
    }
    try {
      const size = readSync(fd, bytes, end, piece, 0);
      const stats = fstatSync(fd);
      if (!stats.isFile() || size !== stats.size || size === piece || !(stats.ctimeMs < justBefore)) continue;
      text.write(hash("sha256", bytes.subarray(end, end + size)), 64 * file, "latin1");
      numbers[5 * file] = size;
      numbers[5 * file + 1] = stats.mode;
      numbers[5 * file + 2] = stats.mtimeMs;
      numbers[5 * file + 3] = stats.nlink;
      numbers[5 * file + 4] = stats.ctimeMs;
      if (keeps) end += size;
    } catch {
      // the careful reader reports what cannot be read
    } finally {
      closeSync(fd);
    }
  }
}

/** The result for each file; undefined if the careful reader must look. */
export function foundIn({ head, numbers, digests }: FileBatch) {
  const text = Buffer.from(digests.buffer).toString("latin1", 0, 64 * (head[HEAD.files] ?? 0));
  return (file: number) => {
    const [at, size = -1] = [5 * file, numbers[5 * file]];
    if (size < 0) return undefined;
    const [mode = 0, mtimeMs = 0, nlink = 1, ctimeMs = 0] = numbers.subarray(at + 1, at + 5);
    return { size, mode, mtimeMs, nlink, ctimeMs, sha256: text.slice(64 * file, 64 * file + 64) };
  };
}
