import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync } from "node:fs";
import { logError, openPrivate } from "../../../host/files/index.ts";
import { recorded, writeFully } from "../../../host/sink/index.ts";

interface Stretch {
  readonly offset: number;
  readonly length: number;
}

const CHUNK = 1024 * 1024;

/**
 * Moves lines from a file to the end of another one. They are safe in the other file before they leave this one, and every reader finds
 * the file with all of them or with none. The other lines stay byte for byte.
 */
export function moveLines(file: string, lines: readonly Stretch[], to: string): void {
  const temporary = `${file}.tmp-${process.pid}`;
  const fds: number[] = [];
  try {
    fds.push(openSync(file, "r"), openPrivate(to).fd, openPrivate(temporary, { exclusive: true }).fd);
    const [source = -1, moved = -1, kept = -1] = fds;
    let at = 0;
    for (const { offset, length } of [...lines].sort((a, b) => a.offset - b.offset)) {
      copy(source, kept, at, offset);
      at = offset + length + 1;
      copy(source, moved, offset, at);
    }
    copy(source, kept, at, fstatSync(source).size);
    for (const fd of [moved, kept]) fsyncSync(fd);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw logError(`Cannot rewrite ${file}`, error);
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

function copy(from: number, to: number, start: number, end: number): void {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(0, end - start)));
  for (let at = start; at < end; ) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, end - at), at);
    if (read === 0) return;
    const { error } = writeFully(to, recorded(chunk.subarray(0, read)));
    if (error !== undefined) throw error;
    at += read;
  }
}
