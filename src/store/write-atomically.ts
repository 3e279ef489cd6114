import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, logError } from "./log-error.ts";
import { writeFully } from "./write-fully.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_DIRECTORY } = constants;

/**
 * Replaces the file, as ours alone (0600): whoever reads it, now or after a power cut, finds the old text or the new one, whole.
 * If it throws, the file is as it was, and nothing is left beside it. A process killed meanwhile may leave a `.tmp-…`.
 */
export function writeAtomically(path: string, text: string): void {
  const directory = dirname(path);
  const temporary = join(directory, `.tmp-${randomBytes(8).toString("hex")}`);
  try {
    writeSynced(temporary, Buffer.from(text));
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw logError(`Cannot write ${path}`, error);
  }
  try {
    syncDirectory(directory);
  } catch (error) {
    throw logError(`Cannot be sure that ${path} will survive a power cut`, error);
  }
}

function writeSynced(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fchmodSync(fd, 0o600);
    const { error } = writeFully(fd, bytes);
    if (error !== undefined) throw error;
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The new name is part of the directory, which is a file of its own. Some file systems keep it without being asked, and say so. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, O_RDONLY | O_DIRECTORY);
  try {
    fsyncSync(fd);
  } catch (error) {
    if (!["EINVAL", "ENOTSUP", "EOPNOTSUPP"].includes(codeOf(error))) throw error;
  } finally {
    closeSync(fd);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}
