import { closeSync, existsSync, fsyncSync, readSync, unlinkSync } from "node:fs";
import { basename } from "node:path";
import { logError, openPrivate } from "../../files/index.ts";
import { recorded, writeFully } from "../../sink/index.ts";

const PIECE = 64 * 1024;

/**
 * Copies the contents from this byte on to `<name>.torn-<byte>`, so that a repair never deletes anything. When it returns the copy's name,
 * the copy survives a power cut. An existing copy is kept: the next one is `<name>.torn-<byte>-2`.
 */
export function setAside(fd: number, path: string, from: number): string {
  const aside = freeName(`${path}.torn-${from}`);
  const { fd: target } = openPrivate(aside, { exclusive: true });
  try {
    copy(fd, from, target);
    return basename(aside);
  } catch (error) {
    unlinkSync(aside); // otherwise every attempt on a full disk would leave one
    throw logError(`Cannot write ${aside}`, error);
  } finally {
    closeSync(target);
  }
}

function freeName(path: string): string {
  if (!existsSync(path)) return path;
  for (let n = 2; ; n++) if (!existsSync(`${path}-${n}`)) return `${path}-${n}`;
}

function copy(source: number, from: number, target: number): void {
  const buffer = Buffer.allocUnsafe(PIECE);
  for (let at = from; ; ) {
    const count = readSync(source, buffer, 0, PIECE, at);
    if (count === 0) break;
    const { error } = writeFully(target, recorded(buffer.subarray(0, count)));
    if (error !== undefined) throw error;
    at += count;
  }
  fsyncSync(target);
}
