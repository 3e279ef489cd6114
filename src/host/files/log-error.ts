import { codeOf, errorWords, HarnessError } from "../../pure/base/index.ts";

/** An error of our log: what we tried to do, the cause, and a remedy if there is one. */
export function logError(what: string, error: unknown, remedy?: string): HarnessError {
  return new HarnessError("log", `${what}: ${reasonOf(error)}${remedy === undefined ? "" : `; ${remedy}`}.`, { cause: error });
}

export function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? errorWords(error);
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is used up",
  EEXIST: "it exists already",
  EFBIG: "the file would exceed the limit on the size of files",
  EIO: "the disk reports an error",
  EISDIR: "it is a directory",
  ELOOP: "it is a symbolic link, or a part of its path is one that leads in circles",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "the path is too long",
  ENFILE: "too many files are open",
  ENOENT: "a directory on the way to it does not exist",
  ENOSPC: "no space is left on the device",
  ENOTDIR: "a part of the path is not a directory",
  ENXIO: "it is not a regular file",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};
