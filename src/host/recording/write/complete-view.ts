import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, ftruncateSync, readSync } from "node:fs";
import { basename } from "node:path";
import { HarnessError } from "../../../pure/base/index.ts";
import { logError, openPrivate, writeFully } from "../../files/index.ts";
import type { FileSeal } from "../format/index.ts";
import { setAside } from "./set-aside.ts";

/** A view's file while it is made whole. */
export interface ViewFile {
  /** The next lines that it must hold. */
  write(lines: string): void;
  /** When this returns all of it is on the disk. Answers with what it holds, and with what had to be done. */
  end(): { readonly seal: FileSeal; readonly repairs: readonly string[] };
  /** May be called again, and after the end. */
  close(): void;
}

const NEWLINE = 0x0a;

/**
 * Makes the file of a view hold what it must. What it holds already is compared, and kept as far as it is right, so that completing it
 * takes no more space than what is missing. What is not right is set aside.
 */
export function completeView(path: string): ViewFile {
  const name = basename(path);
  const repairs: string[] = existsSync(path) ? [] : [`${name} was missing and is made anew`];
  const hash = createHash("sha256");
  let { fd, size } = openPrivate(path);
  let position = 0; // up to here it holds what it must

  /** How many of these bytes the file holds already. */
  function compared(bytes: Buffer): number {
    const there = Buffer.alloc(Math.min(bytes.length, size - position));
    const count = readSync(fd, there, 0, there.length, position);
    return firstDifference(bytes, there, count);
  }

  /** From this byte on it holds something else. */
  function cut(from: number): void {
    const aside = setAside(fd, path, from);
    ftruncateSync(fd, from);
    size = from;
    repairs.push(`${name} was torn or damaged at byte ${from}; what it held from there is kept as ${aside}`);
  }

  function append(bytes: Uint8Array): void {
    const { error } = writeFully(fd, bytes);
    if (error !== undefined) throw error;
    position += bytes.length;
    size = position;
  }

  function writeBytes(bytes: Buffer): void {
    const same = position < size ? compared(bytes) : 0;
    if (same === bytes.length) {
      position += same;
      return;
    }
    const lineStart = same === 0 ? 0 : bytes.lastIndexOf(NEWLINE, same - 1) + 1;
    const isCut = position + same < size;
    position += isCut ? lineStart : same;
    if (isCut) cut(position);
    else if (same > lineStart) repairs.push(`${name} ended in the middle of a line, at byte ${position}, and is completed`);
    append(bytes.subarray(isCut ? lineStart : same));
  }

  return {
    write(lines) {
      if (lines === "") return;
      const bytes = Buffer.from(lines);
      hash.update(bytes);
      try {
        writeBytes(bytes);
      } catch (error) {
        throw error instanceof HarnessError ? error : logError(`Cannot write ${path}`, error);
      }
    },
    end() {
      try {
        if (position < size) cut(position);
        fsyncSync(fd);
      } catch (error) {
        throw error instanceof HarnessError ? error : logError(`Cannot write ${path}`, error);
      }
      return { seal: { bytes: position, sha256: hash.digest("hex") }, repairs };
    },
    close() {
      if (fd !== -1) closeSync(fd);
      fd = -1;
    },
  };
}

function firstDifference(a: Buffer, b: Buffer, length: number): number {
  if (a.compare(b, 0, length, 0, length) === 0) return length;
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}
