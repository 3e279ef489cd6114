import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, fsyncSync, openSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { type SafeText, writeFully } from "../sink/index.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { logError } from "./log-error.ts";
import { syncDescriptor } from "./sync-paths.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/**
 * Replaces the file, with mode 0600: every reader, now or after a power cut, finds either the complete old text or the complete new one. If
 * it throws, the file is unchanged and no temporary file is left. A process killed in the middle may leave a `<name>.tmp-…`. Does not write
 * into a directory that has become a link. With `syncedLater`, the caller must make it survive a power cut.
 */
export function writeAtomically(path: string, text: SafeText, { syncedLater = false }: { readonly syncedLater?: boolean } = {}): void {
  let directory: HeldDirectory | undefined;
  try {
    directory = holdDirectory(dirname(path));
    replace(directory, basename(path), text, syncedLater);
    if (!syncedLater) syncNames(directory, path);
  } catch (error) {
    throw error instanceof HarnessError ? error : logError(`Cannot write ${path}`, error);
  } finally {
    directory?.close();
  }
}

/**
 * Replaces several files in the same way. The `before` files are useless without `last`, so they are put in place immediately; `last`
 * follows after `ready`, when they are safe on disk. The syncs take milliseconds each and run in parallel, without blocking the event loop.
 * If it rejects, `last` is unchanged.
 */
export async function replaceFiles(before: readonly FileText[], last: FileText, ready: Promise<unknown>): Promise<void> {
  const staged: Staged[] = [];
  ready.catch(() => {}); // if staging fails, that error is reported and no one awaits this
  try {
    for (const file of [...before, last]) staged.push(stage(file));
    const first = staged.slice(0, -1);
    const final = staged.slice(-1);
    for (const file of first) file.place();
    const waits = [...final.map((file) => file.sync()), ...first.flatMap((file) => [file.sync(), file.syncNames()]), ready];
    await allOf(waits);
    for (const file of final) file.place();
    await allOf(final.map((file) => file.syncNames()));
  } finally {
    for (const file of staged) file.close();
  }
}

export interface FileText {
  readonly path: string;
  readonly text: SafeText;
}

/** Waits for all, even if one fails: they hold descriptors. */
async function allOf(waits: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(waits)).find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** A new text next to the file it will replace. */
interface Staged {
  sync(): Promise<void>;
  place(): void;
  syncNames(): Promise<void>;
  /** Removes everything that was not put in place. */
  close(): void;
}

function stage({ path, text }: FileText): Staged {
  const failed = (error: unknown) => (error instanceof HarnessError ? error : logError(`Cannot write ${path}`, error));
  let directory: HeldDirectory | undefined;
  try {
    const held = holdDirectory(dirname(path));
    directory = held;
    const temporary = held.path(temporaryName(basename(path)));
    const fd = written(temporary, text);
    let isPlaced = false;
    return {
      sync: () => syncDescriptor(fd).catch((error: unknown) => Promise.reject(failed(error))),
      place() {
        try {
          renameSync(temporary, held.path(basename(path)));
        } catch (error) {
          throw failed(error);
        }
        isPlaced = true;
      },
      syncNames: () => held.synced().catch((error: unknown) => Promise.reject(unsure(path, error))),
      close() {
        closeSync(fd);
        if (!isPlaced) remove(temporary);
        held.close();
      },
    };
  } catch (error) {
    directory?.close();
    throw failed(error);
  }
}

/** Removes replacements of this file that killed processes have left. No one may be writing it. */
export function removeTemporaries(path: string): void {
  const prefix = `${basename(path)}.tmp-`;
  for (const name of readdirSync(dirname(path))) if (name.startsWith(prefix)) remove(join(dirname(path), name));
}

function replace(directory: HeldDirectory, name: string, text: SafeText, syncedLater: boolean): void {
  const temporary = directory.path(temporaryName(name));
  try {
    const fd = written(temporary, text);
    try {
      if (!syncedLater) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, directory.path(name));
  } catch (error) {
    remove(temporary);
    throw error;
  }
}

function temporaryName(name: string): string {
  return `${name}.tmp-${randomBytes(8).toString("hex")}`;
}

/** Writes a new file, without syncing it. The caller owns the descriptor. */
function written(path: string, text: SafeText): number {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fchmodSync(fd, 0o600);
    const { error } = writeFully(fd, text);
    if (error !== undefined) throw error;
    return fd;
  } catch (error) {
    closeSync(fd);
    remove(path);
    throw error;
  }
}

function syncNames(directory: HeldDirectory, path: string): void {
  try {
    directory.sync();
  } catch (error) {
    throw unsure(path, error);
  }
}

function unsure(path: string, error: unknown): HarnessError {
  return logError(`Cannot be sure that ${path} will survive a power cut`, error);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never created.
  }
}
