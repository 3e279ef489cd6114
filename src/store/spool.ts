import { createHash } from "node:crypto";
import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { HarnessError } from "../core/errors.ts";
import type { Stream } from "../core/record.ts";
import { type FindSecrets, masker } from "./masker.ts";
import type { FileSeal, Truncation } from "./run-manifest.ts";

/** Big enough to keep up with a flood, small enough to answer a signal in between. */
const PIECE = 256 * 1024;

const START = { position: 0, base: 0 };

/** A file that an agent's output goes into, read as it grows. What it gives is masked, and so is the file, at once. */
export interface Spool {
  readonly stream: Stream;
  /** What has arrived since: empty where nothing did. Valid until the next call. */
  read(): Uint8Array;
  /** Whether the file holds what was not read yet. An empty read does not tell: all of it may be held back. */
  hasMore(): boolean;
  /** What was held back because a secret might have gone on; after this nothing more comes. */
  rest(): Uint8Array;
  /** Set by a read that found less in the file than was there before. */
  truncation(): Truncation | undefined;
  readonly truncations: readonly Truncation[];
  /** How many places were masked. */
  readonly masked: number;
  /** False once nobody can find the file by its name any more. */
  isLinked(): boolean;
  /** Copies what the file holds to a new file of that name: it was deleted under us. */
  restore(path: string): void;
  /** What it holds, as sealed. */
  seal(): FileSeal;
  sync(): Promise<void>;
  close(): void;
}

/** `from` is where a reader goes on that another one has left. */
export function openSpool(
  path: string,
  stream: Stream,
  find: FindSecrets,
  from: { readonly position: number; readonly base: number } = START,
): Spool {
  const fd = opened(path);
  const secrets = masker(find);
  const buffer = Buffer.allocUnsafeSlow(PIECE);
  const hash = createHash("sha256");
  const truncations: Truncation[] = [];
  let position = from.position; // in the stream: what the agent has written so far, as far as we have read it
  let base = from.base; // position − base is the place in the file
  let released = 0;
  let found: Truncation | undefined;

  function release({ bytes, ranges }: ReturnType<typeof secrets.push>): Uint8Array {
    for (const { offset, length } of ranges) writeSync(fd, Buffer.alloc(length, "*"), 0, length, from.position + offset - base);
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
      const count = readSync(fd, buffer, 0, PIECE, position - base);
      if (count > 0) {
        position += count;
        return release(secrets.push(buffer.subarray(0, count)));
      }
      const { size } = fstatSync(fd);
      if (size >= position - base) return buffer.subarray(0, 0);
      base = position - size; // what comes now is appended to what is left
      found = { stream, offset: position, base };
      truncations.push(found);
      return buffer.subarray(0, 0);
    },
    hasMore: () => fstatSync(fd).size > position - base,
    rest: () => release(secrets.end()),
    truncation() {
      const news = found;
      found = undefined;
      return news;
    },
    isLinked: () => fstatSync(fd).nlink > 0,
    restore(path) {
      const copy = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
      const { size } = fstatSync(fd);
      for (let at = 0; at < size; ) at += writeSync(copy, buffer, 0, readSync(fd, buffer, 0, PIECE, at), at);
      closeSync(copy);
    },
    seal: () => (from === START && truncations.length === 0 ? { bytes: released, sha256: hash.digest("hex") } : sealOf(fd, buffer)),
    sync: () => promisify(fdatasync)(fd),
    close: () => closeSync(fd),
  };
}

/** Creates the file for the agent to write into; the descriptor is the agent's. */
export function createSpoolFile(path: string): number {
  return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
}

function sealOf(fd: number, buffer: Buffer): FileSeal {
  const hash = createHash("sha256");
  let bytes = 0;
  for (;;) {
    const count = readSync(fd, buffer, 0, buffer.length, bytes);
    if (count === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(buffer.subarray(0, count));
    bytes += count;
  }
}

function opened(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  } catch (error) {
    throw new HarnessError("log", `Cannot open ${path}: ${error instanceof Error ? error.message : String(error)}.`, { cause: error });
  }
}
