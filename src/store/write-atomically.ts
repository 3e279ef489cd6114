import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, fsyncSync, openSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HarnessError } from "../core/errors.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { logError } from "./log-error.ts";
import { writeFully } from "./write-fully.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/**
 * Replaces the file, as ours alone (0600): whoever reads it, now or after a power cut, finds the old text or the new one, whole.
 * If it throws, the file is as it was, and nothing is left beside it. A process killed meanwhile may leave a `<name>.tmp-…`. A
 * directory that has become a link is not written into.
 */
export function writeAtomically(path: string, text: string): void {
  let directory: HeldDirectory | undefined;
  try {
    directory = holdDirectory(dirname(path));
    replace(directory, basename(path), Buffer.from(text));
    syncNames(directory, path);
  } catch (error) {
    throw error instanceof HarnessError ? error : logError(`Cannot write ${path}`, error);
  } finally {
    directory?.close();
  }
}

/** Removes what killed processes have left of this file's replacements. Nobody may be writing it. */
export function removeTemporaries(path: string): void {
  const prefix = `${basename(path)}.tmp-`;
  for (const name of readdirSync(dirname(path))) if (name.startsWith(prefix)) remove(join(dirname(path), name));
}

function replace(directory: HeldDirectory, name: string, bytes: Uint8Array): void {
  const temporary = directory.path(`${name}.tmp-${randomBytes(8).toString("hex")}`);
  try {
    writeSynced(temporary, bytes);
    renameSync(temporary, directory.path(name));
  } catch (error) {
    remove(temporary);
    throw error;
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

function syncNames(directory: HeldDirectory, path: string): void {
  try {
    directory.sync();
  } catch (error) {
    throw logError(`Cannot be sure that ${path} will survive a power cut`, error);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made.
  }
}
