import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const CHUNK = 1024 * 1024;

/** A hash of a file's content that can be updated with more; the empty hash if the file does not exist. */
export function hashOfFile(path: string): Hash {
  const hash = createHash("sha256");
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return hash; // removed: differs from what was written, unless that was nothing
  }
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(fd);
  }
  return hash;
}
