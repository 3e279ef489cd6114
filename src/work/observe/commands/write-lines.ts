import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import { openPrivate } from "../../../host/files/index.ts";
import { maskedLater, writeFully } from "../../../host/sink/index.ts";
import type { FileRef } from "../../../pure/events/index.ts";

/** Writes a new private file with one JSON line per value. The run refers to it as `name`. */
export function writeLines(path: string, name: string, values: readonly object[]): FileRef {
  const { fd } = openPrivate(path, { exclusive: true });
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    for (const value of values) {
      const line = Buffer.from(`${JSON.stringify(value)}\n`);
      const { error } = writeFully(fd, maskedLater(line));
      if (error !== undefined) throw error;
      hash.update(line);
      bytes += line.length;
    }
  } finally {
    closeSync(fd);
  }
  return { path: name, bytes, sha256: hash.digest("hex") };
}
