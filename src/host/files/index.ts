/** Files that survive a crash: locks, append-only and atomic writes, private modes. */

export { type AppendFile, openAppendFile } from "./append-file.ts";
export { type ByteSource, isSource, openSource } from "./byte-source.ts";
export { holdDirectory } from "./held-directory.ts";
export { acquireLock, isLockName, type Lock, lockOwner, type Owner } from "./lock.ts";
export { logError, reasonOf } from "./log-error.ts";
export { makeDirectories } from "./make-directories.ts";
export { openPrivate } from "./open-private.ts";
export { bytesOf, openToRead } from "./open-to-read.ts";
export { pinFiles } from "./pins.ts";
export { type Reserve, removeReserve, reserveSpace } from "./reserve.ts";
export { isSharedByHosts } from "./shared-by-hosts.ts";
export { syncPaths } from "./sync-paths.ts";
export { watchFiles } from "./watch-files.ts";
export { removeTemporaries, replaceFiles, writeAtomically } from "./write-atomically.ts";
