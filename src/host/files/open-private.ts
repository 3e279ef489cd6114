import { closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { logError } from "./log-error.ts";

const { O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens or creates a file with mode 0600 to read and append. Follows no link, to the file or its directory; waits on no pipe. */
export function openPrivate(path: string, { exclusive = false }: { readonly exclusive?: boolean } = {}): { fd: number; size: number } {
  let directory: HeldDirectory | undefined;
  let fd: number | undefined;
  try {
    directory = holdDirectory(dirname(path));
    fd = openSync(directory.path(basename(path)), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (exclusive ? O_EXCL : 0), 0o600);
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new HarnessError("log", `Cannot write ${path}: it is not a regular file.`);
    if ((stats.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
    return { fd, size: stats.size };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    throw error instanceof HarnessError ? error : logError(`Cannot open ${path}`, error);
  } finally {
    directory?.close();
  }
}
