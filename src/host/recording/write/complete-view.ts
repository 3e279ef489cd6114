import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, ftruncateSync, readSync } from "node:fs";
import { basename } from "node:path";
import { HarnessError } from "../../../pure/base/index.ts";
import { logError, openPrivate } from "../../files/index.ts";
import { bytesOfText, part, type Safe, type SafeBytes, type SafeText, writeFully } from "../../sink/index.ts";
import type { FileSeal } from "../format/index.ts";
import { setAside } from "./set-aside.ts";

/** A view's file while it is being completed. */
export interface ViewFile {
  /** The next lines that the file must hold. */
  write(lines: SafeText): void;
  /** Returns when everything is on disk, with the contents' seal and the repairs. */
  end(): { readonly seal: FileSeal; readonly repairs: readonly string[] };
  /** May be called again, and after `end`. */
  close(): void;
}

const NEWLINE = 0x0a;

/**
 * Makes the file of a view hold the right lines. Existing contents are compared and kept as far as they are right, so completing takes no
 * more space than what is missing. Wrong contents are set aside.
 */
export function completeView(path: string): ViewFile {
  const name = basename(path);
  const repairs: string[] = existsSync(path) ? [] : [`${name} was missing and has been rebuilt`];
  const hash = createHash("sha256");
  let { fd, size } = openPrivate(path);
  let position = 0; // the file is right up to here

  /** How many of these bytes the file already holds. */
  function compared(bytes: Buffer): number {
    const there = Buffer.alloc(Math.min(bytes.length, size - position));
    const count = readSync(fd, there, 0, there.length, position);
    return firstDifference(bytes, there, count);
  }

  /** Sets aside everything from this byte on. */
  function cut(from: number): void {
    const aside = setAside(fd, path, from);
    ftruncateSync(fd, from);
    size = from;
    repairs.push(`${name} was torn or damaged at byte ${from}; the rest was moved to ${aside}`);
  }

  function append(bytes: SafeBytes): void {
    const { error } = writeFully(fd, bytes);
    if (error !== undefined) throw error;
    position += bytes.length;
    size = position;
  }

  function writeBytes(bytes: Safe<Buffer>): void {
    const same = position < size ? compared(bytes) : 0;
    if (same === bytes.length) {
      position += same;
      return;
    }
    const lineStart = same === 0 ? 0 : bytes.lastIndexOf(NEWLINE, same - 1) + 1;
    const isCut = position + same < size;
    position += isCut ? lineStart : same;
    if (isCut) cut(position);
    else if (same > lineStart) repairs.push(`${name} ended in the middle of a line, at byte ${position}, and has been completed`);
    append(part(bytes, isCut ? lineStart : same));
  }

  return {
    write(lines) {
      if (lines === "") return;
      const bytes = bytesOfText(lines);
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
