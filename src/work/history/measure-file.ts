import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import { bytesOf, openToRead } from "../../host/files/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import type { SessionFile } from "./find-sessions.ts";

/** A file with a hash of what is imported of it: `bytes` counts up to the end of its last complete line. */
export interface MeasuredFile extends SessionFile {
  readonly sha256: string;
}

const LF = 0x0a;

/** Hashes a file up to its last complete line: what follows is still being written. A document is hashed whole. */
export function measureFile(file: SessionFile): MeasuredFile {
  return reading(file.path, (fd) => {
    const hash = createHash("sha256");
    let bytes = 0;
    let rest: Buffer[] = [];
    for (const piece of bytesOf(fd)) {
      const end = file.kind === "document" ? piece.length : piece.lastIndexOf(LF) + 1;
      if (end > 0) {
        for (const part of [...rest, piece.subarray(0, end)]) {
          hash.update(part);
          bytes += part.length;
        }
        rest = [];
      }
      if (end < piece.length) rest.push(Buffer.from(piece.subarray(end)));
    }
    return { ...file, bytes, sha256: hash.digest("hex") };
  });
}

/** The hash of the first bytes of a file. */
export function hashUpTo(path: string, bytes: number): string {
  return reading(path, (fd) => {
    const hash = createHash("sha256");
    for (const piece of bytesUpTo(fd, bytes)) hash.update(piece);
    return hash.digest("hex");
  });
}

export function* bytesUpTo(fd: number, most: number): Generator<Uint8Array, void> {
  let left = most;
  for (const piece of bytesOf(fd)) {
    if (left <= 0) return;
    yield piece.subarray(0, Math.min(left, piece.length));
    left -= piece.length;
  }
}

function reading<T>(path: string, use: (fd: number) => T): T {
  const fd = openToRead(path);
  if (fd === undefined) throw new HarnessError("input", `${path} was removed meanwhile.`);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
