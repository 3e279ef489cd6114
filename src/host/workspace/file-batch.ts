import type * as Crypto from "node:crypto";
import type * as Files from "node:fs";
import { PIECE } from "./read-regular.ts";

/**
 * Files to be read, and what was found, in memory that threads share: whoever claims a batch that is ready reads it, and nobody else
 * touches it until it is done.
 */
export interface FileBatch {
  /** Its state, how many files there are, how many bytes their paths have, and whether contents are kept. */
  readonly head: Int32Array;
  /** The paths, with a NUL between two. An empty one is of a file that is not for us. */
  readonly names: Uint8Array;
  /** Four for each file: size, or -1 where somebody has to look closer; mode, mtime, number of names. */
  readonly numbers: Float64Array;
  /** SHA-256 of each, as text. */
  readonly digests: Uint8Array;
  /** The contents one behind the other, where they are kept. */
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
    numbers: new Float64Array(new SharedArrayBuffer(MOST_FILES * 4 * 8)),
    digests: new Uint8Array(new SharedArrayBuffer(MOST_FILES * 64)),
    bytes: new Uint8Array(new SharedArrayBuffer(MOST_BYTES)),
  };
}

/**
 * Reads the files of which there is nothing to say but what they are: regular, read at once, and last touched before we came, so that
 * nobody changed them meanwhile. All others are left to whoever looks closer. Uses nothing from outside: threads get it as text.
 */
export function readFiles(
  { head, numbers, digests, bytes }: FileBatch,
  paths: readonly string[],
  { openSync, readSync, fstatSync, closeSync, constants }: typeof Files,
  { hash }: typeof Crypto,
): void {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const piece = bytes.length / 2;
  const keeps = head[3] === 1; // HEAD.keeps, whose name a thread does not have
  const justBefore = Date.now() - 100; // TICK_MS of read-regular.ts, likewise
  const text = Buffer.from(digests.buffer);
  let end = 0;
  for (let file = 0; file < paths.length; file++) {
    const path = paths[file];
    numbers[4 * file] = -1;
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
      numbers[4 * file] = size;
      numbers[4 * file + 1] = stats.mode;
      numbers[4 * file + 2] = stats.mtimeMs;
      numbers[4 * file + 3] = stats.nlink;
      if (keeps) end += size;
    } catch {
      // what cannot be read is told by whoever looks closer
    } finally {
      closeSync(fd);
    }
  }
}

/** What was found of each file; undefined where somebody has to look closer. */
export function foundIn({ head, numbers, digests }: FileBatch) {
  const text = Buffer.from(digests.buffer).toString("latin1", 0, 64 * (head[HEAD.files] ?? 0));
  return (file: number) => {
    const [at, size = -1] = [4 * file, numbers[4 * file]];
    if (size < 0) return undefined;
    const [mode = 0, mtimeMs = 0, nlink = 1] = [numbers[at + 1], numbers[at + 2], numbers[at + 3]];
    return { size, mode, mtimeMs, nlink, sha256: text.slice(64 * file, 64 * file + 64) };
  };
}
