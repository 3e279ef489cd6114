import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { openToRead } from "../../host/files/index.ts";
import { runPaths } from "../../host/recording/index.ts";

/** The most bytes of a patch that are shown. */
export const MOST_PATCH = 4 * 1024 * 1024;

/** The start of the patch of an observed run; undefined if there is none. Secrets were masked when it was written. */
export function runPatch(directory: string): Buffer | undefined {
  const fd = openToRead(join(runPaths(directory).artifacts, "fs_diff.patch"));
  if (fd === undefined) return undefined;
  try {
    const buffer = Buffer.alloc(MOST_PATCH);
    return Buffer.from(buffer.subarray(0, readSync(fd, buffer, 0, MOST_PATCH, 0)));
  } finally {
    closeSync(fd);
  }
}
