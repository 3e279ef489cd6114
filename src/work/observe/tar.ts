import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { HarnessError } from "../../pure/base/index.ts";

const BLOCK = 512;
const PIECE = 1024 * 1024;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
}

/** The header of a regular file in POSIX ustar. Without owner and time, so that the same files give the same archive. */
export function tarHeader({ name, size }: TarEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new HarnessError("output", `The name ${name} is too long for the archive.`);
  header.write(name, 0);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(sizeField(size), 124, "latin1");
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257, "latin1");
  header.write(`${checksum(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** The padding after a file's last block, and the end of an archive. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Eleven octal digits; for larger sizes GNU's form, a high bit and a binary number. */
function sizeField(size: number): string {
  if (size < 8 ** 11) return `${size.toString(8).padStart(11, "0")}\0`;
  const bytes = Buffer.alloc(12);
  bytes[0] = 0x80;
  bytes.writeBigUInt64BE(BigInt(size), 4);
  return bytes.toString("latin1");
}

function checksum(header: Buffer): number {
  let sum = 0;
  for (const [index, byte] of header.entries()) sum += index >= 148 && index < 156 ? 0x20 : byte;
  return sum;
}

export interface TarFile {
  readonly entry: TarEntry;
  readonly pieces: () => Generator<Buffer>;
}

/** The first difference between an archive and what we write. */
export interface TarFlaw {
  readonly offset: number;
  readonly problem: string;
}

/**
 * The files of an untrusted archive, one after the other, in chunks. If it differs from what we write, the last value says where. It accepts
 * only regular files with allowed names, each once: no links, no devices, no way out. It checks every byte, because a skipped one could
 * mean something to other programs.
 */
export function* readTar(path: string, allowed: RegExp): Generator<TarFile | TarFlaw> {
  const fd = openSync(path, "r");
  const total = fstatSync(fd).size;
  const seen = new Set<string>();
  try {
    for (let position = 0; ; ) {
      const header = Buffer.alloc(BLOCK);
      const count = readSync(fd, header, 0, BLOCK, position);
      const bad = (problem: string, offset = position): TarFlaw => ({ offset, problem });
      if (count < BLOCK) return yield bad("it ends in the middle");
      if (isZero(header)) {
        if (total !== position + TAR_END.length || !isZero(block(fd, position + BLOCK, BLOCK))) yield bad("its end is not as we write it");
        return;
      }
      const entry = entryOf(header);
      if (entry === undefined) return yield bad("a header is damaged, or does not describe a regular file");
      const name = JSON.stringify(entry.name.slice(0, 100));
      if (seen.has(entry.name)) return yield bad(`${name} appears twice`);
      if (!allowed.test(entry.name)) return yield bad(`${name} does not belong in it`);
      if (!header.equals(tarHeader(entry))) return yield bad(`the header of ${name} is not as we write it`);
      const start = position + BLOCK;
      const end = start + entry.size;
      const padding = tarPadding(entry.size).length;
      if (end + padding > total) return yield bad("it ends in the middle of a file");
      seen.add(entry.name);
      yield { entry, pieces: () => piecesOf(fd, start, entry.size) };
      if (!isZero(block(fd, end, padding))) return yield bad(`there is data after ${name}`, end);
      position = end + padding;
    }
  } finally {
    closeSync(fd);
  }
}

function entryOf(header: Buffer): TarEntry | undefined {
  const text = (from: number, length: number) => header.toString("latin1", from, from + length).split("\0")[0] ?? "";
  if (text(257, 5) !== "ustar" || Number.parseInt(text(148, 8), 8) !== checksum(header)) return undefined;
  const type = text(156, 1);
  if ((type !== "0" && type !== "") || text(345, 155) !== "") return undefined;
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  return Number.isSafeInteger(size) && size >= 0 ? { name: text(0, 100), size } : undefined;
}

function block(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}

function* piecesOf(fd: number, start: number, size: number): Generator<Buffer> {
  const buffer = Buffer.alloc(Math.min(size, PIECE));
  for (let done = 0; done < size; ) {
    const count = readSync(fd, buffer, 0, Math.min(buffer.length, size - done), start + done);
    if (count === 0) return;
    done += count;
    yield buffer.subarray(0, count);
  }
}
