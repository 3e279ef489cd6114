import { codeOf, errorWords, HarnessError } from "../../pure/base/index.ts";

/** An error of our log: what we tried to do, the cause, and a remedy if there is one. */
export function logError(what: string, error: unknown, remedy?: string, option?: string): HarnessError {
  return new HarnessError("log", `${what}: ${reasonOf(error)}${remedy === undefined ? "" : `; ${remedy}`}.`, { cause: error, option });
}

export function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? errorWords(error);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EEXIST: "it already exists",
  EFBIG: "the file would exceed the file size limit",
  EIO: "the disk reports an error",
  EISDIR: "it is a directory",
  ELOOP: "it is a symbolic link, or links in its path form a loop",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the path is too long",
  ENFILE: "too many files are open",
  ENOENT: "a parent directory does not exist",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a directory",
  ENXIO: "it is not a regular file",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};
