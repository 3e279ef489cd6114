import { writeSync } from "node:fs";
import { codeOf } from "../../pure/base/index.ts";
import type { SafeBytes, SafeText } from "./safe.ts";

/** A few interruptions are normal; this many in a row are not. */
const PATIENCE = 1000;

/**
 * Writes all bytes, however few the system accepts at a time: a full disk first returns a short count and fails only on the next call.
 * Returns the number of bytes written even on an error. Without a position, writes at the descriptor's current offset.
 */
export function writeFully(
  fd: number,
  contents: SafeText | SafeBytes,
  position?: number,
): { readonly written: number; readonly error?: unknown } {
  const bytes: Uint8Array = typeof contents === "string" ? Buffer.from(contents) : contents;
  let written = 0;
  let idle = 0;
  while (written < bytes.length) {
    try {
      const count = writeSync(fd, bytes, written, bytes.length - written, position === undefined ? null : position + written);
      written += count;
      idle = count > 0 ? 0 : idle + 1;
      if (idle > PATIENCE) return { written, error: new Error("the system accepts no more bytes") };
    } catch (error) {
      const code = codeOf(error);
      if ((code !== "EINTR" && code !== "EAGAIN") || ++idle > PATIENCE) return { written, error };
    }
  }
  return { written };
}
