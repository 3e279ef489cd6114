import { closeSync, existsSync, fsyncSync, openSync, readSync, renameSync, statSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { logError } from "../store/log-error.ts";
import { setAside } from "./set-aside.ts";

/**
 * Writes a view of a run whole. A file that is the beginning of it is only completed; one that is anything else is kept
 * beside it. Answers with what had to be done.
 */
export async function rewriteView(path: string, batches: AsyncIterable<readonly object[]>): Promise<string[]> {
  const temporary = `${path}.new`;
  const fd = openSync(temporary, "w+", 0o600);
  try {
    for await (const batch of batches) {
      const bytes = Buffer.from(batch.map((record) => `${JSON.stringify(record)}\n`).join(""));
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    }
    fsyncSync(fd);
    const repairs = existsSync(path) ? replaced(path, fd) : [`${basename(path)} was missing and is made anew`];
    renameSync(temporary, path);
    return repairs;
  } catch (error) {
    throw logError(`Cannot write ${temporary}`, error);
  } finally {
    closeSync(fd);
  }
}

function replaced(path: string, fresh: number): string[] {
  const { size } = statSync(path);
  const same = commonLength(path, fresh);
  if (same === size) return [];
  const aside = setAside(path, same);
  return [`${basename(path)} was damaged at byte ${same} and is made anew; what it held from there is kept as ${aside}`];
}

/** How many bytes the file at `path` and the open one have in common from their beginnings. */
function commonLength(path: string, other: number): number {
  const fd = openSync(path, "r");
  try {
    const [a, b] = [Buffer.alloc(64 * 1024), Buffer.alloc(64 * 1024)];
    for (let at = 0; ; ) {
      const count = readSync(fd, a, 0, a.length, at);
      const others = readSync(other, b, 0, count, at);
      const difference = firstDifference(a, b, Math.min(count, others));
      at += difference;
      if (count === 0 || difference < count) return at;
    }
  } finally {
    closeSync(fd);
  }
}

function firstDifference(a: Uint8Array, b: Uint8Array, length: number): number {
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}
