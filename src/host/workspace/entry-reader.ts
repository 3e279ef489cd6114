import { createHash, type Hash, hash as hashAtOnce } from "node:crypto";
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import type { Budget } from "./budget.ts";
import { textOf } from "./byte-path.ts";
import type { Entry } from "./manifest.ts";
import { typeOf } from "./names-in.ts";
import type { Objects, Pending } from "./objects.ts";
import { reader } from "./read-regular.ts";
import type { Step } from "./walk.ts";

const EMPTY = createHash("sha256").digest("hex");
const NOTHING = Buffer.alloc(0);

export type EntryStep = Step & { readonly step: "entry" };
export type EntryReader = (step: EntryStep) => Entry;

/** Reads the manifest entry of everything except directories we enter. Opens regular files only. */
export function entryReader(budget: Budget, keep?: Objects, onTime?: (path: string, ctime: number) => void): EntryReader {
  const read = reader(budget);

  return ({ path, type, at }) => {
    if (budget.expired()) return type === "directory" ? { path, type } : { path, type, unread: "time-budget" };
    if (type === "file") return file(path, at);
    const stats = looked(at);
    if (stats === undefined) return { path, type, unread: "changed" };
    onTime?.(path, stats.ctimeMs);
    const now = typeOf(stats) ?? "unknown";
    if (now === "link") return { path, type: now, ...linkText(at) };
    return { path, type: now, mode: modeOf(stats) };
  };

  function file(path: string, at: string | Buffer, mustKeep = false): Entry {
    let sha256 = EMPTY;
    let isKept = true;
    let hash: Hash | undefined;
    let pending: Pending | undefined;
    const found = read(at, (piece, isWhole, stats) => {
      if (isWhole) {
        sha256 = hashAtOnce("sha256", piece);
        isKept = keep?.add(piece, [{ sha256, length: piece.length }])[0] ?? true;
        return;
      }
      // A file as long as one we have probably has the same contents. If it does not, a second reading stores it.
      if (hash === undefined && (mustKeep || !keep?.hasLength(stats.size))) pending = keep?.begin();
      hash ??= createHash("sha256");
      hash.update(piece);
      pending?.write(piece);
    });
    if ("unread" in found) {
      pending?.cancel();
      const stats = found.stats ?? looked(at);
      if (stats !== undefined) onTime?.(path, stats.ctimeMs);
      return unread(path, found.unread, stats);
    }
    if (hash !== undefined) sha256 = hash.digest("hex");
    if (pending !== undefined) isKept = pending.finish(sha256);
    else if (found.size === 0) isKept = keep?.add(NOTHING, [{ sha256: EMPTY, length: 0 }])[0] ?? true;
    else if (hash !== undefined && keep?.has(sha256) === false) return file(path, at, true);
    onTime?.(path, found.stats.ctimeMs);
    const entry = fileEntry(path, found.stats, found.size, sha256);
    if (found.changing) entry.changing = true;
    if (!isKept) entry.unkept = "keep-budget";
    return entry;
  }
}

type Draft = { -readonly [Key in keyof Entry]: Entry[Key] };

export function fileEntry(path: string, stats: Pick<Stats, "mode" | "mtimeMs" | "nlink">, size: number, sha256: string): Draft {
  const entry: Draft = { path, type: "file", mode: modeOf(stats), size, sha256, mtime: stats.mtimeMs };
  if (stats.nlink > 1) entry.names = stats.nlink;
  return entry;
}

function unread(path: string, reason: NonNullable<Entry["unread"]>, stats: Stats | undefined): Entry {
  if (stats === undefined) return { path, type: "file", unread: reason };
  const type = typeOf(stats) ?? "unknown";
  const { size, mtimeMs: mtime, ctimeMs: ctime, ino: inode } = stats;
  return { path, type, mode: modeOf(stats), size, mtime, unread: reason, identity: { ctime, inode } };
}

function linkText(at: string | Buffer): Pick<Entry, "link" | "unread"> {
  try {
    return { link: textOf(readlinkSync(at, { encoding: "buffer" })) };
  } catch {
    return { unread: "changed" };
  }
}

function looked(at: string | Buffer): Stats | undefined {
  try {
    return lstatSync(at);
  } catch {
    return undefined;
  }
}

export function modeOf({ mode }: Pick<Stats, "mode">): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
