import { createHash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, ftruncateSync, mkdirSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../core/errors.ts";
import { logError } from "../store/log-error.ts";
import { openPrivate } from "../store/open-private.ts";
import { bytesOf, openToRead } from "../store/open-to-read.ts";
import { writeFully } from "../store/write-fully.ts";
import { PIECE } from "./read-regular.ts";

/**
 * Contents by their SHA-256, each once, copied byte by byte: never a link to a file of the agent's, who could change it later.
 *
 * Small files make the bulk of a workspace, and creating a file costs more than its bytes: so all contents are appended to one
 * `<id>.pack`, and `<id>.index` has a line `<sha256> <offset> <length>` for each. Every writer has its own pair, and every reader
 * reads all of them: writers need no lock. What a killed writer leaves is a pack with bytes no index names.
 */
export interface Objects {
  has(sha256: string): boolean;
  /** The contents, in pieces, each valid until the next one is asked for. Throws at the end where they are not what was kept. */
  read(sha256: string): Generator<Buffer, void>;
  /** Whether something of that length is kept, which does not come in one piece: then it pays to hash before writing. */
  hasLength(length: number): boolean;
  /** A megabyte to read contents into: what is added from there is not copied again. Valid until something is added. */
  room(): Buffer;
  /** False where the budget does not allow it; the contents are then not kept. */
  add(sha256: string, bytes: Buffer): boolean;
  /** For contents whose hash is not known yet. */
  begin(): Pending;
  /** Returns when what was added can be read by others. */
  close(): void;
}

export interface Pending {
  write(piece: Buffer): void;
  /** False where the budget did not allow it. */
  finish(sha256: string): boolean;
  cancel(): void;
}

interface Place {
  readonly pack: string;
  readonly offset: number;
  readonly length: number;
}

const BLOCK = 2 * PIECE;
const INDEX_LINE = /^([0-9a-f]{64}) (\d+) (\d+)$/;

export interface ObjectsOptions {
  /** How much may be added. */
  readonly bytes?: number;
  /** False: nobody else will read them, and no index is written. */
  readonly isShared?: boolean;
}

/** Opens the directory, or creates it, as ours alone. */
export function openObjects(directory: string, { bytes = 16 * 2 ** 30, isShared = true }: ObjectsOptions = {}): Objects {
  const places = new Map<string, Place>();
  const lengths = new Set<number>();
  const packs = new Map<string, number>();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  for (const name of readdirSync(directory)) if (name.endsWith(".index")) load(name.slice(0, -".index".length));

  const own = randomBytes(8).toString("hex");
  let pack: number | undefined;
  let index: number | undefined;
  /** What the pack holds, and what of it waits to be written: a call for every small file would take as long as reading it. */
  let size = 0;
  let waiting = 0;
  const block = Buffer.allocUnsafeSlow(BLOCK);
  let lines = "";

  function load(id: string): void {
    const fd = openToRead(join(directory, `${id}.index`));
    if (fd === undefined) return;
    try {
      const text = Buffer.concat(Array.from(bytesOf(fd), (piece) => Buffer.from(piece))).toString("latin1");
      // A line that was cut off has no newline, and is no match or has a wrong length, which reading would tell.
      for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
        const [, sha256, offset, length] = INDEX_LINE.exec(line) ?? [];
        if (sha256 !== undefined) note(sha256, { pack: id, offset: Number(offset), length: Number(length) });
      }
    } finally {
      closeSync(fd);
    }
  }

  function note(sha256: string, place: Place): void {
    places.set(sha256, place);
    if (place.length >= PIECE) lengths.add(place.length);
  }

  function packFd(id: string, sha256: string): number {
    if (id === own) writeOut();
    if (id === own && pack !== undefined) return pack;
    const fd = packs.get(id) ?? openToRead(join(directory, `${id}.pack`));
    if (fd === undefined) throw missing(sha256);
    packs.set(id, fd);
    return fd;
  }

  /** What was read to where it belongs is there already; anything else that was read into our block is about to be read over. */
  function append(piece: Buffer, isWhole: boolean): void {
    const isOurs = piece.buffer === block.buffer;
    if (isOurs && isWhole && piece.byteOffset === block.byteOffset + waiting) waiting += piece.length;
    else {
      if (isOurs || waiting + piece.length > BLOCK) writeOut();
      if (isOurs || piece.length > BLOCK) write(piece);
      else waiting += piece.copy(block, waiting);
    }
    size += piece.length;
  }

  function writeOut(): void {
    if (waiting > 0) write(block.subarray(0, waiting));
    waiting = 0;
  }

  function write(bytesToWrite: Buffer): void {
    pack ??= openPrivate(join(directory, `${own}.pack`), { exclusive: true }).fd;
    const { error } = writeFully(pack, bytesToWrite);
    if (error !== undefined)
      throw logError(`Cannot keep the workspace's contents in ${directory}`, error, "free some space, or name another directory");
  }

  function keep(sha256: string, offset: number): void {
    note(sha256, { pack: own, offset, length: size - offset });
    if (isShared) lines += `${sha256} ${offset} ${size - offset}\n`;
    if (lines.length > 64 * 1024) flush();
  }

  function flush(): void {
    writeOut();
    if (lines === "") return;
    index ??= openPrivate(join(directory, `${own}.index`), { exclusive: true }).fd;
    const { error } = writeFully(index, Buffer.from(lines));
    if (error !== undefined) throw logError(`Cannot keep the workspace's contents in ${directory}`, error);
    lines = "";
  }

  function missing(sha256: string): HarnessError {
    return new HarnessError("input", `The contents ${sha256} are not in ${directory}: they were not kept, or were removed.`);
  }

  return {
    has: (sha256) => places.has(sha256),
    hasLength: (length) => lengths.has(length),
    room() {
      if (waiting + PIECE > BLOCK) writeOut();
      return block.subarray(waiting, waiting + PIECE);
    },
    *read(sha256) {
      const place = places.get(sha256);
      if (place === undefined) throw missing(sha256);
      // A pack of nothing but empty contents was never written.
      const fd = place.length === 0 ? -1 : packFd(place.pack, sha256);
      const hash = createHash("sha256");
      const buffer = Buffer.allocUnsafe(Math.min(PIECE, Math.max(place.length, 1)));
      for (let done = 0; done < place.length; ) {
        const count = readSync(fd, buffer, 0, Math.min(buffer.length, place.length - done), place.offset + done);
        if (count === 0) break;
        done += count;
        const piece = buffer.subarray(0, count);
        hash.update(piece);
        yield piece;
      }
      if (hash.digest("hex") !== sha256)
        throw new HarnessError("input", `The contents ${sha256} in ${directory} are damaged: they cannot be used.`);
    },
    add(sha256, contents) {
      if (places.has(sha256)) return true;
      if (size + contents.length > bytes) return false;
      const offset = size;
      append(contents, true);
      keep(sha256, offset);
      return true;
    },
    begin() {
      const offset = size;
      let isOver = false;
      const back = (): void => {
        writeOut();
        if (pack !== undefined && size > offset) ftruncateSync(pack, offset);
        size = offset;
      };
      return {
        write(piece) {
          isOver ||= size + piece.length > bytes;
          if (!isOver) append(piece, false);
        },
        finish(sha256) {
          const known = places.has(sha256);
          if (known || isOver) back();
          else keep(sha256, offset);
          return known || !isOver;
        },
        cancel: back,
      };
    },
    close() {
      flush();
      for (const fd of [pack, index, ...packs.values()]) if (fd !== undefined) closeSync(fd);
      packs.clear();
      pack = index = undefined;
    },
  };
}
