import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, rmSync } from "node:fs";
import { logError, openPrivate, openToRead } from "../files/index.ts";
import { own, ownBytes, type SafeBytes, type SafeText, writeFully } from "../sink/index.ts";

/** Overwrites ranges of a file with `*`, each one completely or not at all: half a secret could not be found again. */
export interface MaskInPlace {
  /** From byte `start` up to, not including, `end`. Ranges beyond the end of the file are cut. */
  overwrite(start: number, end: number): void;
  close(): void;
}

/** Each range is first written to `<name>.masking`, next to the file, so that `finishMasking` can finish it after a crash. */
export function maskInPlace(fd: number, path: string): MaskInPlace {
  let intent: number | undefined;

  function stars(start: number, end: number): void {
    intent ??= openPrivate(intentPath(path)).fd;
    write(intent, own`${start} ${end}\n`);
    write(fd, asterisks(end - start), start);
    ftruncateSync(intent, 0);
  }

  return {
    overwrite(start, end) {
      const from = Math.max(0, start);
      const to = Math.min(end, fstatSync(fd).size); // the agent may have truncated its output
      try {
        if (from < to) stars(from, to);
      } catch (error) {
        throw logError(`Cannot mask a secret in ${path}`, error);
      }
    },
    close() {
      if (intent === undefined) return;
      const isDone = fstatSync(intent).size === 0;
      closeSync(intent);
      intent = undefined;
      if (isDone) remove(intentPath(path));
    },
  };
}

/** Finishes the masking that another process had begun. Returns how many ranges that were: 0 or 1. */
export function finishMasking(path: string): number {
  const place = /^(\d{1,15}) (\d{1,15})\n$/.exec(intended(path));
  if (place !== null) {
    const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const end = Math.min(Number(place[2]), fstatSync(fd).size);
      if (Number(place[1]) < end) write(fd, asterisks(end - Number(place[1])), Number(place[1]));
    } catch (error) {
      throw logError(`Cannot mask a secret in ${path}`, error);
    } finally {
      closeSync(fd);
    }
  }
  remove(intentPath(path));
  return place === null ? 0 : 1;
}

/** A file left behind does no harm. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk has worse problems.
  }
}

function intentPath(path: string): string {
  return `${path}.masking`;
}

/** Without a newline at its end it was not complete, and nothing was overwritten yet. */
function intended(path: string): string {
  const fd = openToRead(intentPath(path));
  if (fd === undefined) return "";
  try {
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}

function asterisks(count: number): SafeBytes {
  return ownBytes(Buffer.alloc(count, "*"));
}

function write(fd: number, bytes: SafeText | SafeBytes, position?: number): void {
  const { error } = writeFully(fd, bytes, position);
  if (error !== undefined) throw error;
}
