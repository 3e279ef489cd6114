import { createHash } from "node:crypto";
import { closeSync, constants, fchmodSync, fdatasync, fdatasyncSync, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { HarnessError } from "../../../pure/base/index.ts";
import type { Stream } from "../../../pure/events/index.ts";
import { bytesOf, holdDirectory, logError, writeFully } from "../../files/index.ts";
import { type FindSecrets, masker, maskInPlace } from "../../secrets/index.ts";
import type { FileSeal, Truncation } from "./run-manifest.ts";

/** Big enough to keep up with a flood, small enough to answer a signal in between. */
const PIECE = 256 * 1024;

/** By so many bytes a file is known again. */
const REMEMBERED = 64;
const ASTERISK = 42;

/** Where in the stream reading begins, and what of it is not in the file; and at which byte of the file it ends, if not with it. */
export interface Part {
  readonly position: number;
  readonly base: number;
  readonly end?: number;
}

/**
 * One for all spools: what was read is used up before anything else is read. Two of these per run, at 256 KB each, were a tenth of the
 * processor time of an evaluation, spent on collecting them.
 */
let piece: Buffer | undefined;
const sharedPiece = () => (piece ??= Buffer.allocUnsafeSlow(PIECE));

const START: Part = { position: 0, base: 0 };

/** A file that an agent's output goes into, read as it grows. What it gives is masked, and so is the file, at once. */
export interface Spool {
  readonly stream: Stream;
  /** What has arrived since: empty where nothing did. Valid until the next call, of any spool. */
  read(): Uint8Array;
  /** Whether the file holds what was not read yet. An empty read does not tell: all of it may be held back. */
  hasMore(): boolean;
  /** What was held back because a secret might have gone on; after this nothing more comes. */
  rest(): Uint8Array;
  /** Set by a read that found less in the file than was there before, or something else. */
  truncation(): Truncation | undefined;
  readonly truncations: readonly Truncation[];
  /** How many places were masked. */
  readonly masked: number;
  /** False once nobody can find the file by its name any more. */
  isLinked(): boolean;
  /** Copies what the file holds to a new file of that name: it was deleted under us. Not into what a link leads to. */
  restore(path: string): void;
  /** What it holds, as sealed. */
  seal(): FileSeal;
  sync(): Promise<void>;
  syncNow(): void;
  close(): void;
}

/** `from` is where a reader goes on that another one has left. */
export function openSpool(path: string, stream: Stream, find: FindSecrets, from: Part = START): Spool {
  const fd = opened(path);
  const secrets = masker(find);
  const masks = maskInPlace(fd, path);
  const buffer = sharedPiece();
  const hash = createHash("sha256");
  const truncations: Truncation[] = [];
  const { end = Number.POSITIVE_INFINITY } = from;
  let position = from.position; // in the stream: what the agent has written so far, as far as we have read it
  let base = from.base; // position − base is the place in the file
  let released = 0;
  let found: Truncation | undefined;
  let last: Buffer = Buffer.alloc(0); // what was read last, as it stands before `position`

  /** Whether the file still goes on from where it was read: one that was truncated may be as long again by now, and longer. */
  function isSame(): boolean {
    const place = position - base - last.length;
    const now = Buffer.alloc(last.length);
    const count = place < 0 ? 0 : readSync(fd, now, 0, now.length, place);
    if (count !== now.length) return false;
    return now.equals(last) || now.every((byte, i) => byte === last[i] || byte === ASTERISK); // secrets are masked meanwhile
  }

  function truncated(): Uint8Array {
    base = position; // what the file holds now was written after it
    last = Buffer.alloc(0);
    found = { stream, offset: position, base };
    truncations.push(found);
    return buffer.subarray(0, 0);
  }

  function release({ bytes, ranges }: ReturnType<typeof secrets.push>): Uint8Array {
    for (const { offset, length } of ranges) {
      const start = from.position + offset - base;
      if (start + length > 0) masks.overwrite(Math.max(0, start), start + length); // else it was truncated away
    }
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
          const { error } = writeFully(copy, bytes);
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

/** Creates the file for the agent to write into, as ours alone (0600); the descriptor is the agent's. */
export function createSpoolFile(path: string): number {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
    fchmodSync(fd, 0o600); // a umask may have taken even our own rights
    return fd;
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw logError(`Cannot create ${path}`, error);
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** What an open file holds, from its beginning. */
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
