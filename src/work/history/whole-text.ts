import { closeSync } from "node:fs";
import { bytesOf, openToRead } from "../../host/files/index.ts";
import { HarnessError } from "../../pure/base/index.ts";
import { decompressed } from "./decompressed.ts";
import type { SessionFile } from "./session-file.ts";

/** A longer document is not a session of a coding agent. */
const LONGEST = 256 * 1024 * 1024;

/** The bytes of a file. Each piece is valid until the next one is requested. */
export function* fileBytes({ path }: Pick<SessionFile, "path">): Generator<Uint8Array, void> {
  const fd = openToRead(path);
  if (fd === undefined) throw new HarnessError("input", `${path} was removed meanwhile.`);
  try {
    yield* path.endsWith(".zst") ? decompressed(path, bytesOf(fd)) : bytesOf(fd);
  } finally {
    closeSync(fd);
  }
}

export function wholeText(file: Pick<SessionFile, "path">): string {
  const text = beginning(file, LONGEST + 1);
  if (text.length > LONGEST) throw new HarnessError("input", `${file.path} is too large to be a session.`);
  return text;
}

/** The beginning of a file, up to a whole number of pieces. */
export function beginning(file: Pick<SessionFile, "path">, most: number): string {
  const pieces: Buffer[] = [];
  let length = 0;
  for (const piece of fileBytes(file)) {
    pieces.push(Buffer.from(piece));
    length += piece.length;
    if (length >= most) break;
  }
  return Buffer.concat(pieces).toString("utf8");
}
