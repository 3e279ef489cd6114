import { createHash } from "node:crypto";
import type { Store } from "../../pure/agents/index.ts";
import { piecesOf, piecesUpTo } from "./file-pieces.ts";
import type { SessionFile } from "./session-file.ts";

/** A file with a hash of what is imported of it: `bytes` counts up to the end of its last complete line. */
export interface MeasuredFile extends SessionFile {
  readonly sha256: string;
}

const LF = 0x0a;

/** Hashes a file up to its last complete line: what follows is still being written. A document is hashed whole. */
export function measureFile(store: Store, file: SessionFile): MeasuredFile {
  const hash = createHash("sha256");
  let bytes = 0;
  let rest: Buffer[] = [];
  for (const piece of piecesOf(store, file)) {
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
}

/** The hash of the first bytes of a file. */
export function hashUpTo(store: Store, file: SessionFile, bytes: number): string {
  const hash = createHash("sha256");
  for (const piece of piecesUpTo(store, file, bytes)) hash.update(piece);
  return hash.digest("hex");
}
