import { closeSync, lstatSync } from "node:fs";
import { openToRead } from "../../files/index.ts";
import type { FileSeal } from "./run-manifest.ts";
import { sealOf } from "./spool.ts";

/** What a file holds; undefined where there is none. */
export function sealOfFile(path: string): FileSeal | undefined {
  const fd = openToRead(path);
  if (fd === undefined) return undefined;
  try {
    return sealOf(fd);
  } finally {
    closeSync(fd);
  }
}

/** Whether there is a file, and neither a link nor anything else in its place. */
export function isFileAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether there is a file that holds just that, and that can be read. */
export function holds(path: string, sha256: string | undefined): boolean {
  try {
    return isFileAt(path) && sealOfFile(path)?.sha256 === sha256;
  } catch {
    return false;
  }
}
