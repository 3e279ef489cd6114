import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { codeOf } from "../../pure/base/index.ts";
import type { Budget } from "./budget.ts";

/** Why a file's contents are unknown. */
export type Unread = "file-budget" | "byte-budget" | "time-budget" | "denied" | "changed" | "error";

export interface ReadFile {
  readonly stats: Stats;
  /** Bytes read: at most the size when the file was opened. */
  readonly size: number;
  /** The file changed while it was read, so it may never have had these contents. */
  readonly changing: boolean;
}

export const PIECE = 1024 * 1024;

export type Reader = (at: string | Buffer, sink: (piece: Buffer, whole: boolean, stats: Stats) => void) => ReadFile | Refused;

export interface Refused {
  readonly unread: Unread;
  readonly stats?: Stats;
}

/** Shared by all readers: a sink must not use it after it returns. A megabyte per reader caused most of the garbage collection. */
let piece: Buffer | undefined;

/** File times come from a clock that ticks every few milliseconds. */
const TICK_MS = 100;

/**
 * Reads regular files only: never the target of a link, a pipe (which would block) or a device. The sink gets each piece, valid until it
 * returns. A file that fits in one piece comes in one call with `whole`; an empty file has no piece.
 */
export function reader(budget: Budget): Reader {
  piece ??= Buffer.allocUnsafeSlow(PIECE);
  const buffer = piece;

  return (at, sink) => {
    let fd: number;
    const justBefore = Date.now() - TICK_MS;
    try {
      fd = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      return { unread: whyUnread(error) };
    }
    try {
      const count = pieceOf(fd, buffer, PIECE, 0);
      const stats = fstatSync(fd);
      if (!stats.isFile()) return { unread: "changed" };
      const refused = budget.refuses(stats.size);
      if (refused !== undefined) return { unread: refused, stats };
      // Most files are read in one call and were last changed before we started, so no one changed them while we read.
      if (count !== stats.size || count === PIECE || !(stats.ctimeMs < justBefore)) return carefully(fd, stats, sink);
      budget.spend(count);
      if (count > 0) sink(buffer.subarray(0, count), true, stats);
      return { stats, size: count, changing: false };
    } finally {
      closeSync(fd);
    }
  };

  /** Reads only up to the size when the file was opened: a file that keeps growing would never end. */
  function carefully(fd: number, stats: Stats, sink: Parameters<Reader>[1]): ReadFile | Refused {
    let size = 0;
    while (size < stats.size) {
      const count = pieceOf(fd, buffer, Math.min(PIECE, stats.size - size), size);
      if (count === undefined) return { unread: "error", stats };
      if (count === 0) break;
      size += count;
      budget.spend(count);
      sink(buffer.subarray(0, count), size === count && size === stats.size, stats);
      const refused = budget.refuses(0);
      if (refused !== undefined) return { unread: refused, stats };
    }
    const after = fstatSync(fd);
    const changing = size !== stats.size || after.size !== stats.size || after.mtimeMs !== stats.mtimeMs || after.ctimeMs !== stats.ctimeMs;
    return { stats, size, changing };
  }
}

function pieceOf(fd: number, buffer: Buffer, length: number, position: number): number | undefined {
  try {
    return readSync(fd, buffer, 0, length, position);
  } catch {
    return undefined;
  }
}

function whyUnread(error: unknown): Unread {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return "denied";
  return ["ENOENT", "ELOOP", "ENXIO", "EISDIR", "ENOTDIR"].includes(code) ? "changed" : "error";
}
