import { closeSync, constants, fsync, openSync } from "node:fs";
import { promisify } from "node:util";
import { codeOf } from "../../pure/base/index.ts";
import { logError } from "./log-error.ts";

/** Resolves when the file or directory of a descriptor survives a power cut. Does not block the event loop. */
export async function syncDescriptor(fd: number): Promise<void> {
  try {
    await promisify(fsync)(fd);
  } catch (error) {
    // Some file systems keep names safe without a sync and reject the call.
    if (!["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(codeOf(error))) throw error;
  }
}

/** Like `syncDescriptor`, for paths. Ignores missing ones and does not follow links. */
export async function syncPaths(paths: readonly string[]): Promise<void> {
  await Promise.all([...new Set(paths)].map(synced));
}

async function synced(path: string): Promise<void> {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    await syncDescriptor(fd);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw logError(`Cannot be sure that ${path} will survive a power cut`, error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
