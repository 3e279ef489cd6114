import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, fsyncSync, openSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { logError } from "./log-error.ts";
import { syncDescriptor } from "./sync-paths.ts";
import { writeFully } from "./write-fully.ts";

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;

/**
 * Replaces the file, as ours alone (0600): whoever reads it, now or after a power cut, finds the old text or the new one, whole.
 * If it throws, the file is as it was, and nothing is left beside it. A process killed meanwhile may leave a `<name>.tmp-…`. A
 * directory that has become a link is not written into. With `syncedLater` the power cut is the caller's care.
 */
export function writeAtomically(path: string, text: string, { syncedLater = false }: { readonly syncedLater?: boolean } = {}): void {
  let directory: HeldDirectory | undefined;
  try {
    directory = holdDirectory(dirname(path));
    replace(directory, basename(path), Buffer.from(text), syncedLater);
    if (!syncedLater) syncNames(directory, path);
  } catch (error) {
    throw error instanceof HarnessError ? error : logError(`Cannot write ${path}`, error);
  } finally {
    directory?.close();
  }
}

/**
 * Replaces a file like that once `ready` is done, and before it others that are of no use without it: they are put in their places at
 * once, and are sure to stay before the last one is there. A disk takes milliseconds to be sure, which are waited for together; nobody
 * else is made to wait. If it rejects, the last file is as it was.
 */
export async function replaceFiles(before: readonly FileText[], last: FileText, ready: Promise<unknown>): Promise<void> {
  const staged: Staged[] = [];
  ready.catch(() => {}); // where nothing could be written, that is told, and nobody waits for this
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
  readonly text: string;
}

/** Waits for all of them, also where one fails: they hold descriptors. */
async function allOf(waits: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(waits)).find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** A new text beside the file that it is to replace. */
interface Staged {
  sync(): Promise<void>;
  place(): void;
  syncNames(): Promise<void>;
  /** Leaves nothing of it but what was put in its place. */
  close(): void;
}

function stage({ path, text }: FileText): Staged {
  const failed = (error: unknown) => (error instanceof HarnessError ? error : logError(`Cannot write ${path}`, error));
  let directory: HeldDirectory | undefined;
  try {
    const held = holdDirectory(dirname(path));
    directory = held;
    const temporary = held.path(temporaryName(basename(path)));
    const fd = written(temporary, Buffer.from(text));
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

/** Removes what killed processes have left of this file's replacements. Nobody may be writing it. */
export function removeTemporaries(path: string): void {
  const prefix = `${basename(path)}.tmp-`;
  for (const name of readdirSync(dirname(path))) if (name.startsWith(prefix)) remove(join(dirname(path), name));
}

function replace(directory: HeldDirectory, name: string, bytes: Uint8Array, syncedLater: boolean): void {
  const temporary = directory.path(temporaryName(name));
  try {
    const fd = written(temporary, bytes);
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

/** A new file with this text, not yet sure to survive; its descriptor is the caller's. */
function written(path: string, bytes: Uint8Array): number {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    fchmodSync(fd, 0o600);
    const { error } = writeFully(fd, bytes);
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
    // It was never made.
  }
}
