import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { codeOf } from "../store/log-error.ts";
import type { Budget } from "./budget.ts";

/** Why a file's contents are not known. */
export type Unread = "file-budget" | "byte-budget" | "time-budget" | "denied" | "changed" | "error";

export interface ReadFile {
  readonly stats: Stats;
  /** As read: at most what it was when it was opened. */
  readonly size: number;
  /** It changed while it was read: what was read may be no state it ever had. */
  readonly changing: boolean;
}

const PIECE = 1024 * 1024;

export type Reader = (at: string | Buffer, sink: (piece: Buffer, last: boolean, stats: Stats) => void) => ReadFile | Refused;

export interface Refused {
  readonly unread: Unread;
  readonly stats?: Stats;
}

/**
 * Reads regular files and nothing else: never a link's target, never a pipe (which would wait), never a device. The sink gets each
 * piece, valid until it returns; a file that fits into one piece comes in one, and is `last`; an empty one has no piece.
 */
export function reader(budget: Budget): Reader {
  const buffer = Buffer.allocUnsafe(PIECE);

  return (at, sink) => {
    let fd: number;
    try {
      fd = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      return { unread: whyUnread(error) };
    }
    try {
      const stats = fstatSync(fd);
      if (!stats.isFile()) return { unread: "changed" };
      const refused = budget.refuses(stats.size);
      return refused === undefined ? contents(fd, stats, sink) : { unread: refused, stats };
    } finally {
      closeSync(fd);
    }
  };

  function contents(fd: number, stats: Stats, sink: Parameters<Reader>[1]): ReadFile | Refused {
    let size = 0;
    let isLonger = false;
    while (!isLonger) {
      // One byte more than there should be: a short count is then the end, without asking again.
      const wanted = Math.min(PIECE, stats.size - size + 1);
      let count: number;
      try {
        count = readSync(fd, buffer, 0, wanted, null);
      } catch {
        return { unread: "error", stats }; // of the file, never of the sink: that one is the caller's
      }
      // What is written on and on would never end: it is read as long as it was when it was opened.
      isLonger = size + count > stats.size;
      const piece = buffer.subarray(0, isLonger ? stats.size - size : count);
      size += piece.length;
      budget.spend(piece.length);
      if (piece.length > 0) sink(piece, size === piece.length && (count < wanted || isLonger), stats);
      if (count < wanted) break;
      const refused = budget.refuses(0);
      if (refused !== undefined) return { unread: refused, stats };
    }
    const after = fstatSync(fd);
    const changing =
      isLonger || size !== stats.size || after.size !== stats.size || after.mtimeMs !== stats.mtimeMs || after.ctimeMs !== stats.ctimeMs;
    return { stats, size, changing };
  }
}

function whyUnread(error: unknown): Unread {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return "denied";
  return ["ENOENT", "ELOOP", "ENXIO", "EISDIR", "ENOTDIR"].includes(code) ? "changed" : "error";
}
