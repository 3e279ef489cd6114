import { closeSync, lstatSync } from "node:fs";
import { openToRead } from "../../files/index.ts";
import type { FileSeal } from "./run-manifest.ts";
import { sealOf } from "./spool.ts";

/** Undefined if there is no file. */
export function sealOfFile(path: string): FileSeal | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    return sealOf(fd);
  } finally {
    closeSync(fd);
  }
}

/** Whether there is a regular file, not a link or anything else. */
export function isFileAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether there is a readable file with exactly this hash. */
export function holds(path: string, sha256: string | undefined): boolean {
  try {
    return isFileAt(path) && sealOfFile(path)?.sha256 === sha256;
  } catch {
    return false;
  }
}
