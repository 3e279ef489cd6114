import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, rmSync } from "node:fs";
import { logError, openPrivate, openToRead } from "../files/index.ts";
import { own, ownBytes, type SafeBytes, type SafeText, writeFully } from "../sink/index.ts";
import type { Place } from "./find-bytes.ts";

/** Overwrites ranges of a file with `*`, all of a call or none: half a secret, or some of its pieces, could not be found again. */
export interface MaskInPlace {
  /** Each from byte `start` up to, not including, `end`. Ranges beyond the end of the file are cut. */
  overwrite(ranges: readonly Place[]): void;
  close(): void;
}

/** The ranges are first written to `<name>.masking`, next to the file, so that `finishMasking` can finish it after a crash. */
export function maskInPlace(fd: number, path: string): MaskInPlace {
  let intent: number | undefined;

  function stars(ranges: readonly Place[]): void {
    intent ??= openPrivate(intentPath(path)).fd;
    write(intent, own`${ranges.map(({ start, end }) => own`${start} ${end}`).reduce((all, each) => own`${all} ${each}`)}\n`);
    for (const { start, end } of ranges) write(fd, asterisks(end - start), start);
    ftruncateSync(intent, 0);
  }

  return {
    overwrite(ranges) {
      if (ranges.length === 0) return;
      const { size } = fstatSync(fd); // the agent may have truncated its output
      const within = ranges.map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(end, size) }));
      const left = within.filter(({ start, end }) => start < end);
      try {
        if (left.length > 0) stars(left);
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

/** Finishes the masking that another process had begun. Returns how many ranges that were. */
export function finishMasking(path: string): number {
  const intent = intended(path);
  const places = /^\d{1,15} \d{1,15}(?: \d{1,15} \d{1,15})*\n$/.test(intent) ? Array.from(intent.matchAll(/(\d+) (\d+)/g)) : [];
  if (places.length > 0) {
    const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(fd);
      for (const [, start, end] of places) {
        const to = Math.min(Number(end), size);
        if (Number(start) < to) write(fd, asterisks(to - Number(start)), Number(start));
      }
    } catch (error) {
      throw logError(`Cannot mask a secret in ${path}`, error);
    } finally {
      closeSync(fd);
    }
  }
  remove(intentPath(path));
  return places.length;
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
