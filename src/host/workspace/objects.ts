import { createHash, randomBytes } from "node:crypto";
import { chmodSync, closeSync, ftruncateSync, mkdirSync, readdirSync, readSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { bytesOf, logError, openPrivate, openToRead } from "../files/index.ts";
import { maskedLater, ownBytes, writeFully } from "../sink/index.ts";
import { PIECE } from "./read-regular.ts";

/**
 * Contents by SHA-256, each stored once and copied byte by byte: never a link to one of the agent's files, which could change later.
 *
 * Most files in a workspace are small, and creating a file costs more than writing its bytes. So all contents are appended to one
 * `<id>.pack`, and `<id>.index` has a line `<sha256> <offset> <length>` for each. Every writer has its own pair and every reader reads all
 * pairs, so writers need no lock. A killed writer leaves only bytes in a pack that no index names.
 */
export interface Objects {
  has(sha256: string): boolean;
  /** The contents in pieces, each valid until the next one is requested. Throws at the end if the hash does not match. */
  read(sha256: string): Generator<Buffer, void>;
  /** Whether contents of this length, larger than one piece, are stored: then hashing before writing pays off. */
  hasLength(length: number): boolean;
  /** Adds contents that lie one after the other in `bytes`. False for those that the budget did not allow. */
  add(bytes: Uint8Array, contents: readonly Content[]): readonly boolean[];
  /** Adds contents before their hash is known. */
  begin(): Pending;
  /** Returns when others can read what was added. */
  close(): void;
}

export interface Content {
  readonly sha256: string;
  readonly length: number;
}

export interface Pending {
  write(piece: Buffer): void;
  /** False if the budget did not allow it. */
  finish(sha256: string): boolean;
  cancel(): void;
}

interface Place {
  readonly pack: string;
  readonly offset: number;
  readonly length: number;
}

const INDEX_LINE = /^([0-9a-f]{64}) (\d+) (\d+)$/;

export interface ObjectsOptions {
  /** How many bytes may be added. */
  readonly bytes?: number;
  /** False: no one else will read them, so no index is written, and they end with the process. */
  readonly isShared?: boolean;
}

/** Opens or creates the directory, with mode 0700. */
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
  /** The bytes in our pack. */
  let size = 0;
  let lines = "";

  function load(id: string): void {
    const fd = openToRead(join(directory, `${id}.index`));
    if (fd === undefined) return;
    try {
      const text = Buffer.concat(Array.from(bytesOf(fd), (piece) => Buffer.from(piece))).toString("latin1");
      // A line that was cut off has no newline, does not match, or has a wrong length that reading detects.
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
    if (id === own && pack !== undefined) return pack;
    const fd = packs.get(id) ?? openToRead(join(directory, `${id}.pack`));
    if (fd === undefined) throw missing(sha256);
    packs.set(id, fd);
    return fd;
  }

  function write(bytesToWrite: Uint8Array): void {
    if (bytesToWrite.length === 0) return;
    pack ??= openPack();
    const { error } = writeFully(pack, maskedLater(bytesToWrite));
    if (error !== undefined) {
      ftruncateSync(pack, size); // so that the pack has its expected size if the caller continues
      throw logError(`Cannot keep the workspace's contents in ${directory}`, error, "free some space, or choose a different directory");
    }
    size += bytesToWrite.length;
  }

  /** If it is not shared, it has no name: the contents may hold secrets, and a killed process must leave none. */
  function openPack(): number {
    const path = join(directory, `${own}.pack`);
    const { fd } = openPrivate(path, { exclusive: true });
    if (!isShared) unlinkSync(path);
    return fd;
  }

  function keep(sha256: string, place: Place): void {
    note(sha256, place);
    if (isShared) lines += `${sha256} ${place.offset} ${place.length}\n`;
    if (lines.length > 64 * 1024) flush();
  }

  function flush(): void {
    if (lines === "") return;
    index ??= openPrivate(join(directory, `${own}.index`), { exclusive: true }).fd;
    const { error } = writeFully(index, ownBytes(lines));
    if (error !== undefined) throw logError(`Cannot keep the workspace's contents in ${directory}`, error);
    lines = "";
  }

  function missing(sha256: string): HarnessError {
    return new HarnessError("input", `The contents ${sha256} are not in ${directory}: they were not kept, or were removed.`);
  }

  return {
    has: (sha256) => places.has(sha256),
    hasLength: (length) => lengths.has(length),
    *read(sha256) {
      const place = places.get(sha256);
      if (place === undefined) throw missing(sha256);
      // A pack with only empty contents was never written.
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
      if (hash.digest("hex") !== sha256) throw new HarnessError("input", `The contents ${sha256} in ${directory} are damaged.`);
    },
    add(contents, parts) {
      // New adjacent contents are written in one call: a call per small file would take as long as reading it.
      const kept: boolean[] = [];
      const run = new Map<string, Place>();
      let from = 0;
      let at = 0;
      const end = (): void => {
        write(contents.subarray(from, at));
        for (const [sha256, place] of run) keep(sha256, place);
        run.clear();
      };
      for (const { sha256, length } of parts) {
        const isKnown = places.has(sha256) || run.has(sha256);
        const offset = size + at - from;
        const isNew = !isKnown && offset + length <= bytes;
        if (isNew) run.set(sha256, { pack: own, offset, length });
        else {
          end();
          from = at + length;
        }
        at += length;
        kept.push(isKnown || isNew);
      }
      end();
      return kept;
    },
    begin() {
      const offset = size;
      let isOver = false;
      const back = (): void => {
        if (pack !== undefined && size > offset) ftruncateSync(pack, offset);
        size = offset;
      };
      return {
        write(piece) {
          isOver ||= size + piece.length > bytes;
          if (!isOver) write(piece);
        },
        finish(sha256) {
          const known = places.has(sha256);
          if (known || isOver) back();
          else keep(sha256, { pack: own, offset, length: size - offset });
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
