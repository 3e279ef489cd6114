import { writeSync } from "node:fs";
import { codeOf } from "../../pure/base/index.ts";

/** Interruptions pass; that many in a row do not. */
const PATIENCE = 1000;

/**
 * Writes all of the bytes, however few the system takes at a time: a full disk answers with a short count first, and with an
 * error only when asked again. What was written before an error is told with it. Without a position: where the descriptor stands.
 */
export function writeFully(fd: number, bytes: Uint8Array, position?: number): { readonly written: number; readonly error?: unknown } {
  let written = 0;
  let idle = 0;
  while (written < bytes.length) {
    try {
      const count = writeSync(fd, bytes, written, bytes.length - written, position === undefined ? null : position + written);
      written += count;
      idle = count > 0 ? 0 : idle + 1;
      if (idle > PATIENCE) return { written, error: new Error("nothing more is taken") };
    } catch (error) {
      const code = codeOf(error);
      if ((code !== "EINTR" && code !== "EAGAIN") || ++idle > PATIENCE) return { written, error };
    }
  }
  return { written };
}
