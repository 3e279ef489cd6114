import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { openToRead } from "../../host/files/index.ts";
import { runPaths } from "../../host/recording/index.ts";

/** More of a patch than this is not shown. */
export const MOST_PATCH = 4 * 1024 * 1024;

/** What an observed run changed, as a patch, or the beginning of it; undefined where there is none. Secrets were masked when it was written. */
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
